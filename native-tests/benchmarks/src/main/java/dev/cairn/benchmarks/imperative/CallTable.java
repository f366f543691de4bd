package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** N1 to N3: the time of a small call. */
final class CallTable {
  private static final String TEXT = """
    Nanoseconds of `a.add(b)` on arrays of 16 floats, 1,000 in a row, medians. Time to the result includes giving
    results back: Cairn's by their scope, those of others one by one.
    """;
  private static final int BULK = 15;
  private static final Goal BESIDE = Goal.atMost(0.3);
  private static final String[] KEYS = {"call", "result", "bulk15"};
  private static final String[] WORDS = {"N1, the call", "N1, push to result", "N3, push to result in bulks of 15"};
  private static final double[] GOALS = {1000, 2000, 500};
  /** How many of these others have, too. */
  private static final int COMPARED = 2;

  private CallTable() {}

  /** @param peers by the names of their figures */
  static Section measured(Map<String, PeerAdditions> peers, ImperativeEffort effort) {
    List<DoubleSupplier> contestants = new ArrayList<>();
    try (var additions = new Additions()) {
      contestants.add(() -> additions.inTheCall(effort.batches()));
      contestants.add(() -> additions.toTheResult(effort.batches()));
      contestants.add(() -> additions.inBulks(effort.batches(), BULK));
      peers.values().forEach(peer -> {
        contestants.add(() -> peer.inTheCall(effort.batches()));
        contestants.add(() -> peer.toTheResult(effort.batches()));
      });
      return section(Rounds.played(effort.rounds(), contestants), List.copyOf(peers.keySet()));
    }
  }

  private static Section section(Rounds rounds, List<String> peers) {
    var table = new MarkdownTable("what", "ns", "goal", "beside", "ns", "Cairn / other (spread)", "goal");
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < KEYS.length; i++) {
      Goal goal = Goal.atMost(GOALS[i]);
      var figure = Figure.judged(KEYS[i] + "-ns", rounds.of(i).median(), 0, goal);
      figures.add(figure);
      table.row(WORDS[i], MarkdownTable.number(0, figure.value()), goal.toString(), "", "", "", "");
      for (int peer = 0; peer < peers.size() && i < COMPARED; peer++) {
        int other = KEYS.length + COMPARED * peer + i;
        figures.add(Figure.judged(KEYS[i] + "/" + peers.get(peer), rounds.ratios(i, other).median(), 2, BESIDE));
        table.row("N2", "", "", peers.get(peer), MarkdownTable.number(0, rounds.of(other).median()), rounds.ratios(i,
          other).withSpread(), BESIDE.toString());
      }
    }
    return new Section("Small calls", TEXT, table, figures);
  }
}
