package dev.cairn.benchmarks.allocator;

import java.util.Locale;

/** Tells whoever waits what has been measured. */
final class Progress {
  private Progress() {}

  static void told(String format, Object... facts) {
    System.err.println(String.format(Locale.ROOT, format, facts));
  }
}
