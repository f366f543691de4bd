package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.CairnPool;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What a pool gives back after a spike, and whether the same sequence has the same fate each time. */
final class ReleaseTable implements FigureTable {
  private static final Goal KEPT = Goal.atMost(1.1);
  private static final Goal NONE = Goal.atMost(0);
  private static final int ROUNDS = 1000;
  private static final String TEXT = """
    Some 128 MiB are live and ten times as much for a moment; what is idle for 100 ms is given back in the background.
    The pool grows as requested, splits exactly and collects before growth. Reserved over live bytes is read a second
    after the spike. Then a thousand rounds of one sequence of a thousand calls, over the default options: in how many
    of them reserved bytes were other than after the second.
    """;

  @Override
  public String name() {
    return "release";
  }

  @Override
  public Section measured(Effort effort) {
    double kept;
    try {
      kept = CairnPool.keptAfterSpike(Duration.ofSeconds(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the pool to shrink", e);
    }
    int differing = CairnPool.roundsThatDiffer(ROUNDS);
    System.err.printf(Locale.ROOT, "release: kept=%.3f differing=%d%n", kept, differing);
    var table = new MarkdownTable("what", "figure", "goal")
      .row("reserved / live, 1 s after a spike of 10 times", String.format(Locale.ROOT, "%.3f", kept), KEPT.toString())
      .row("rounds of %d that differ from the second".formatted(ROUNDS), Integer.toString(differing), NONE.toString());
    return new Section("Giving back", TEXT, table, List.of(Figure.judged("kept", kept, 3, KEPT),
      Figure.judged("differing", differing, 0, NONE)));
  }
}
