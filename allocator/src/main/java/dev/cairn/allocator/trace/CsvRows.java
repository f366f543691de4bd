package dev.cairn.allocator.trace;

import dev.cairn.allocator.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The rows of a CSV file without quotes, one at a time, read from bytes: a log may have millions. Blank rows and blanks
 * around cells are passed over. Not safe for many threads.
 */
final class CsvRows {
  private static final int SHOWN_CHARACTERS = 80;

  private final CsvLines lines;
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private int cells;

  CsvRows(InputStream in) {
    this.lines = new CsvLines(in);
  }

  /** Goes to the next row that isn't blank; false when there is none. */
  boolean next() throws IOException {
    while (lines.next()) {
      split();
      if (cells > 1 || starts[0] < ends[0]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes the next row as the header.
   *
   * @param wanted columns that must be there, in small letters
   * @return the cell of each column by its name in small letters
   */
  Map<String, Integer> header(String... wanted) throws IOException {
    if (!next()) {
      throw new InvalidTrace("the file is empty: wanted columns=" + String.join(",", wanted));
    }
    Map<String, Integer> columns = new HashMap<>();
    for (int cell = 0; cell < cells; cell++) {
      if (columns.put(text(cell).toLowerCase(Locale.ROOT), cell) != null) {
        throw bad("duplicate column: column=" + shown(text(cell)));
      }
    }
    for (String column : wanted) {
      if (!columns.containsKey(column)) {
        throw bad("column is missing: column=" + column);
      }
    }
    return columns;
  }

  /** How many cells the row has. */
  int cells() {
    return cells;
  }

  /** Whether a cell is this word, given in small ASCII letters, in any case. */
  boolean is(int cell, String word) {
    int start = starts[cell];
    if (ends[cell] - start != word.length()) {
      return false;
    }
    byte[] row = lines.bytes();
    for (int i = 0; i < word.length(); i++) {
      byte at = row[start + i];
      if ((at >= 'A' && at <= 'Z' ? at + ('a' - 'A') : at) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** A whole number of at least 0, in decimal. */
  long count(int cell, String column) {
    int start = starts[cell];
    byte[] row = lines.bytes();
    long value = 0;
    for (int i = start; i < ends[cell]; i++) {
      int digit = row[i] - '0';
      if (digit < 0 || digit > 9) {
        throw bad(row[start] == '-' ? "negative" : "not a whole number", cell, column);
      }
      if (value > (Long.MAX_VALUE - digit) / 10) {
        throw bad("too large", cell, column);
      }
      value = 10 * value + digit;
    }
    if (start == ends[cell]) {
      throw bad("empty", cell, column);
    }
    return value;
  }

  /** An address: hexadecimal behind {@code 0x}, or decimal. Null pointers, however written, are 0. */
  long address(int cell, String column) {
    int start = starts[cell];
    byte[] row = lines.bytes();
    if (ends[cell] - start <= 2 || row[start] != '0' || (row[start + 1] | ' ') != 'x') {
      return is(cell, "(nil)") || is(cell, "nullptr") || is(cell, "null") ? 0 : count(cell, column);
    }
    long value = 0;
    for (int i = start + 2; i < ends[cell]; i++) {
      int digit = Character.digit(row[i], 16);
      if (digit < 0) {
        throw bad("not a hexadecimal number", cell, column);
      }
      if (value >>> (Long.SIZE - 4) != 0) {
        throw bad("too large", cell, column);
      }
      value = value << 4 | digit;
    }
    return value;
  }

  /** The complaint about a cell of this row. */
  InvalidTrace bad(String what, int cell, String column) {
    return bad("%s: column=%s value=%s".formatted(what, column, shown(text(cell))));
  }

  /** The complaint about this row. */
  InvalidTrace bad(String what) {
    String row = new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8);
    return new InvalidTrace("bad line: line=%d %s; text=%s".formatted(lines.number(), what, shown(row)));
  }

  private String text(int cell) {
    return new String(lines.bytes(), starts[cell], ends[cell] - starts[cell], StandardCharsets.UTF_8);
  }

  private static String shown(String text) {
    return Printable.of(text, SHOWN_CHARACTERS);
  }

  private void split() {
    byte[] row = lines.bytes();
    int length = lines.length();
    cells = 0;
    int start = 0;
    for (int i = 0; i <= length; i++) {
      if (i == length || row[i] == ',') {
        addCell(start, i);
        start = i + 1;
      }
    }
  }

  private void addCell(int from, int to) {
    if (cells == starts.length) {
      starts = Arrays.copyOf(starts, 2 * cells);
      ends = Arrays.copyOf(ends, 2 * cells);
    }
    byte[] row = lines.bytes();
    int start = from;
    int end = to;
    while (start < end && isBlank(row[start])) {
      start++;
    }
    while (end > start && isBlank(row[end - 1])) {
      end--;
    }
    starts[cells] = start;
    ends[cells++] = end;
  }

  private static boolean isBlank(byte at) {
    return at == ' ' || at == '\t' || at == '\r';
  }
}
