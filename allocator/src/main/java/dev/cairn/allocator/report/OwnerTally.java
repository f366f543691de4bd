package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Adds up what each owner holds of some chunks, and finds those who hold most. */
final class OwnerTally {
  // Implementation note. There may be as many owners as chunks, a million. So one long an owner is all that is added up
  // for everyone; the rest is added up in a second pass, for those few who hold most.

  private final MemoryMap map;
  private final int[] chunks;
  private final long[] bytes;
  private int count;

  /**
   * Counts {@code chunks}, all of them in use.
   *
   * @param chunks in order of address
   */
  OwnerTally(MemoryMap map, int[] chunks) {
    this.map = map;
    this.chunks = chunks;
    bytes = new long[map.owners().size()];
    for (int chunk : chunks) {
      int owner = map.ownerNumber(chunk);
      count += bytes[owner] == 0 ? 1 : 0;
      bytes[owner] += map.bytes(chunk);
    }
  }

  /** Counts every chunk in use. */
  OwnerTally(MemoryMap map) {
    this(map, inUse(map));
  }

  private static int[] inUse(MemoryMap map) {
    int[] chunks = new int[map.chunkCount()];
    int count = 0;
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      if (map.isInUse(chunk)) {
        chunks[count++] = chunk;
      }
    }
    return Arrays.copyOf(chunks, count);
  }

  /** How many owners hold something. */
  int count() {
    return count;
  }

  /** Those who hold most, at most {@code most} of them; of equals the one with the lower number comes first. */
  List<OwnerShare> largest(int most) {
    int[] top = new int[Math.min(most, count)];
    int found = 0;
    for (int owner = 0; owner < bytes.length && top.length > 0; owner++) {
      if (bytes[owner] > (found < top.length ? 0 : bytes[top[found - 1]])) {
        found = Math.min(found + 1, top.length);
        int place = found - 1;
        for (; place > 0 && bytes[owner] > bytes[top[place - 1]]; place--) {
          top[place] = top[place - 1];
        }
        top[place] = owner;
      }
    }
    return shares(top);
  }

  private List<OwnerShare> shares(int[] top) {
    int[] blocks = new int[top.length];
    long[] requestedBytes = new long[top.length];
    int[] oldest = new int[top.length];
    long leastBytes = top.length == 0 ? Long.MAX_VALUE : bytes[top[top.length - 1]];
    for (int chunk : chunks) {
      int place = bytes[map.ownerNumber(chunk)] < leastBytes ? -1 : indexOf(map.ownerNumber(chunk), top);
      if (place >= 0) {
        if (blocks[place] == 0 || map.allocationId(chunk) < map.allocationId(oldest[place])) {
          oldest[place] = chunk;
        }
        blocks[place]++;
        requestedBytes[place] += map.requestedBytes(chunk);
      }
    }
    List<OwnerShare> shares = new ArrayList<>();
    for (int place = 0; place < top.length; place++) {
      shares.add(new OwnerShare(map.owners().get(top[place]), blocks[place], bytes[top[place]], requestedBytes[place],
        map.step(oldest[place]), map.allocationId(oldest[place])));
    }
    return List.copyOf(shares);
  }

  private static int indexOf(int owner, int[] top) {
    for (int place = 0; place < top.length; place++) {
      if (top[place] == owner) {
        return place;
      }
    }
    return -1;
  }
}
