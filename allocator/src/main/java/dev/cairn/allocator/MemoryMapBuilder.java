package dev.cairn.allocator;

import java.util.ArrayList;
import java.util.List;

/**
 * Puts a {@link MemoryMap} together, region by region and chunk by chunk, in the order of addresses. Not safe for many
 * threads; used once.
 */
public final class MemoryMapBuilder {
  private final MemorySpace space;
  private final List<MemoryMap.RegionEntry> regions = new ArrayList<>();
  private final List<Owner> owners = new ArrayList<>(List.of(Owner.NONE));
  private final ChunkColumns chunks = new ChunkColumns();

  /** A map of {@code space} with nothing in it yet. */
  public MemoryMapBuilder(MemorySpace space) {
    this.space = space;
  }

  /** Makes room, so that adding copies nothing. */
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

  /** The number that an owner is known by in this map, from now on. */
  public int owner(Owner owner) {
    owners.add(owner);
    return owners.size() - 1;
  }

  /** Adds a chunk that a block holds. */
  public MemoryMapBuilder inUse(long address, long bytes, long requestedBytes, long allocationId, int owner, int step) {
    chunks.add(address, bytes, allocationId);
    chunks.held(requestedBytes, owner, step);
    return this;
  }

  /** Adds a free chunk; {@code freedAt} is 0 when it is free for all. */
  public MemoryMapBuilder free(long address, long bytes, long freedAt) {
    chunks.add(address, bytes, ChunkColumns.stateOfFree(freedAt));
    return this;
  }

  /** The map, with figures taken elsewhere. */
  public MemoryMap build(AllocatorStats stats) {
    endRegion();
    return new MemoryMap(space, stats, regions, owners, chunks);
  }

  /** The map, with the figures that follow from its chunks, under a limit; no peak is above its figure. */
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
      splits(false), splits(true), Gauge.ZERO, limitBytes, largest, largestFree, timeHeld, 0, 0);
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

  /** Counts the chunks that came since the last region began. */
  private void endRegion() {
    if (!regions.isEmpty()) {
      MemoryMap.RegionEntry last = regions.removeLast();
      regions.add(new MemoryMap.RegionEntry(last.address(), last.bytes(), last.firstChunk(),
        chunks.count() - last.firstChunk()));
    }
  }
}
