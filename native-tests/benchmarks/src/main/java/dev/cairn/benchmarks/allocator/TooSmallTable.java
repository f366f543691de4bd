package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.allocator.workload.IsolatedChunks;
import dev.cairn.benchmarks.allocator.workload.TooSmallWorkload;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;
import java.util.Locale;

/** The worst case of a bin that is searched from its beginning, and whether both search with the same result. */
final class TooSmallTable implements FigureTable {
  private static final Goal SPEEDUP = Goal.atLeast(1000);
  private static final int CAIRN_FASTER = 2000;

  @Override
  public String name() {
    return "small";
  }

  @Override
  public Section measured(Effort effort) {
    var timer = new JmhTimer(effort);
    // One side is thousands of times as fast. It does as many times more operations, so that both take long enough to
    // be timed.
    Rounds played = Rounds.played(effort.rounds(), List.of(
      () -> timer.single(trial(ArenaKind.CAIRN, effort.searches() * CAIRN_FASTER, effort)),
      () -> timer.single(trial(ArenaKind.ORT, effort.searches(), effort))));
    Sample speedups = played.ratios(1, 0);
    System.err.printf(Locale.ROOT, "too small: cairn=%.1fns ort=%.1fns speedup=%.0f%n", played.of(0).median(),
      played.of(1).median(),
      speedups.median());
    Placements cairn = Placements.of(ArenaKind.CAIRN, effort);
    int same = cairn.sameAs(Placements.of(ArenaKind.ORT, effort));
    var table = new MarkdownTable("workload", "Cairn, ns", "ONNX Runtime, ns", "times as fast (spread)", "goal")
      .row("request past %s chunks".formatted(LiveTable.count(effort.isolated())), Contest.nanos(played.of(0)),
        Contest.nanos(played.of(1)), spread(speedups), SPEEDUP.toString());
    return new Section("Chunks that are too small", text(effort, same, cairn.count()), table, List.of(
      Figure.judged("too-small-speedup", speedups.median(), 0, SPEEDUP),
      Figure.judged("same-chunk", (double) same / cairn.count(), 6, Goal.atLeast(1))));
  }

  private static Trial trial(ArenaKind kind, int operations, Effort effort) {
    return Trial.of(TooSmallWorkload.class, kind, operations).with("isolated", effort.isolated()).with("batch",
      effort.searches());
  }

  private static String spread(Sample speedups) {
    return String.format(Locale.ROOT, "%.0f (%.0f..%.0f)", speedups.median(), speedups.min(), speedups.max());
  }

  private static String text(Effort effort, int same, int all) {
    return """
      %s free chunks of 1 KiB, each between two that are held; then %s B are wanted, which are looked for in the bin
      that these chunks are in. ONNX Runtime, like TensorFlow and XLA, passes all of them by. One operation is a
      request and its release, %d requests at a time before the releases.

      The same chunk must be chosen. Both allocators begin with one free region of 512 MiB and get the same calls: the
      case above with %d requests, and %s replacements among %s chunks of mixed sizes. What is compared is the offset
      of each chunk granted from the region's first byte: %s of %s are the same.
      """.formatted(LiveTable.count(effort.isolated()), LiveTable.count((int) IsolatedChunks.WANTED_BYTES),
      effort.searches(), effort.searches(), LiveTable.count(effort.replaced()), LiveTable.count(Placements.LIVE),
      LiveTable.count(same), LiveTable.count(all));
  }
}
