package dev.cairn.allocator.source;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A reserved range of addresses, of which parts are taken and given back. Takes the lowest part that fits, so that
 * parts adjoin. For one thread at a time.
 */
final class AddressRange {
  /** Returned where no part is long enough. */
  static final long NONE = -1;

  /** Lengths of the free parts by their first address; no two adjoin. */
  private final TreeMap<Long, Long> free = new TreeMap<>();

  AddressRange(long address, long bytes) {
    free.put(address, bytes);
  }

  long take(long bytes) {
    Map.Entry<Long, Long> part = lowestOfAtLeast(bytes);
    if (part == null) {
      return NONE;
    }
    long address = part.getKey();
    long rest = part.getValue() - bytes;
    free.remove(address);
    if (rest > 0) {
      free.put(address + bytes, rest);
    }
    return address;
  }

  private Map.@Nullable Entry<Long, Long> lowestOfAtLeast(long bytes) {
    for (Map.Entry<Long, Long> part : free.entrySet()) {
      if (part.getValue() >= bytes) {
        return part;
      }
    }
    return null;
  }

  void giveBack(long address, long bytes) {
    long first = address;
    long length = bytes;
    Map.Entry<Long, Long> before = free.floorEntry(address);
    if (before != null && before.getKey() + before.getValue() == address) {
      first = before.getKey();
      length += before.getValue();
    }
    Long after = free.remove(address + bytes);
    if (after != null) {
      length += after;
    }
    free.put(first, length);
  }
}
