package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.bfc.NaiveBfc.Chunk;
import dev.cairn.allocator.bfc.NaiveBfc.Place;
import java.util.List;

/** The figures, each counted anew from all chunks after every change: a part of {@link NaiveBfc}. */
final class NaiveFigures {
  /** A figure that is told its value after every change. */
  private static final class Followed {
    private long now;
    private long peak;
    private long total;

    void is(long value) {
      total += Math.max(0, value - now);
      peak = Math.max(peak, value);
      now = value;
    }

    void clear() {
      peak = now;
      total = 0;
    }

    Gauge gauge() {
      return new Gauge(now, peak, total);
    }
  }

  private static final class FollowedBlocks {
    final Followed count = new Followed();
    final Followed bytes = new Followed();
    final Followed requested = new Followed();

    void follow(List<Place> places, long above, long most) {
      long countNow = 0;
      long bytesNow = 0;
      long requestedNow = 0;
      for (Place place : places) {
        for (Chunk chunk : place.chunks) {
          if (!chunk.isFree() && chunk.bytes > above && chunk.bytes <= most) {
            countNow++;
            bytesNow += chunk.bytes;
            requestedNow += chunk.requested;
          }
        }
      }
      count.is(countNow);
      bytes.is(bytesNow);
      requested.is(requestedNow);
    }

    void clear() {
      count.clear();
      bytes.clear();
      requested.clear();
    }

    AllocatorStats.Blocks blocks() {
      return new AllocatorStats.Blocks(count.gauge(), bytes.gauge(), requested.gauge());
    }
  }

  private static final long SMALL = 1 << 20;

  private final long limit;
  private final FollowedBlocks all = new FollowedBlocks();
  private final FollowedBlocks small = new FollowedBlocks();
  private final FollowedBlocks large = new FollowedBlocks();
  private final Followed pool = new Followed();
  private final Followed regions = new Followed();
  private final Followed splits = new Followed();
  private final Followed splitBytes = new Followed();
  private final Followed bypass = new Followed();
  private long largest;
  private long refusals;
  private long reserves;

  NaiveFigures(long limit) {
    this.limit = limit;
  }

  void granted(long bytes) {
    largest = Math.max(largest, bytes);
  }

  void reserved() {
    reserves++;
  }

  void refused() {
    refusals++;
  }

  long inUse(List<Place> places) {
    return places.stream().flatMap(place -> place.chunks.stream()).filter(chunk -> !chunk.isFree())
      .mapToLong(chunk -> chunk.bytes).sum();
  }

  /** Whether the pool could have {@code bytes} more, were all that is free given back, and would then peak. */
  boolean wouldPeak(List<Place> places, long bytes) {
    return bytes > pool.peak - pool.now && bytes <= limit - inUse(places);
  }

  void follow(List<Place> places) {
    all.follow(places, 0, Long.MAX_VALUE);
    small.follow(places, 0, SMALL);
    large.follow(places, SMALL, Long.MAX_VALUE);
    long poolNow = 0;
    long regionsNow = 0;
    long splitsNow = 0;
    long splitBytesNow = 0;
    long bypassNow = 0;
    for (Place place : places) {
      poolNow += place.bytes();
      regionsNow += place.parts.size();
      bypassNow += place.isReserved ? place.bytes() : 0;
      for (Chunk chunk : place.chunks) {
        boolean isSplit = chunk.isFree() && place.chunks.size() > 1;
        splitsNow += isSplit ? 1 : 0;
        splitBytesNow += isSplit ? chunk.bytes : 0;
      }
    }
    pool.is(poolNow);
    regions.is(regionsNow);
    splits.is(splitsNow);
    splitBytes.is(splitBytesNow);
    bypass.is(bypassNow);
  }

  /** All figures; memory freed at {@code heldFrom} or later is held by time. */
  AllocatorStats stats(List<Place> places, long heldFrom) {
    long largestFree = 0;
    long timeHeld = 0;
    for (Place place : places) {
      for (Chunk chunk : place.chunks) {
        largestFree = chunk.isFree() ? Math.max(largestFree, chunk.bytes) : largestFree;
        timeHeld += chunk.isFree() && chunk.freedAt >= heldFrom ? chunk.bytes : 0;
      }
    }
    return new AllocatorStats(all.blocks(), small.blocks(), large.blocks(), pool.gauge(), regions.gauge(),
      splits.gauge(), splitBytes.gauge(), bypass.gauge(), limit, largest, largestFree, timeHeld, refusals, reserves, 0);
  }

  void clear() {
    for (FollowedBlocks blocks : List.of(all, small, large)) {
      blocks.clear();
    }
    for (Followed one : List.of(pool, regions, splits, splitBytes, bypass)) {
      one.clear();
    }
    largest = 0;
    refusals = 0;
    reserves = 0;
  }
}
