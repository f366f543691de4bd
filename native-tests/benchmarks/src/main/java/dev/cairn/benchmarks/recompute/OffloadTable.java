package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.offload.OffloadAnswer;
import dev.cairn.runtime.memory.recompute.offload.OffloadPlanner;
import dev.cairn.runtime.memory.recompute.search.RecomputePlanner;
import java.util.List;
import java.util.Optional;

/** Results that wait in the host's memory, as predicted: no GPU is asked. */
final class OffloadTable implements RecomputeTable {
  private static final double GIGA = 1e9;
  private static final List<Integer> LINKS = List.of(12, 24, 50, 400);
  private static final List<Integer> PERCENTS = List.of(80, 60, 40);

  @Override
  public String name() {
    return "offload";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) {
    var table = new MarkdownTable("link, GB/s", "plan, %", "recomputation, %", "offload, %", "hidden, %",
      "both, %");
    RecomputeProblem problem = new Transformer(isQuick ? 2 : 12, 768, 8192).training();
    Word given = problem.givenOrder();
    long peak = WordJudge.peak(problem, given);
    double least = 1;
    for (int percent : PERCENTS) {
      long budget = peak / 100 * percent;
      RecomputeAnswer recomputations = RecomputePlanner.plan(problem, budget);
      RecomputeAnswer half = RecomputePlanner.plan(problem, (peak + budget) / 2);
      for (int link : LINKS) {
        double perByte = Transformer.workPerByte(link * GIGA);
        OffloadAnswer alone = OffloadPlanner.plan(problem, given, budget, OffloadPlanner.LEAST_BYTES, perByte);
        OffloadAnswer both = OffloadPlanner.plan(problem, half.word(), budget, OffloadPlanner.LEAST_BYTES, perByte);
        least = alone.peakBytes() <= budget ? Math.min(least, alone.hidden()) : least;
        table.row(Integer.toString(link), Integer.toString(percent), recomputations.fits()
          ? number(2, 100 * recomputations.overhead())
          : "-", percent(alone, budget, problem),
          alone.peakBytes() <= budget
            ? number(0, 100 * alone.hidden())
            : "-",
          half.fits() ? percent(both, budget, problem) : "-");
      }
    }
    return Optional.of(new Section("Offload, predicted",
      """
        A transformer of 12 layers, 768 wide, in training with 8,192 tokens, on a GPU with 1.536 TB/s and 60 operations
        a byte: what keeping to parts of its plan adds to the time of an iteration. These are the planner's own
        estimates. Steps take their counted work, and copies the link's whole speed in both directions at once. No GPU
        was asked. "Both" runs steps again for half of the way, and copies for the rest.""", table, List.of(Figure.told(
        "offload-hidden-worst", least, 2))));
  }

  private static String percent(OffloadAnswer answer, long budget, RecomputeProblem problem) {
    return answer.peakBytes() <= budget
      ? number(2, 100 * (answer.takenWork() - problem.costOnce()) / problem.costOnce())
      : "-";
  }
}
