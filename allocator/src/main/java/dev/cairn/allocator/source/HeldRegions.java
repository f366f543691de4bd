package dev.cairn.allocator.source;

import java.util.HashMap;
import java.util.Map;

/**
 * The regions that a source has given out, each with what must be done to give its memory back. Safe for use by many
 * threads.
 */
class HeldRegions {
  private final Map<Long, Held> byAddress = new HashMap<>();
  private long bytes;

  private record Held(Region region, Runnable giveBack) {}

  synchronized Region hold(Region region, Runnable giveBack) {
    byAddress.put(region.address(), new Held(region, giveBack));
    bytes += region.bytes();
    return region;
  }

  /** Forgets a region after its memory has gone back; when that fails, the region stays held. */
  synchronized void release(Region region) {
    Held held = byAddress.get(region.address());
    // The regions are compared by identity: an earlier region, already released, may have had the same range.
    if (held == null || held.region() != region) {
      throw new IllegalArgumentException("region is not held by this source: " + region);
    }
    held.giveBack().run();
    byAddress.remove(region.address());
    bytes -= region.bytes();
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized int count() {
    return byAddress.size();
  }
}
