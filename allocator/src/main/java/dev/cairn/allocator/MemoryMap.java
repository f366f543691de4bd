package dev.cairn.allocator;

import java.util.List;
import java.util.stream.Stream;

/**
 * What lies where, at one moment: regions in address order, each covered by its chunks in address order.
 *
 * @param space the memory that is mapped
 * @param stats the figures of the same moment
 * @param regions the pool
 */
public record MemoryMap(MemorySpace space, AllocatorStats stats, List<RegionEntry> regions) {
  /** Copies the list in. */
  public MemoryMap {
    regions = List.copyOf(regions);
  }

  /** All chunks, in address order. */
  public Stream<ChunkEntry> chunks() {
    return regions.stream().flatMap(region -> region.chunks().stream());
  }

  /**
   * One region, {@code [address, address + bytes)}.
   *
   * @param address first byte
   * @param bytes length
   * @param chunks its chunks, which cover it without a gap
   */
  public record RegionEntry(long address, long bytes, List<ChunkEntry> chunks) {
    /** Copies the list in. */
    public RegionEntry {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * One chunk, {@code [address, address + bytes)}.
   *
   * @param address first byte
   * @param bytes length
   * @param requestedBytes what its holder asked for; 0 if free
   * @param allocationId the grant; -1 if free
   * @param owner label of the holder; {@link Allocator#NO_OWNER} if free or unlabelled
   */
  public record ChunkEntry(long address, long bytes, long requestedBytes, long allocationId, String owner) {
    /** Whether a block holds it. */
    public boolean inUse() {
      return allocationId >= 0;
    }
  }
}
