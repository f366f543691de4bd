package dev.cairn.allocator.bfc;

import dev.cairn.allocator.SizeBins;

/**
 * The classes that free chunks are kept in, finer than the bins that are reported: one for each size below 32 KiB, and
 * 32 for each power of two from there. A larger class has larger chunks only. Stateless.
 */
final class SizeClasses {
  /** Classes below this one are exact: they have one size each, their number times 256 bytes; nothing is in class 0. */
  static final int EXACT_COUNT = 128;

  private static final int FIRST_RANGE_LOG2 = 7;
  private static final int STEPS_LOG2 = 5;
  private static final int STEPS = 1 << STEPS_LOG2;
  private static final int UNIT_LOG2 = 8;

  /** How many there are, for every length that a {@code long} can have. */
  static final int COUNT = of(Long.MAX_VALUE) + 1;

  private SizeClasses() {}

  /** The class of a chunk of {@code bytes}, a positive multiple of 256. */
  static int of(long bytes) {
    long units = bytes >>> UNIT_LOG2;
    if (units < EXACT_COUNT) {
      return (int) units;
    }
    int log2 = SizeBins.floorLog2(units);
    int step = (int) (units >>> (log2 - STEPS_LOG2)) & (STEPS - 1);
    return EXACT_COUNT + ((log2 - FIRST_RANGE_LOG2) << STEPS_LOG2) + step;
  }

  /** Whether all chunks of a class are equally long. */
  static boolean isExact(int sizeClass) {
    return sizeClass < EXACT_COUNT;
  }
}
