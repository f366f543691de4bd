package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.chain.RevolveWord;
import dev.cairn.runtime.memory.recompute.search.RecomputePlanner;
import java.util.List;
import java.util.Optional;

/** Chains, whose least cost has a closed form, which Revolve reaches. */
final class ExactTable implements RecomputeTable {
  private static final int MOST_UNITS = 18;

  private record Subject(int nodes, int units) {}

  private static final List<Subject> SUBJECTS = List.of(new Subject(8, 3), new Subject(8, 6), new Subject(32, 5),
    new Subject(32, 8), new Subject(32, 12), new Subject(64, 8), new Subject(64, MOST_UNITS), new Subject(1000, 34));

  @Override
  public String name() {
    return "exact";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) {
    var table = new MarkdownTable("chain", "units", "least cost", "Revolve", "search", "s");
    double worst = 1;
    double slowest = 0;
    for (Subject subject : isQuick ? SUBJECTS.subList(0, 3) : SUBJECTS) {
      RecomputeProblem chain = chain(subject.nodes);
      var word = RevolveWord.of(chain, subject.nodes + 1, subject.units - 2).orElseThrow();
      long least = subject.nodes + 1 + RevolveWord.leastSteps(subject.nodes + 1, subject.units - 2);
      if (WordJudge.cost(chain, word) != least || WordJudge.peak(chain, word) > subject.units) {
        throw new IllegalStateException("Revolve misses its closed form: " + subject);
      }
      long started = System.nanoTime();
      RecomputeAnswer answer = RecomputePlanner.plan(chain, subject.units);
      double seconds = (System.nanoTime() - started) / 1e9;
      slowest = Math.max(slowest, seconds);
      worst = Math.max(worst, answer.fits() ? (double) answer.cost() / least : Double.POSITIVE_INFINITY);
      table.row("%d nodes".formatted(subject.nodes), Integer.toString(subject.units), Long.toString(least), Long
        .toString(WordJudge.cost(chain, word)), answer.fits() ? Long.toString(answer.cost()) : "none",
        number(2,
          seconds));
    }
    return Optional.of(new Section("Chains",
      """
        Checkmate's linear graphs: n nodes of one unit each, a loss, and gradients that read one node each. The least
        cost in m units has a closed form. Judged: the search's worst cost over it, and its longest time.""", table,
      List.of(Figure.judged("chain-worst", worst, 4, Goal.atMost(1)), Figure.judged("chain-seconds", slowest, 2, Goal
        .atMost(1)))));
  }

  private static RecomputeProblem chain(int n) {
    OrderProblem.Builder order = OrderProblem.builder(2 * n + 1);
    for (int node = 0; node <= 2 * n; node++) {
      int[] readers = node == 2 * n ? new int[0] : new int[] {node + 1, node < n ? 2 * n - node : node + 1};
      order.value(node, 1, false, readers);
    }
    return RecomputeProblem.builder(order.build()).build();
  }
}
