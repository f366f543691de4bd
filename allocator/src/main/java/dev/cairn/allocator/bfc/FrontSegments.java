package dev.cairn.allocator.bfc;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The segments of chunks that the front has of the heap, kept while it has them, so that a block of a parked chunk can
 * be made without the heap's lock. A chunk's segment is read and written only by whoever has the chunk.
 */
final class FrontSegments {
  private static final int PAGE_BITS = 10;
  private static final int PAGE_SEGMENTS = 1 << PAGE_BITS;

  private final Depot depot;
  private final FrontSlots slots;
  private volatile @Nullable MemorySegment[][] pages = {};

  FrontSegments(Depot depot, FrontSlots slots) {
    this.depot = depot;
    this.slots = slots;
  }

  /** The first {@code requestedBytes} of a chunk that is held. */
  MemorySegment of(int chunk, long requestedBytes) {
    @Nullable
    MemorySegment[] page = page(chunk >>> PAGE_BITS);
    int at = chunk & (PAGE_SEGMENTS - 1);
    MemorySegment segment = page[at];
    // What is left from a chunk that once had this number is known by its place, or by its region having gone.
    if (segment == null || segment.address() != slots.address(chunk) || segment.byteSize() != slots.bytes(chunk)
      || !segment.scope().isAlive()) {
      segment = depot.segmentOf(chunk);
      page[at] = segment;
    }
    return segment.asSlice(0, requestedBytes);
  }

  private @Nullable MemorySegment[] page(int index) {
    @Nullable
    MemorySegment[][] all = pages;
    return index < all.length ? all[index] : grown(index)[index];
  }

  private synchronized @Nullable MemorySegment[][] grown(int index) {
    @Nullable
    MemorySegment[][] all = pages;
    if (index >= all.length) {
      @Nullable
      MemorySegment[][] grown = Arrays.copyOf(all, index + 1);
      for (int page = all.length; page <= index; page++) {
        grown[page] = new MemorySegment[PAGE_SEGMENTS];
      }
      pages = grown;
      return grown;
    }
    return all;
  }
}
