package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The same semantics written down as plainly as can be: lists, and every question answered by looking at all chunks.
 * Shares nothing with the allocator but the options' values.
 */
final class NaiveBfc {
  /** A range; {@code requested} is 0 when free. */
  static final class Chunk {
    long address;
    long bytes;
    long requested;

    Chunk(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
    }
  }

  private final SubAllocator source;
  private final BfcOptions options;
  private final List<List<Chunk>> regions = new ArrayList<>();
  private long next;
  private long count;
  private long peak;
  private long largest;
  private long pool;
  private long peakPool;

  NaiveBfc(SubAllocator source, BfcOptions options) {
    this.source = source;
    this.options = options;
    this.next = Math.min(options.firstRegionBytes(), options.limitBytes());
  }

  /** The chunk granted; null when there is none. */
  @Nullable
  Chunk allocate(long requested) {
    if (requested > Long.MAX_VALUE / 256 * 256) {
      return null;
    }
    long wanted = (requested - 1) / 256 * 256 + 256;
    Chunk best = best(wanted);
    if (best == null && extend(wanted)) {
      best = best(wanted);
    }
    if (best == null) {
      return null;
    }
    long slack = best.bytes - wanted;
    if (slack > 0 && options.split().splits(best.bytes, wanted)) {
      List<Chunk> region = regionOf(best);
      region.add(region.indexOf(best) + 1, new Chunk(best.address + wanted, slack));
      best.bytes = wanted;
    }
    best.requested = requested;
    count++;
    largest = Math.max(largest, best.bytes);
    peak = Math.max(peak, inUse());
    return best;
  }

  void free(Chunk chunk) {
    chunk.requested = 0;
    List<Chunk> region = regionOf(chunk);
    int at = region.indexOf(chunk);
    if (at + 1 < region.size() && region.get(at + 1).requested == 0) {
      chunk.bytes += region.remove(at + 1).bytes;
    }
    if (at > 0 && region.get(at - 1).requested == 0) {
      region.get(at - 1).bytes += region.remove(at).bytes;
    }
  }

  private @Nullable Chunk best(long wanted) {
    Chunk best = null;
    for (List<Chunk> region : regions) {
      for (Chunk chunk : region) {
        boolean fits = chunk.requested == 0 && chunk.bytes >= wanted;
        if (fits && (best == null || chunk.bytes < best.bytes
          || (chunk.bytes == best.bytes && chunk.address < best.address))) {
          best = chunk;
        }
      }
    }
    return best;
  }

  private List<Chunk> regionOf(Chunk chunk) {
    return regions.stream().filter(region -> region.contains(chunk)).findFirst().orElseThrow();
  }

  private boolean extend(long wanted) {
    long granule = source.granularityBytes();
    long available = Math.min(options.limitBytes() - pool, source.maximumRegionBytes()) / granule * granule;
    long least = (wanted + granule - 1) / granule * granule;
    if (wanted > available) {
      return false;
    }
    long proposed = switch (options.growth()) {
      case WHOLE -> options.limitBytes();
      case DOUBLING -> next;
      case AS_REQUESTED, BY_PAGE -> least;
    };
    boolean wasDoubled = false;
    while (proposed < wanted) {
      proposed *= 2;
      wasDoubled = true;
    }
    long bytes = (Math.min(proposed, available) + granule - 1) / granule * granule;
    Region region = source.allocate(bytes);
    while (region == null) {
      long fewer = (bytes - bytes / 10 + granule - 1) / granule * granule;
      bytes = fewer < bytes ? fewer : bytes - granule;
      if (bytes < least) {
        return false;
      }
      region = source.allocate(bytes);
    }
    next = wasDoubled ? proposed : 2 * proposed;
    place(region);
    pool += region.bytes();
    peakPool = Math.max(peakPool, pool);
    return true;
  }

  private void place(Region region) {
    for (List<Chunk> chunks : regions) {
      Chunk last = chunks.getLast();
      if (source.supportsCoalescing() && last.address + last.bytes == region.address()) {
        if (last.requested == 0) {
          last.bytes += region.bytes();
        } else {
          chunks.add(new Chunk(region.address(), region.bytes()));
        }
        return;
      }
    }
    regions.add(new ArrayList<>(List.of(new Chunk(region.address(), region.bytes()))));
  }

  private long inUse() {
    long sum = 0;
    for (List<Chunk> region : regions) {
      for (Chunk chunk : region) {
        sum += chunk.requested > 0 ? chunk.bytes : 0;
      }
    }
    return sum;
  }

  /** What the model counts. */
  record Figures(long count, long live, long inUse, long requested, long peak, long largest, long limit, long pool,
    long peakPool, long largestFree) {
    static Figures of(AllocatorStats stats) {
      return new Figures(stats.allocationCount(), stats.liveCount(), stats.bytesInUse(), stats.requestedBytesInUse(),
        stats.peakBytesInUse(), stats.largestBytes(), stats.limitBytes(), stats.poolBytes(), stats.peakPoolBytes(),
        stats.largestFreeBytes());
    }
  }

  Figures stats() {
    long live = 0;
    long requested = 0;
    long largestFree = 0;
    for (List<Chunk> region : regions) {
      for (Chunk chunk : region) {
        live += chunk.requested > 0 ? 1 : 0;
        requested += chunk.requested;
        largestFree = chunk.requested > 0 ? largestFree : Math.max(largestFree, chunk.bytes);
      }
    }
    return new Figures(count, live, inUse(), requested, peak, largest, options.limitBytes(), pool, peakPool,
      largestFree);
  }
}
