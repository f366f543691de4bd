package dev.cairn.runtime.compile;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.analysis.recompute.UpstreamWords;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What recomputation of a compiled graph chooses from.
 *
 * @param problem the steps in their order, their values and costs
 * @param steps the nodes of the problem
 */
public record RecomputeChoices(RecomputeProblem problem, List<Node> steps) {
  /** Modes that choose as other systems do. */
  public static final Set<RecomputeMode> UPSTREAM = Set
    .copyOf(EnumSet.of(RecomputeMode.TF, RecomputeMode.MINCUT, RecomputeMode.CHEN,
      RecomputeMode.REVOLVE, RecomputeMode.MIRROR));

  public RecomputeChoices {
    steps = List.copyOf(steps);
  }

  /**
   * A mode's words, the most wanted first.
   *
   * @param mode one of {@link #UPSTREAM}
   */
  List<Word> words(RecomputeMode mode) {
    var upstream = new UpstreamWords(problem, steps);
    return switch (mode) {
      case TF -> List.of(upstream.tensorflow());
      case MINCUT -> upstream.mincut();
      case CHEN -> upstream.chen();
      case REVOLVE -> upstream.revolve();
      case MIRROR -> upstream.mirror();
      case OFF, AUTO, SEARCH -> throw new IllegalArgumentException("not a mode of another system: mode=" + mode);
    };
  }

  /**
   * What a mode of another system chooses for each of some budgets. Where nothing fits, the answer has the word of the
   * least peak.
   *
   * @param mode one of {@link #UPSTREAM}
   * @param budgets bytes that the plan may take
   * @throws IllegalArgumentException for a mode of Cairn's own
   */
  public List<RecomputeAnswer> answers(RecomputeMode mode, List<Long> budgets) {
    List<Word> words = words(mode);
    return budgets.stream().map(budget -> first(words, budget)).toList();
  }

  /** The first word that fits; where none does, the one of the least peak. */
  RecomputeAnswer first(List<Word> words, long budgetBytes) {
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
    return new RecomputeAnswer(chosen, WordJudge.cost(problem, chosen), problem.costOnce(), problem.costOnce(), peak,
      budgetBytes, problem.floor());
  }
}
