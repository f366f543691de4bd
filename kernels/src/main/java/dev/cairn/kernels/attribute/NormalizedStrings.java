package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/** The strings that {@code StringNormalizer} keeps of its input. Type rule and kernel compute them by this class. */
public final class NormalizedStrings {
  private NormalizedStrings() {}

  /** At least one string: an empty one where nothing is left. */
  public static List<String> of(Attributes attributes, TensorView x) {
    UnaryOperator<String> change = change(attributes);
    boolean sensitive = attributes.getFlag("is_case_sensitive", false);
    UnaryOperator<String> compared = sensitive ? UnaryOperator.identity() : lower(attributes);
    Set<String> stopWords = new HashSet<>();
    attributes.getTexts("stopwords").forEach(word -> stopWords.add(compared.apply(word)));
    List<String> kept = Arrays.stream(StringElements.toArray(x)).filter(text -> !stopWords.contains(compared.apply(
      text))).map(change).toList();
    return kept.isEmpty() ? List.of("") : kept;
  }

  private static UnaryOperator<String> change(Attributes attributes) {
    String action = attributes.getText("case_change_action", "NONE");
    return switch (action) {
      case "NONE" -> UnaryOperator.identity();
      case "LOWER" -> lower(attributes);
      case "UPPER" -> upper(attributes);
      default -> throw new IllegalArgumentException("unknown change of case: case_change_action=\"%s\"".formatted(
        action));
    };
  }

  private static UnaryOperator<String> lower(Attributes attributes) {
    if (isOfAscii(attributes)) {
      return text -> ofEach(text, it -> it >= 'A' && it <= 'Z' ? it + 'a' - 'A' : it);
    }
    Locale locale = locale(attributes);
    return text -> text.toLowerCase(locale);
  }

  private static UnaryOperator<String> upper(Attributes attributes) {
    if (isOfAscii(attributes)) {
      return text -> ofEach(text, it -> it >= 'a' && it <= 'z' ? it + 'A' - 'a' : it);
    }
    Locale locale = locale(attributes);
    return text -> text.toUpperCase(locale);
  }

  /** C's own locale changes the letters of ASCII alone. */
  private static boolean isOfAscii(Attributes attributes) {
    String locale = attributes.getText("locale", "");
    return locale.equals("C") || locale.equals("POSIX");
  }

  private static String ofEach(String text, IntUnaryOperator change) {
    int[] changed = text.codePoints().map(change).toArray();
    return new String(changed, 0, changed.length);
  }

  private static Locale locale(Attributes attributes) {
    return Locale.forLanguageTag(attributes.getText("locale", "en-US").replace('_', '-'));
  }
}
