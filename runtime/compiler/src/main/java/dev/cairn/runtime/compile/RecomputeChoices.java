package dev.cairn.runtime.compile;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.analysis.recompute.UpstreamWords;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.List;

/**
 * The choices of recomputation of a compiled graph.
 *
 * @param problem the steps in their order, their values and costs
 * @param steps the nodes of the problem
 * @param operators of the steps
 */
public record RecomputeChoices(RecomputeProblem problem, List<Node> steps, OperatorTable operators) {
  public RecomputeChoices {
    steps = List.copyOf(steps);
  }

  /**
   * The choice of a mode of another system for each of some budgets. Where nothing fits, the answer has the word of the
   * least peak.
   *
   * @param mode one of {@link RecomputeMode#upstream()}
   * @param budgets bytes that the plan may take
   * @throws IllegalArgumentException for a mode of Cairn's own
   */
  public List<RecomputeAnswer> answers(RecomputeMode mode, List<Long> budgets) {
    List<Word> words = mode.rule().orElseThrow(() -> new IllegalArgumentException("not a mode of another system: mode="
      + mode)).apply(new UpstreamWords(problem, steps, operators));
    return budgets.stream().map(budget -> first(words, budget)).toList();
  }

  /** The first word that fits; where none does, the one of the least peak. */
  private RecomputeAnswer first(List<Word> words, long budgetBytes) {
    Word chosen = problem.givenOrder();
    long peak = WordJudge.peak(problem, chosen);
    for (Word word : words) {
      long bytes = WordJudge.peak(problem, word);
      if (bytes < peak || bytes <= budgetBytes) {
        chosen = word;
        peak = bytes;
      }
      if (bytes <= budgetBytes) {
        break;
      }
    }
    return RecomputeAnswer.of(problem, chosen, peak, budgetBytes);
  }
}
