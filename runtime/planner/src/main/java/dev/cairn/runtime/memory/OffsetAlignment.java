package dev.cairn.runtime.memory;

/** Rounding of byte counts and offsets to a power of two. */
public final class OffsetAlignment {
  private OffsetAlignment() {}

  /**
   * The smallest multiple of the alignment that is at least {@code bytes}.
   *
   * @param bytes at least 0, at most {@code Long.MAX_VALUE - alignment + 1}
   * @param alignment a power of two
   */
  public static long up(long bytes, long alignment) {
    return (bytes + alignment - 1) & -alignment;
  }

  /**
   * Like {@link #up}, for any number of bytes.
   *
   * @throws ArithmeticException when the multiple exceeds a {@code long}
   */
  public static long upExact(long bytes, long alignment) {
    return Math.addExact(bytes, alignment - 1) & -alignment;
  }

  /** Whether the number is 1, 2, 4, 8, … */
  public static boolean isPowerOfTwo(long alignment) {
    return alignment > 0 && Long.bitCount(alignment) == 1;
  }
}
