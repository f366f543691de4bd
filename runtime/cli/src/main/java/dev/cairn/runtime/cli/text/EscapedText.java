package dev.cairn.runtime.cli.text;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/**
 * Writes text so that a terminal shows it and obeys none of it. Names in models and files may hold escape sequences,
 * which move the cursor, retitle the window or hide text; each such character is written as {@code \u001b}. JSON stays
 * the same document, since JSON has the same escapes. Not thread-safe.
 */
public final class EscapedText extends FilterWriter {
  public EscapedText(Writer out) {
    super(out);
  }

  /** The text with every control and format character but line ends and tabs escaped. */
  public static String of(String text) {
    if (text.chars().allMatch(EscapedText::isShown)) {
      return text;
    }
    var escaped = new StringBuilder(text.length() + 16);
    text.chars().forEach(it -> {
      if (isShown(it)) {
        escaped.append((char) it);
      } else {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", it));
      }
    });
    return escaped.toString();
  }

  /** Like {@link #of}, on one line: a line end in a name must not look like the end of a row. */
  public static String inLine(String text) {
    return of(text).replace("\n", "\\u000a").replace("\t", "\\u0009");
  }

  private static boolean isShown(int character) {
    return character == '\n' || character == '\t' || switch (Character.getType(character)) {
      case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      default -> true;
    };
  }

  @Override
  public void write(int character) throws IOException {
    out.write(of(Character.toString((char) character)));
  }

  @Override
  public void write(char[] characters, int from, int count) throws IOException {
    out.write(of(new String(characters, from, count)));
  }

  @Override
  public void write(String text, int from, int count) throws IOException {
    out.write(of(text.substring(from, from + count)));
  }
}
