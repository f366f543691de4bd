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
  private static final long WARM_NANOS = 50_000_000;
  private static final long NOTHING_NANOS = 25_000_000;

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
        () -> longestMillis(arena, arena::memoryMap), () -> longestMillis(arena, ReportTable::nothing));
      Rounds played = Rounds.played(effort.rounds(), contestants);
      var table = new MarkdownTable("step", "ms", "longest, ms", "goal");
      List<Figure> figures = List.of(Figure.told("map-ms", played.of(0).median(), 2),
        Figure.judged("report-ms", played.of(1).median(), 2, BUILD_MILLIS),
        Figure.judged("pause-ms", played.of(2).median(), 2, PAUSE_MILLIS),
        Figure.told("no-pause-ms", played.of(3).median(), 2));
      List<String> steps = List.of("memory map", "refused request: map and report",
        "longest grant and release of another thread meanwhile", "the same for as long, without a map");
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

  /**
   * The longest that another thread waits for a grant and its release while something is done. The collector has run
   * before: when it next stops all threads is the matter of the JVM and its options. Both threads have run side by side
   * for some time slices by then: one that slept until the other woke it may be given the other's processor.
   */
  private static double longestMillis(CairnArena arena, Runnable done) {
    System.gc();
    var begun = new AtomicBoolean();
    var ended = new AtomicBoolean();
    var longest = new AtomicLong();
    Thread other = Thread.ofPlatform().start(() -> {
      while (!ended.get()) {
        long begin = System.nanoTime();
        arena.release(arena.grant(PAIR_BYTES));
        if (begun.get()) {
          longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
        }
      }
    });
    try {
      spin(WARM_NANOS);
      begun.set(true);
      done.run();
    } finally {
      ended.set(true);
    }
    try {
      other.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while another thread grants", e);
    }
    return longest.get() / 1e6;
  }

  /** Nothing, for about as long as a map takes. */
  private static void nothing() {
    spin(NOTHING_NANOS);
  }

  private static void spin(long nanos) {
    for (long begin = System.nanoTime(); System.nanoTime() - begin < nanos;) {
      Thread.onSpinWait();
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
      %s chunks of mixed sizes are live, and %s were replaced before. The memory map is what a report is made from. It
      is read from a snapshot, without the lock. What others wait is below, with all that the machine adds, which the
      last row shows by itself; the collector has just run.
      """
      .formatted(LiveTable.count(effort.mostLive()), LiveTable.count(effort.replaced()));
  }
}
