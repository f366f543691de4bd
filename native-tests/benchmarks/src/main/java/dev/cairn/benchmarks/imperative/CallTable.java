package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** N1 to N3: the time of a small call. */
final class CallTable {
  private static final String TEXT = """
    Nanoseconds of `a.add(b)` on arrays of 16 floats, 1,000 in a row, medians. Time to the result includes giving
    results back: Cairn's by their scope, MXNet's handles one by one.
    """;
  private static final int BULK = 15;

  private CallTable() {}

  static Section measured(Optional<MxnetLibrary> mxnet, ImperativeEffort effort) {
    List<DoubleSupplier> contestants = new ArrayList<>();
    try (var additions = new Additions()) {
      contestants.add(() -> additions.inTheCall(effort.batches()));
      contestants.add(() -> additions.toTheResult(effort.batches()));
      contestants.add(() -> additions.inBulks(effort.batches(), BULK));
      mxnet.map(MxnetAdditions::new).ifPresent(peer -> {
        contestants.add(() -> peer.inTheCall(effort.batches()));
        contestants.add(() -> peer.toTheResult(effort.batches()));
      });
      return section(Rounds.played(effort.rounds(), contestants), mxnet.isPresent());
    }
  }

  private static Section section(Rounds rounds, boolean isMxnetThere) {
    var table = new MarkdownTable("what", "Cairn, ns", "goal", "MXNet, ns", "ratio (spread)", "goal");
    List<Figure> figures = new ArrayList<>();
    String[] keys = {"call", "result", "bulk15"};
    String[] words = {"N1, the call", "N1, push to result", "N3, push to result in bulks of 15"};
    double[] goals = {1000, 2000, 500};
    for (int i = 0; i < keys.length; i++) {
      var figure = Figure.judged(keys[i] + "-ns", rounds.of(i).median(), 0, Goal.atMost(goals[i]));
      figures.add(figure);
      boolean isCompared = isMxnetThere && i < 2;
      if (isCompared) {
        figures.add(Figure.judged(keys[i] + "/mxnet", rounds.ratios(i, i + 3).median(), 2, Goal.atMost(0.3)));
      }
      table.row(words[i], MarkdownTable.number(0, figure.value()), Goal.atMost(goals[i]).toString(), isCompared
        ? MarkdownTable.number(0, rounds.of(i + 3).median())
        : i < 2 ? ImperativeBenchmark.NOT_THERE : "", isCompared ? rounds.ratios(i, i + 3).withSpread() : "",
        i < 2
          ? "N2, " + Goal.atMost(0.3)
          : "");
    }
    return new Section("Small calls", TEXT, table, figures);
  }
}
