package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.CairnArena;
import dev.cairn.benchmarks.allocator.workload.LiveChunks;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Locale;

/** What Cairn's allocator costs in Java objects: for each operation, for each chunk, for each byte that it manages. */
final class HeapTable implements FigureTable {
  private static final Goal NONE = Goal.atMost(0);
  private static final Goal A_CHUNK = Goal.atMost(48);
  private static final Goal PERCENT_OF_MAPPED = Goal.atMost(0.2);
  private static final int LIVE = 10_000;
  private static final int WARMUPS = 20;
  private static final int TIMES = 5;
  private static final long PAIR_BYTES = 1024;
  private static final long CHUNK_BYTES = 256;
  private static final long MAPPED_BYTES = 64L << 30;

  @Override
  public String name() {
    return "heap";
  }

  @Override
  public long heapBytes(Effort effort) {
    return effort.held() * JavaHeap.BYTES_A_CHUNK;
  }

  @Override
  public Section measured(Effort effort) {
    long pair;
    long replace;
    try (CairnArena arena = CairnArena.open()) {
      pair = JavaHeap.bytesMadeBy(() -> pairs(arena, effort.replaced()), WARMUPS, TIMES);
      var chunks = new LiveChunks(LIVE);
      chunks.fill(arena);
      replace = JavaHeap.bytesMadeBy(() -> chunks.replace(arena, effort.replaced()), WARMUPS, TIMES);
    }
    // The first time, what an earlier table left may go with the chunks and be taken for theirs.
    bytesOfChunks(effort.held(), CHUNK_BYTES);
    // To a tenth: what each page of rows has beside them is a part of what is allowed for mapped bytes.
    double perChunk = Math.round(10.0 * bytesOfChunks(effort.held(), CHUNK_BYTES) / effort.held()) / 10.0;
    double percent = 100.0 * bytesOfChunks(1, MAPPED_BYTES) / MAPPED_BYTES;
    var table = new MarkdownTable("Java heap", "bytes", "goal")
      .row("pairs of 1 KiB", Long.toString(pair), NONE.toString())
      .row("replacements, %s live".formatted(LiveTable.count(LIVE)), Long.toString(replace), NONE.toString())
      .row("a chunk, of %s".formatted(LiveTable.count(effort.held())), String.format(Locale.ROOT, "%.1f", perChunk),
        A_CHUNK.toString())
      .row("of mapped bytes, %", String.format(Locale.ROOT, "%.6f", percent), PERCENT_OF_MAPPED.toString());
    System.err.printf(Locale.ROOT, "heap: pair=%dB replace=%dB chunk=%.1fB mapped=%.6f%%%n", pair, replace, perChunk,
      percent);
    return new Section("Java heap", text(effort), table,
      List.of(Figure.judged("heap-bytes", (double) Math.max(pair, replace), 0, NONE),
        Figure.judged("bytes/chunk", perChunk, 1, A_CHUNK), Figure.judged("%mapped", percent, 4, PERCENT_OF_MAPPED)));
  }

  private static void pairs(CairnArena arena, int times) {
    for (int i = times; i > 0; i--) {
      arena.release(arena.grant(PAIR_BYTES));
    }
  }

  /** What goes when they go. */
  private static long bytesOfChunks(int count, long bytes) {
    return Math.max(0, usedWith(count, bytes) - JavaHeap.usedBytes());
  }

  private static long usedWith(int count, long bytes) {
    CairnArena arena = CairnArena.open();
    try {
      for (int i = 0; i < count; i++) {
        arena.grant(bytes);
      }
      return JavaHeap.usedBytes();
    } finally {
      Reference.reachabilityFence(arena);
      arena.close();
    }
  }

  private static String text(Effort effort) {
    return """
      Bytes that a thread allocates on the Java heap in %s operations, once they are compiled: the most of %d times.
      Then what is left on the heap after a collection when %s chunks of 256 B are held, divided by their number; and
      when one chunk of 64 GiB is held, as a part of those.
      """.formatted(LiveTable.count(effort.replaced()), TIMES, LiveTable.count(effort.held()));
  }
}
