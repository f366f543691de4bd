package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.Arena;
import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.allocator.arena.CairnArena;
import dev.cairn.benchmarks.allocator.workload.LiveChunks;
import org.HdrHistogram.Histogram;

/**
 * The times of single operations. Not an arena that wraps another: a third kind of arena would make every loop over
 * arenas slower.
 */
final class OperationTimes {
  /** Taken first and given back, so that no region is added later. */
  private static final long ROOM_BYTES = 1L << 30;
  private static final long LONGEST_NANOS = 10_000_000_000L;
  private static final int DIGITS = 3;

  private OperationTimes() {}

  /**
   * Those of a new arena, requests and releases alike.
   *
   * @throws IllegalStateException when the pool grew meanwhile
   */
  static Histogram of(ArenaKind kind, Effort effort) {
    try (Arena arena = kind.open()) {
      arena.release(arena.grant(ROOM_BYTES));
      var chunks = new LiveChunks(effort.tailLive());
      chunks.fill(arena);
      chunks.replace(arena, effort.replaced());
      long poolBytes = poolBytes(arena);
      Histogram nanos = timed(arena, chunks, effort.replaced());
      if (poolBytes(arena) != poolBytes) {
        throw new IllegalStateException("the pool grew while operations were timed: before=%d after=%d".formatted(
          poolBytes, poolBytes(arena)));
      }
      return nanos;
    }
  }

  private static Histogram timed(Arena arena, LiveChunks chunks, int times) {
    var nanos = new Histogram(LONGEST_NANOS, DIGITS);
    for (int i = 0; i < times; i++) {
      int place = chunks.place();
      long token = chunks.token(place);
      long bytes = chunks.bytes();
      long begin = System.nanoTime();
      arena.release(token);
      long between = System.nanoTime();
      token = arena.grant(bytes);
      long end = System.nanoTime();
      chunks.put(place, token);
      record(nanos, between - begin);
      record(nanos, end - between);
    }
    return nanos;
  }

  /** Those of nothing. */
  static Histogram ofTheTimer(int times) {
    var nanos = new Histogram(LONGEST_NANOS, DIGITS);
    for (int i = 0; i < times; i++) {
      long begin = System.nanoTime();
      long between = System.nanoTime();
      long end = System.nanoTime();
      record(nanos, between - begin);
      record(nanos, end - between);
    }
    return nanos;
  }

  private static void record(Histogram nanos, long value) {
    nanos.recordValue(Math.min(value, LONGEST_NANOS));
  }

  /** ONNX Runtime's pool is not asked: it began with as much room. */
  private static long poolBytes(Arena arena) {
    return arena instanceof CairnArena cairn ? cairn.poolBytes() : 0;
  }
}
