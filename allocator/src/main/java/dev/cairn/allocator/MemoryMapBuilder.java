package dev.cairn.allocator;

import java.util.ArrayList;
import java.util.List;

/** Builds a {@link MemoryMap}, region by region and chunk by chunk, in address order. Not thread-safe; for one use. */
public final class MemoryMapBuilder {
  private final MemorySpace space;
  private final List<MemoryMap.RegionEntry> regions = new ArrayList<>();
  private final List<Owner> owners = new ArrayList<>(List.of(Owner.NONE));
  private final ChunkColumns chunks = new ChunkColumns();

  /** A builder for an empty map of {@code space}. */
  public MemoryMapBuilder(MemorySpace space) {
    this.space = space;
  }

  /** Reserves capacity for this many chunks. */
  public MemoryMapBuilder ensureRoom(int chunkCount) {
    chunks.ensureRoom(chunkCount);
    return this;
  }

  /** Begins the next region, {@code [address, address + bytes)}; its chunks follow. */
  public MemoryMapBuilder region(long address, long bytes) {
    endRegion();
    regions.add(new MemoryMap.RegionEntry(address, bytes, chunks.count(), 0));
    return this;
  }

  /** The number of an owner in this map. */
  public int owner(Owner owner) {
    owners.add(owner);
    return owners.size() - 1;
  }

  /** Adds a chunk in use. */
  public MemoryMapBuilder inUse(long address, long bytes, long requestedBytes, long allocationId, int owner, int step) {
    chunks.add(address, bytes, allocationId);
    chunks.held(requestedBytes, owner, step);
    return this;
  }

  /** Adds a free chunk; {@code freedAt}, a {@link StreamTime}, is 0 if it is free for any request. */
  public MemoryMapBuilder free(long address, long bytes, long freedAt) {
    chunks.add(address, bytes, ChunkColumns.stateOfFree(freedAt));
    return this;
  }

  /** The map, with the given statistics. */
  public MemoryMap build(AllocatorStats stats) {
    endRegion();
    return new MemoryMap(space, stats, regions, owners, chunks);
  }

  /** The map, with a limit and statistics derived from its chunks; each peak equals its current value. */
  public MemoryMap build(long limitBytes) {
    endRegion();
    return build(stats(limitBytes));
  }

  private AllocatorStats stats(long limitBytes) {
    long largest = 0;
    long largestFree = 0;
    long timeHeld = 0;
    long pool = 0;
    for (MemoryMap.RegionEntry region : regions) {
      pool += region.bytes();
    }
    for (int chunk = 0; chunk < chunks.count(); chunk++) {
      long bytes = chunks.bytes(chunk);
      if (chunks.isInUse(chunk)) {
        largest = Math.max(largest, bytes);
      } else {
        largestFree = Math.max(largestFree, bytes);
        timeHeld += ChunkColumns.freedAt(chunks.state(chunk)) > 0 ? bytes : 0;
      }
    }
    AllocatorStats.Blocks small = blocks(0, AllocatorStats.SMALL_BYTES);
    AllocatorStats.Blocks large = blocks(AllocatorStats.SMALL_BYTES, Long.MAX_VALUE);
    return new AllocatorStats(blocks(0, Long.MAX_VALUE), small, large, Gauge.of(pool), Gauge.of(regions.size()),
      splits(false), splits(true), Gauge.ZERO, limitBytes, largest, largestFree, timeHeld, 0, 0, 0);
  }

  /** The blocks with more than {@code above} and at most {@code most} bytes. */
  private AllocatorStats.Blocks blocks(long above, long most) {
    long count = 0;
    long bytes = 0;
    long requested = 0;
    for (int chunk = 0; chunk < chunks.count(); chunk++) {
      if (chunks.isInUse(chunk) && chunks.bytes(chunk) > above && chunks.bytes(chunk) <= most) {
        count++;
        bytes += chunks.bytes(chunk);
        requested += chunks.requestedBytes(chunk);
      }
    }
    return new AllocatorStats.Blocks(Gauge.of(count), Gauge.of(bytes), Gauge.of(requested));
  }

  private Gauge splits(boolean inBytes) {
    long sum = 0;
    for (MemoryMap.RegionEntry region : regions) {
      for (int i = 0; region.chunkCount() > 1 && i < region.chunkCount(); i++) {
        int chunk = region.firstChunk() + i;
        long one = inBytes ? chunks.bytes(chunk) : 1;
        sum += chunks.isInUse(chunk) ? 0 : one;
      }
    }
    return Gauge.of(sum);
  }

  /** Counts the chunks of the current region. */
  private void endRegion() {
    if (!regions.isEmpty()) {
      MemoryMap.RegionEntry last = regions.removeLast();
      regions.add(new MemoryMap.RegionEntry(last.address(), last.bytes(), last.firstChunk(),
        chunks.count() - last.firstChunk()));
    }
  }
}
