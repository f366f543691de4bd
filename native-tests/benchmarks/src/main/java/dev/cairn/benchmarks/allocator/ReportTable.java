package dev.cairn.benchmarks.allocator;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.benchmarks.allocator.arena.CairnArena;
import dev.cairn.benchmarks.allocator.workload.LiveChunks;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/** How long it takes to say why memory ran out, and for how long everyone else waits meanwhile. */
final class ReportTable implements FigureTable {
  private static final Goal BUILD_MILLIS = Goal.atMost(50);
  private static final Goal PAUSE_MILLIS = Goal.atMost(2);
  private static final long PAIR_BYTES = 1024;

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
      List<DoubleSupplier> contestants = List.of(() -> mapMillis(arena, chunks.count()), () -> reportMillis(arena),
        () -> pauseMillis(arena));
      Rounds played = Rounds.played(effort.rounds(), contestants);
      var table = new MarkdownTable("step", "ms", "longest, ms", "goal");
      List<Figure> figures = List.of(Figure.told("map-ms", played.of(0).median(), 2),
        Figure.judged("report-ms", played.of(1).median(), 2, BUILD_MILLIS),
        Figure.judged("pause-ms", played.of(2).median(), 2, PAUSE_MILLIS));
      List<String> steps = List.of("memory map", "refused request: map and report",
        "longest grant and release of another thread meanwhile");
      for (int i = 0; i < steps.size(); i++) {
        table.row(steps.get(i), milliseconds(played.of(i).median()), milliseconds(played.of(i).max()),
          figures.get(i).goal().map(Goal::toString).orElse(""));
        System.err.printf(Locale.ROOT, "report: %s%n", figures.get(i));
      }
      return new Section("Why memory ran out", text(effort), table, figures);
    }
  }

  private static double reportMillis(CairnArena arena) {
    long begin = System.nanoTime();
    String report = arena.refusalReport();
    double millis = (System.nanoTime() - begin) / 1e6;
    if (!report.contains("out of memory")) {
      throw new IllegalStateException("the report is of something else: " + report);
    }
    return millis;
  }

  /** The longest that another thread waits for a grant and its release while the map is made. */
  private static double pauseMillis(CairnArena arena) {
    var ended = new AtomicBoolean();
    var longest = new AtomicLong();
    Thread other = Thread.ofPlatform().start(() -> {
      while (!ended.get()) {
        long begin = System.nanoTime();
        arena.release(arena.grant(PAIR_BYTES));
        longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
      }
    });
    arena.memoryMap();
    ended.set(true);
    try {
      other.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the other thread ends", e);
    }
    return longest.get() / 1e6;
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
      %s chunks of mixed sizes are live, and %s were replaced before. The memory map is what a report is made from. It
      is read from a snapshot, without the lock: what others wait is in the last row, with all that the machine adds.
      """.formatted(LiveTable.count(effort.mostLive()), LiveTable.count(effort.replaced()));
  }
}
