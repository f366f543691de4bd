package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How {@code Tokenizer} of com.microsoft cuts strings into words. Patterns are those of {@code java.util.regex}.
 *
 * @param separators patterns of what lies between words, applied one after the other; none for words by pattern
 * @param word the pattern of a word, where there are no separators
 * @param byLetter whether each letter is a word
 * @param least words of fewer letters are left out
 * @param marks whether the words of a string stand between a mark of its start and one of its end
 * @param padding stands for words that a string lacks
 */
public record TokenForm(List<Pattern> separators, Pattern word, boolean byLetter, long least, boolean marks,
  String padding) {
  private static final String START = "\u0002";
  private static final String END = "\u0003";

  public TokenForm {
    separators = List.copyOf(separators);
  }

  /** @throws IllegalArgumentException when there is neither a separator nor a pattern of words, or both */
  public static TokenForm of(Attributes attributes) {
    return attributes.parsed(TokenForm.class, TokenForm::parsed);
  }

  private static TokenForm parsed(Attributes attributes) {
    List<String> separators = attributes.getTexts("separators");
    String word = attributes.getText("tokenexp", "");
    if (separators.isEmpty() == word.isEmpty()) {
      throw new IllegalArgumentException(
        "either separators or a pattern of words is needed: separators=%d tokenexp=\"%s\""
          .formatted(separators.size(), word));
    }
    boolean byLetter = separators.size() == 1 && separators.getFirst().isEmpty();
    return new TokenForm(byLetter ? List.of() : separators.stream().map(Pattern::compile).toList(),
      Pattern.compile(word), byLetter, attributes.getLong("mincharnum", 1), attributes.getFlag("mark",
        false),
      attributes.getText("pad_value", ""));
  }

  /** The words of each string, with marks unless no string has a word, but without padding. */
  public List<List<String>> words(TensorView strings) {
    List<List<String>> all = new ArrayList<>();
    for (long i = 0; i < strings.elementCount(); i++) {
      all.add(new ArrayList<>(words(StringElements.at(strings, i))));
    }
    if (marks && all.stream().anyMatch(it -> !it.isEmpty())) {
      all.forEach(it -> {
        it.addFirst(START);
        it.addLast(END);
      });
    }
    return all;
  }

  private List<String> words(String text) {
    if (byLetter) {
      return text.codePoints().mapToObj(Character::toString).toList();
    }
    List<String> words = new ArrayList<>();
    if (separators.isEmpty()) {
      Matcher matcher = word.matcher(text);
      while (matcher.find()) {
        words.add(matcher.group());
      }
    } else {
      words.add(text);
      for (Pattern separator : separators) {
        List<String> parts = new ArrayList<>();
        words.forEach(it -> cut(separator, it, parts));
        words = parts;
      }
    }
    words.removeIf(it -> it.isEmpty() || it.codePointCount(0, it.length()) < least);
    return words;
  }

  private static void cut(Pattern separator, String text, List<String> parts) {
    Matcher matcher = separator.matcher(text);
    int from = 0;
    while (matcher.find()) {
      if (matcher.end() > matcher.start()) {
        parts.add(text.substring(from, matcher.start()));
        from = matcher.end();
      }
    }
    parts.add(text.substring(from));
  }

  /** How many words the longest string has. */
  public static int most(List<List<String>> words) {
    return words.stream().mapToInt(List::size).max().orElse(0);
  }

  /** The words of all strings, each filled up to so many. */
  public List<String> padded(List<List<String>> words, int count) {
    List<String> all = new ArrayList<>();
    for (List<String> own : words) {
      all.addAll(own);
      for (int i = own.size(); i < count; i++) {
        all.add(padding);
      }
    }
    return all;
  }
}
