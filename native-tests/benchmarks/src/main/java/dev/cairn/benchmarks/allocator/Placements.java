package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.Arena;
import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.allocator.workload.IsolatedChunks;
import dev.cairn.benchmarks.allocator.workload.LiveChunks;

/**
 * Where an arena put each chunk of one sequence of requests, as offsets from where its memory began.
 *
 * <p>Two arenas can be compared where each has one region and nothing else. So that they have, a request for the whole
 * region comes first, which neither has yet; and small ones then fill what lay about before it.
 */
final class Placements {
  /** Chunks of mixed sizes that are live at a time. */
  static final int LIVE = 10_000;
  private static final long REGION_BYTES = 512L << 20;
  private static final long FILLER_BYTES = 256;

  private final Arena arena;
  private final long begin;
  private final long[] offsets;
  private int count;

  private Placements(Arena arena, int capacity) {
    this.arena = arena;
    this.begin = newRegion(arena);
    this.offsets = new long[capacity];
  }

  /** The placements of a new arena. */
  static Placements of(ArenaKind kind, Effort effort) {
    try (Arena arena = kind.open()) {
      var placements = new Placements(arena, effort.searches() + LIVE + effort.replaced());
      placements.search(effort);
      placements.replace(effort);
      return placements;
    }
  }

  private void search(Effort effort) {
    IsolatedChunks.make(arena, effort.isolated());
    for (int i = 0; i < effort.searches(); i++) {
      granted(IsolatedChunks.WANTED_BYTES);
    }
  }

  private void replace(Effort effort) {
    var chunks = new LiveChunks(LIVE);
    for (int place = 0; place < LIVE; place++) {
      chunks.put(place, granted(chunks.bytes()));
    }
    for (int i = 0; i < effort.replaced(); i++) {
      int place = chunks.place();
      arena.release(chunks.token(place));
      chunks.put(place, granted(chunks.bytes()));
    }
  }

  private long granted(long bytes) {
    long token = arena.grant(bytes);
    offsets[count++] = arena.addressOf(token) - begin;
    return token;
  }

  /** The place at which the region begins. */
  private static long newRegion(Arena arena) {
    long whole = arena.grant(REGION_BYTES);
    long begin = arena.addressOf(whole);
    arena.release(whole);
    long filler = arena.grant(FILLER_BYTES);
    while (Long.compareUnsigned(arena.addressOf(filler) - begin, REGION_BYTES) >= 0) {
      filler = arena.grant(FILLER_BYTES);
    }
    arena.release(filler);
    return begin;
  }

  int count() {
    return count;
  }

  /** How many of them lie at the same offset as the other's. */
  int sameAs(Placements other) {
    int same = 0;
    for (int i = 0; i < Math.min(count, other.count); i++) {
      same += offsets[i] == other.offsets[i] ? 1 : 0;
    }
    return same;
  }
}
