package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.allocator.workload.ReplaceWorkload;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** How much slower Cairn becomes with ever more chunks. */
final class GrowthTable implements FigureTable {
  private static final Goal GOAL = Goal.atMost(9);
  private static final String TEXT = """
    Replacing one of the chunks that are held, as above, for Cairn alone: the ratio is to the time with the fewest.
    All sizes take turns in each round.
    """;

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public long heapBytes(Effort effort) {
    return effort.held() * JavaHeap.BYTES_A_CHUNK;
  }

  @Override
  public Section measured(Effort effort) {
    var timer = new JmhTimer(effort);
    List<Integer> held = new ArrayList<>(effort.live());
    held.add(effort.held());
    List<DoubleSupplier> contestants = new ArrayList<>();
    held.forEach(live -> contestants.add(() -> timer.single(
      Trial.of(ReplaceWorkload.class, ArenaKind.CAIRN, effort.replaced(live)).with("live", live))));
    Rounds played = Rounds.played(effort.rounds(), contestants);
    var table = new MarkdownTable("chunks held", "replace, ns", "ratio (spread)", "goal");
    for (int i = 0; i < held.size(); i++) {
      table.row(LiveTable.count(held.get(i)), Contest.nanos(played.of(i)), played.ratios(i, 0).withSpread(),
        i == held.size() - 1 ? GOAL.toString() : "");
    }
    Sample ratios = played.ratios(held.size() - 1, 0);
    System.err.printf(Locale.ROOT, "growth: held=%d replace=%.1fns ratio=%s%n", effort.held(),
      played.of(held.size() - 1).median(), ratios
        .withSpread());
    return new Section("Growth", TEXT, table, List.of(
      Figure.judged("replace@%d/%d".formatted(effort.held(), held.get(0)), ratios.median(), 2, GOAL)));
  }
}
