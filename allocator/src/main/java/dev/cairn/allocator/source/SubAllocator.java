package dev.cairn.allocator.source;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.MemorySpace;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A source of regions: asked seldom and for much. Safe for use by many threads. It outlives the allocators over it,
 * which give back every region they took.
 */
public interface SubAllocator {
  /** The memory that the regions are in. */
  MemorySpace space();

  /** The granularity of region lengths: a power of two, at least 256. */
  default long granularityBytes() {
    return Alignment.CHUNK_BYTES;
  }

  /** The longest region that may be asked for; longer ones are never given. */
  long maximumRegionBytes();

  /** Bytes that the source could still give, for reports, where it knows. */
  default OptionalLong freeBytes() {
    return OptionalLong.empty();
  }

  /**
   * Whether two regions that happen to adjoin may be used as one, so that a chunk may lie across the border. Regions
   * are still released one by one, as they were given. False where the host has access: a segment is one region's.
   */
  boolean supportsCoalescing();

  /**
   * A region of exactly {@code bytes} bytes, not initialised, 256-byte aligned, that overlaps no other one now held; or
   * null when there is none to be had, which is no error: the caller may ask for less.
   *
   * @throws IllegalArgumentException when {@code bytes} is not a positive multiple of the granularity
   */
  @Nullable
  Region allocate(long bytes);

  /**
   * Takes a region back, whole; its memory returns to where it came from.
   *
   * @throws IllegalArgumentException when this source doesn't hold the region: released before, or another's
   * @throws IllegalStateException when the region is being accessed at this moment; it stays held then
   */
  void release(Region region);

  /** Checks the argument of {@link #allocate}, as each implementation must. */
  static void requireMultiple(long bytes, long granularityBytes) {
    if (bytes <= 0 || !Alignment.isAligned(bytes, granularityBytes)) {
      throw new IllegalArgumentException("region length must be a positive multiple of the granularity: "
        + "bytes=%d granularityBytes=%d".formatted(bytes, granularityBytes));
    }
  }
}
