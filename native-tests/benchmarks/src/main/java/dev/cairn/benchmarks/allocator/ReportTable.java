package dev.cairn.benchmarks.allocator;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.benchmarks.allocator.arena.CairnArena;
import dev.cairn.benchmarks.allocator.workload.LiveChunks;
import dev.cairn.benchmarks.harness.MarkdownTable;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** How long it takes to say why memory ran out, and for how long everyone else waits meanwhile. */
final class ReportTable implements FigureTable {
  private static final Goal BUILD_MILLIS = Goal.atMost(50);

  @Override
  public String name() {
    return "report";
  }

  @Override
  public Section measured(Effort effort) {
    try (CairnArena arena = CairnArena.open()) {
      var chunks = new LiveChunks(effort.mostLive());
      chunks.fill(arena);
      chunks.replace(arena, effort.replaced());
      List<DoubleSupplier> contestants = List.of(() -> mapMillis(arena, chunks.count()));
      Rounds played = Rounds.played(effort.rounds(), contestants);
      double millis = played.of(0).median();
      System.err.printf(Locale.ROOT, "report: map=%.2fms%n", millis);
      var table = new MarkdownTable("step", "ms", "longest, ms", "goal").row("memory map", milliseconds(millis),
        milliseconds(played.of(0).max()), BUILD_MILLIS.toString());
      return new Section("Why memory ran out", text(effort), table,
        List.of(Figure.judged("map-ms", millis, 2, BUILD_MILLIS)));
    }
  }

  private static double mapMillis(CairnArena arena, int live) {
    long begin = System.nanoTime();
    MemoryMap map = arena.memoryMap();
    double millis = (System.nanoTime() - begin) / 1e6;
    if (map.stats().liveCount() != live) {
      throw new IllegalStateException("the map is of something else: live=%d map=%d".formatted(live, map.stats()
        .liveCount()));
    }
    return millis;
  }

  private static String milliseconds(double millis) {
    return String.format(Locale.ROOT, "%.2f", millis);
  }

  private static String text(Effort effort) {
    return """
      %s chunks of mixed sizes are live, and %s were replaced before. The memory map is what a report is made from;
      everyone else waits while it is taken.
      """.formatted(LiveTable.count(effort.mostLive()), LiveTable.count(effort.replaced()));
  }
}
