package dev.cairn.allocator;

/** Rounding of byte counts and addresses to powers of two. Stateless. */
public final class Alignment {
  /** Bytes that every chunk, and every region's base, is aligned to; also the smallest chunk. */
  public static final long CHUNK_BYTES = 256;

  private Alignment() {}

  /** The largest multiple of {@code alignment} not above {@code value}; {@code alignment} is a power of two. */
  public static long down(long value, long alignment) {
    return value & -alignment;
  }

  /**
   * The smallest multiple of {@code alignment} not below {@code value}; {@code alignment} is a power of two.
   *
   * @throws IllegalArgumentException when no {@code long} holds it
   */
  public static long up(long value, long alignment) {
    if (value > Long.MAX_VALUE - (alignment - 1)) {
      throw new IllegalArgumentException("too large to align: value=%d alignment=%d".formatted(value, alignment));
    }
    return (value + alignment - 1) & -alignment;
  }

  /** Whether {@code value} is a multiple of {@code alignment}, a power of two. */
  public static boolean isAligned(long value, long alignment) {
    return (value & (alignment - 1)) == 0;
  }
}
