package dev.cairn.allocator.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Writes packed events as lines of RMM's log. Not safe for many threads. */
final class RmmLines {
  /** How many numbers an event is packed into: thread, time and action, address, bytes. */
  static final int WORDS = 4;
  static final int ALLOCATE = 0;
  static final int FREE = 1;
  static final int FAILURE = 2;

  private static final byte[][] ACTIONS = {ascii("allocate"), ascii("free"), ascii("allocate failure")};
  private static final byte[] HEX_DIGITS = ascii("0123456789abcdef");
  private static final int LONGEST_LINE = 128;

  private final OutputStream out;
  private final byte[] text = new byte[1 << 16];
  private int length;

  RmmLines(OutputStream out) {
    this.out = out;
  }

  /** Packs the time of day and the kind of an event. */
  static long timeAndAction(long microsOfDay, int action) {
    return microsOfDay << 2 | action;
  }

  void writeHeader() throws IOException {
    out.write(ascii(RmmCsv.HEADER + "\n"));
  }

  /** Writes the first {@code count} events, and leaves none of them in a buffer of its own. */
  void write(long[] events, int count) throws IOException {
    for (int at = 0; at < count * WORDS; at += WORDS) {
      if (text.length - length < LONGEST_LINE) {
        flush();
      }
      line(events[at], events[at + 1], events[at + 2], events[at + 3]);
    }
    flush();
  }

  private void line(long thread, long timeAndAction, long address, long bytes) {
    decimal(thread);
    put(',');
    long micros = timeAndAction >>> 2;
    long seconds = TimeUnit.MICROSECONDS.toSeconds(micros);
    padded(seconds / 3600, 2);
    put(':');
    padded(seconds / 60 % 60, 2);
    put(':');
    padded(seconds % 60, 2);
    put(':');
    padded(micros % 1_000_000, 6);
    put(',');
    byte[] action = ACTIONS[(int) (timeAndAction & 3)];
    System.arraycopy(action, 0, text, length, action.length);
    length += action.length;
    put(',');
    put('0');
    put('x');
    hexadecimal(address);
    put(',');
    decimal(bytes);
    // The stream: the default one, since an allocator knows no stream.
    put(',');
    put('0');
    put('\n');
  }

  private void put(char character) {
    text[length++] = (byte) character;
  }

  private void decimal(long value) {
    int digits = 1;
    for (long over = value / 10; over > 0; over /= 10) {
      digits++;
    }
    padded(value, digits);
  }

  private void padded(long value, int digits) {
    long rest = value;
    for (int i = length + digits - 1; i >= length; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void hexadecimal(long value) {
    int digits = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 3) / 4);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      text[length++] = HEX_DIGITS[(int) (value >>> shift) & 15];
    }
  }

  private void flush() throws IOException {
    int ready = length;
    length = 0;
    out.write(text, 0, ready);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
