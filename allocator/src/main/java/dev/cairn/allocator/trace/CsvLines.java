package dev.cairn.allocator.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a text file as bytes, without byte order mark and line ends, those of Windows included. Not safe for
 * many threads.
 */
final class CsvLines {
  private static final int LONGEST_BYTES = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int filled;
  private byte[] bytes = new byte[256];
  private int length;
  private long number;

  CsvLines(InputStream in) {
    this.in = in;
  }

  /**
   * Goes to the next line; false when there is none.
   *
   * @throws InvalidTrace when a line is so long that this can't be a CSV file
   */
  boolean next() throws IOException {
    length = 0;
    if (position == filled && !fill()) {
      return false;
    }
    number++;
    boolean ended = false;
    while (!ended && (position < filled || fill())) {
      int from = position;
      while (position < filled && buffer[position] != '\n') {
        position++;
      }
      append(from, position);
      ended = position < filled;
      position += ended ? 1 : 0;
    }
    if (length > 0 && bytes[length - 1] == '\r') {
      length--;
    }
    if (number == 1) {
      dropByteOrderMark();
    }
    return true;
  }

  /** Counted from 1. */
  long number() {
    return number;
  }

  int length() {
    return length;
  }

  /** The line in the first {@link #length} bytes; overwritten by the next. */
  byte[] bytes() {
    return bytes;
  }

  private void append(int from, int to) {
    int added = to - from;
    if (length + added > LONGEST_BYTES) {
      throw new InvalidTrace("bad line: line=%d longer than %d bytes: not a CSV file".formatted(number, LONGEST_BYTES));
    }
    if (length + added > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + added, 2 * bytes.length));
    }
    System.arraycopy(buffer, from, bytes, length, added);
    length += added;
  }

  private void dropByteOrderMark() {
    if (length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF) {
      System.arraycopy(bytes, 3, bytes, 0, length - 3);
      length -= 3;
    }
  }

  private boolean fill() throws IOException {
    position = 0;
    filled = Math.max(0, in.read(buffer));
    return filled > 0;
  }
}
