package dev.cairn.runtime.cli.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Breaks a line that is wider than a screen: after semicolons; within what is too wide then, after commas, and within
 * that between words. A word that is too wide stays whole, since it may be a path to copy.
 *
 * <pre>
 *   needs 164.0 MiB, limit 80.0 MiB, short by 84.0 MiB; no plan takes less than 120.0 MiB
 *     the next line of the same sentence is indented further
 * </pre>
 */
public final class LongLine {
  /** The most columns of a line. */
  static final int WIDTH = 160;
  /** What further lines begin with; the first lines of messages have less. */
  public static final String INDENT = "    ";

  private static final List<String> BREAKS = List.of("(?<=;) ", "(?<=,) ", " ");

  private final List<String> lines = new ArrayList<>();
  private final StringBuilder line;
  /** Whether the line has more than what it begins with. */
  private boolean begun;

  private LongLine(String first) {
    this.line = new StringBuilder(first);
  }

  /**
   * The text in lines of at most 160 columns, without a line end after the last one.
   *
   * @param first what the first line begins with
   */
  public static String of(String first, String text) {
    if (Columns.of(first) + Columns.of(text) <= WIDTH) {
      return first + text;
    }
    var broken = new LongLine(first);
    broken.add(text, 0);
    broken.lines.add(broken.line.toString());
    return String.join(System.lineSeparator(), broken.lines);
  }

  /** @param level 0 for the whole text, and one more for each kind of break that it lies between */
  private void add(String part, int level) {
    if (!fits(part) && begun) {
      end();
    }
    if (fits(part) || level == BREAKS.size()) {
      append(part);
      return;
    }
    for (String smaller : part.split(BREAKS.get(level), -1)) {
      add(smaller, level + 1);
    }
  }

  private boolean fits(String words) {
    return Columns.of(line) + (begun ? 1 : 0) + Columns.of(words) <= WIDTH;
  }

  private void append(String words) {
    line.append(begun ? " " : "").append(words);
    begun = true;
  }

  private void end() {
    lines.add(line.toString());
    line.setLength(0);
    line.append(INDENT);
    begun = false;
  }
}
