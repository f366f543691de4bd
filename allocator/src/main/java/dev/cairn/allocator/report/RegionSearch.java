package dev.cairn.allocator.report;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import java.util.Arrays;
import java.util.List;

/**
 * Finds regions that, once they are empty and have gone back to their source, leave room for a region of a request's
 * size. Tries the single cheapest region, and the regions with the smallest part in use, without the ones that are not
 * needed.
 */
final class RegionSearch {
  private final MemoryMap map;
  private final List<MemoryMap.RegionEntry> regions;
  private final long[] bytesInUse;
  private final int[] blocks;
  private final boolean timed;
  private int[] chosen = {};
  private long chosenBytes;
  private int chosenBlocks;

  RegionSearch(OutOfMemory failure) {
    map = failure.memoryMap();
    regions = map.regions();
    timed = failure.request().freedBefore() != AllocationRequest.ANY_TIME;
    bytesInUse = new long[regions.size()];
    blocks = new int[regions.size()];
    for (int region = 0; region < bytesInUse.length; region++) {
      measure(region);
    }
    choose(neededBytes(failure));
  }

  boolean isFound() {
    return chosen.length > 0;
  }

  long bytesInUse() {
    return chosenBytes;
  }

  int blocks() {
    return chosenBlocks;
  }

  ReleasingSet set() {
    int[] inUse = new int[chosenBlocks];
    int[] ranges = new int[2 * chosen.length];
    int count = 0;
    for (int i = 0; i < chosen.length; i++) {
      int firstChunk = regions.get(chosen[i]).firstChunk();
      ranges[2 * i] = firstChunk;
      ranges[2 * i + 1] = endChunk(chosen[i]) - 1;
      for (int chunk = firstChunk; chunk < endChunk(chosen[i]); chunk++) {
        if (map.isInUse(chunk)) {
          inUse[count++] = chunk;
        }
      }
    }
    return new ReleasingSet(map, ReleasingSet.Way.REGIONS, inUse, ranges, timed && count > 0);
  }

  /** How many bytes must go back to the source. */
  private static long neededBytes(OutOfMemory failure) {
    AllocatorStats stats = failure.memoryMap().stats();
    long paddingBytes = Math.max(0, failure.request().alignmentBytes() - Alignment.CHUNK_BYTES);
    long wantedBytes = Math.max(failure.requestedBytes(), failure.roundedBytes());
    if (wantedBytes > Long.MAX_VALUE / 2 - paddingBytes) {
      return Long.MAX_VALUE;
    }
    wantedBytes += paddingBytes;
    // A source may have less than the limit still allows, and then refuses. The requests shrink by tenths, so they are
    // sure to reach the bytes of the source only if these are a tenth more than the wanted bytes.
    return failure.reason() == OutOfMemory.Reason.SOURCE_REFUSED
      ? wantedBytes + wantedBytes / 9 + Alignment.CHUNK_BYTES
      : wantedBytes - Alignment.down(Math.max(0, stats.unreservedBytes()), Alignment.CHUNK_BYTES);
  }

  private void measure(int region) {
    for (int chunk = regions.get(region).firstChunk(); chunk < endChunk(region); chunk++) {
      if (map.isInUse(chunk)) {
        bytesInUse[region] += map.bytes(chunk);
        blocks[region]++;
      }
    }
  }

  private int endChunk(int region) {
    return regions.get(region).firstChunk() + regions.get(region).chunkCount();
  }

  private void choose(long neededBytes) {
    long poolBytes = regions.stream().mapToLong(MemoryMap.RegionEntry::bytes).sum();
    if (neededBytes <= 0 || neededBytes > poolBytes) {
      return;
    }
    int[] several = emptiest(neededBytes);
    int one = cheapestOf(neededBytes);
    chosen = one >= 0 && costsLess(new int[] {one}, several) ? new int[] {one} : several;
    chosenBytes = sum(chosen, bytesInUse);
    chosenBlocks = Arrays.stream(chosen).map(it -> blocks[it]).sum();
  }

  /** The region that is enough by itself and has the fewest bytes in use; -1 if there is none. */
  private int cheapestOf(long neededBytes) {
    int best = -1;
    for (int region = 0; region < bytesInUse.length; region++) {
      if (regions.get(region).bytes() >= neededBytes && (best < 0 || bytesInUse[region] < bytesInUse[best]
        || (bytesInUse[region] == bytesInUse[best] && blocks[region] < blocks[best]))) {
        best = region;
      }
    }
    return best;
  }

  /**
   * Takes regions by the part that is in use, smallest first, until they are enough; then drops the regions that are
   * not needed.
   */
  private int[] emptiest(long neededBytes) {
    long[] order = new long[bytesInUse.length];
    for (int region = 0; region < order.length; region++) {
      long part = (long) ((double) bytesInUse[region] / regions.get(region).bytes() * Integer.MAX_VALUE);
      order[region] = part << Integer.SIZE | region;
    }
    Arrays.sort(order);
    int[] taken = new int[order.length];
    int count = 0;
    long bytes = 0;
    while (bytes < neededBytes) {
      taken[count] = (int) order[count];
      bytes += regions.get(taken[count++]).bytes();
    }
    int kept = 0;
    int[] keptRegions = new int[count];
    for (int i = count - 1; i >= 0; i--) {
      long without = bytes - regions.get(taken[i]).bytes();
      if (without >= neededBytes) {
        bytes = without;
      } else {
        keptRegions[kept++] = taken[i];
      }
    }
    int[] answer = Arrays.copyOf(keptRegions, kept);
    Arrays.sort(answer);
    return answer;
  }

  private boolean costsLess(int[] these, int[] those) {
    int compared = Long.compare(sum(these, bytesInUse), sum(those, bytesInUse));
    return compared < 0 || (compared == 0 && these.length < those.length);
  }

  private static long sum(int[] regions, long[] values) {
    return Arrays.stream(regions).mapToLong(it -> values[it]).sum();
  }
}
