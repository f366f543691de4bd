package dev.cairn.runtime.memory;

/**
 * One contiguous range of memory that a plan uses for the whole run.
 *
 * @param bytes its size, at least 0
 * @param alignment the alignment of its base address in bytes, a power of two
 * @param device the device of its memory, at least 0
 */
public record Pool(long bytes, long alignment, int device) {
  public Pool {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative pool: bytes=%d".formatted(bytes));
    }
    if (!OffsetAlignment.isPowerOfTwo(alignment)) {
      throw new IllegalArgumentException("alignment is not a power of two: pool alignment=%d".formatted(alignment));
    }
    if (device < 0) {
      throw new IllegalArgumentException("negative device: pool device=%d".formatted(device));
    }
  }

  /** A pool on device 0. */
  public Pool(long bytes, long alignment) {
    this(bytes, alignment, 0);
  }
}
