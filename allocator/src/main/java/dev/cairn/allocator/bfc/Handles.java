package dev.cairn.allocator.bfc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Packs a chunk and the grant that holds it into one long, so that a handle kept after the free is known for what it
 * is.
 *
 * <pre>
 *  63                                  28 27                        0
 *  | generation: allocation id + salt    | chunk                     |
 * </pre>
 *
 * The generation comes from the allocation id, which is never reused, and repeats after 2^36 grants. The salt differs
 * between allocators, so that the handle of another one doesn't fit by chance.
 */
final class Handles {
  private static final int CHUNK_BITS = 28;
  private static final long CHUNK_MASK = (1L << CHUNK_BITS) - 1;
  private static final long GENERATION_MASK = (1L << (Long.SIZE - CHUNK_BITS)) - 1;
  /** Chunks that fit; the last pattern is left to {@link dev.cairn.allocator.Block#NO_HANDLE}. */
  static final int MAXIMUM_CHUNKS = (int) CHUNK_MASK;
  // Steps of the golden ratio spread the salts of any number of allocators evenly.
  private static final long SALT_STEP = 0x9E3779B97F4A7C15L;
  private static final AtomicLong MADE = new AtomicLong();

  private final long salt = (MADE.incrementAndGet() * SALT_STEP) >>> CHUNK_BITS;

  long of(int chunk, long allocationId) {
    return ((allocationId + salt) << CHUNK_BITS) | chunk;
  }

  int chunk(long handle) {
    return (int) (handle & CHUNK_MASK);
  }

  boolean isOf(long handle, long allocationId) {
    return (handle >>> CHUNK_BITS) == ((allocationId + salt) & GENERATION_MASK);
  }

  /** The allocation id that the handle was made from, if it was made here. */
  long allocationId(long handle) {
    return ((handle >>> CHUNK_BITS) - salt) & GENERATION_MASK;
  }
}
