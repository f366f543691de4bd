package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up the bytes that each owner holds in some chunks, and finds the owners that hold most. */
final class OwnerTally {
  // Implementation note. There may be as many owners as chunks, a million. So the first pass adds up only one long for
  // each owner; a second pass adds up the rest for the few owners that hold most.

  private final MemoryMap map;
  /** Null for all of the map's: a list of a million would take as long as the sums. */
  private final int @Nullable [] some;
  private final long[] bytes;
  private int count;

  /** Counts every chunk in use, or only some, in order of address. */
  private OwnerTally(MemoryMap map, int @Nullable [] some) {
    this.map = map;
    this.some = some;
    bytes = new long[map.owners().size()];
    for (int i = 0; i < size(); i++) {
      int chunk = chunk(i);
      if (map.isInUse(chunk)) {
        int owner = map.ownerNumber(chunk);
        count += bytes[owner] == 0 ? 1 : 0;
        bytes[owner] += map.bytes(chunk);
      }
    }
  }

  static OwnerTally of(MemoryMap map, int[] chunks) {
    return new OwnerTally(map, chunks);
  }

  static OwnerTally of(MemoryMap map) {
    return new OwnerTally(map, null);
  }

  private int size() {
    return some == null ? map.chunkCount() : some.length;
  }

  private int chunk(int index) {
    return some == null ? index : some[index];
  }

  /** How many owners hold something. */
  int count() {
    return count;
  }

  /** The owners that hold most, at most {@code most} of them; of equals, the one with the lower number comes first. */
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
    for (int i = 0; i < size(); i++) {
      int chunk = chunk(i);
      int place = bytes[map.ownerNumber(chunk)] < leastBytes ? -1 : indexOf(map.ownerNumber(chunk), top);
      if (place >= 0 && map.isInUse(chunk)) {
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
