package dev.cairn.allocator;

import java.util.Locale;

/**
 * Makes names from models, files and callers safe to print on one line: it escapes control characters and all
 * characters that a terminal might not show as one character. Stateless.
 */
public final class Printable {
  private static final String CUT = "...";

  private Printable() {}

  /** The text in at most {@code mostChars} characters, without the middle if it is longer. */
  public static String of(String text, int mostChars) {
    boolean cut = text.length() > mostChars;
    String head = escaped(cut ? text.substring(0, mostChars) : text);
    if (!cut && head.length() <= mostChars) {
      return head;
    }
    String tail = cut ? escaped(text.substring(text.length() - mostChars)) : head;
    // The end of a node's name says more than its beginning.
    int ahead = (mostChars - CUT.length()) / 3;
    return head.substring(0, ahead) + CUT + tail.substring(tail.length() - (mostChars - CUT.length() - ahead));
  }

  private static String escaped(String text) {
    if (text.chars().allMatch(Printable::isPlain)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.chars().forEach(it -> {
      if (isPlain(it) || isVisible(it)) {
        escaped.append((char) it);
      } else {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", it));
      }
    });
    return escaped.toString();
  }

  private static boolean isPlain(int character) {
    return character >= ' ' && character <= '~';
  }

  /** Surrogates count as invisible, so that shortening a text never splits a pair. */
  private static boolean isVisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
        Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.NON_SPACING_MARK,
        Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK -> false;
      default -> true;
    };
  }
}
