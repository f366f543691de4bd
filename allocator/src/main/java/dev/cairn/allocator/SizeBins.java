package dev.cairn.allocator;

/**
 * The 21 size classes of chunks: bin b holds chunks of {@code [256 << b, 256 << (b + 1))} bytes, the last bin all
 * chunks from 256 MiB. TensorFlow's and XLA's BFC allocators use the same bins. Stateless.
 */
public final class SizeBins {
  /** How many bins there are. */
  public static final int BINS = 21;

  private SizeBins() {}

  /** The bin of a chunk of {@code bytes}; fewer than 256 bytes count as 256. */
  public static int binOf(long bytes) {
    long units = Math.max(bytes, Alignment.CHUNK_BYTES) / Alignment.CHUNK_BYTES;
    return Math.min(BINS - 1, floorLog2(units));
  }

  /** The size in bytes of the smallest chunk in {@code bin}. */
  public static long floorBytes(int bin) {
    if (bin < 0 || bin >= BINS) {
      throw new IllegalArgumentException("no such bin: bin=%d bins=%d".formatted(bin, BINS));
    }
    return Alignment.CHUNK_BYTES << bin;
  }

  /** The exponent of the largest power of two not above {@code value}; -1 for 0. */
  public static int floorLog2(long value) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
  }
}
