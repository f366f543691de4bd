package dev.cairn.runtime.report.plan;

import dev.cairn.allocator.report.StatsText;

/** Numbers as people read them. Written by hand: a picture has tens of thousands, and a formatter takes seconds. */
final class PictureNumbers {
  private static final int GROUP = 3;

  private PictureNumbers() {}

  /** {@code 1,234,567}. */
  static String grouped(long number) {
    StringBuilder digits = new StringBuilder(Long.toString(number));
    int first = number < 0 ? 1 : 0;
    for (int i = digits.length() - GROUP; i > first; i -= GROUP) {
      digits.insert(i, ',');
    }
    return digits.toString();
  }

  /** {@code 774,400 B (756.3 KiB)}. */
  static String bytes(long bytes) {
    return bytes < 1024 ? grouped(bytes) + " B" : grouped(bytes) + " B (" + StatsText.bytes(bytes) + ")";
  }

  /** A round number of bytes in few letters: {@code 1.25 MiB}, {@code 768 KiB}. */
  static String tick(long bytes) {
    String unit = StatsText.bytes(bytes).replaceAll("[^A-Za-z]", "");
    double inUnit = bytes;
    while (inUnit >= 1024) {
      inUnit /= 1024;
    }
    return SvgText.number(inUnit) + " " + unit;
  }

  /** {@code 1 buffer}, {@code 2,000 buffers}. */
  static String count(long number, String what) {
    return grouped(number) + " " + what + (number == 1 ? "" : "s");
  }
}
