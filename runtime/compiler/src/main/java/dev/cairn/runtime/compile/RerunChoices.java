package dev.cairn.runtime.compile;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.recompute.UpstreamWords;
import dev.cairn.runtime.memory.remat.RematAnswer;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.Word;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What recomputation of a compiled graph chooses from.
 *
 * @param problem the steps in their order, their values and costs
 * @param steps the nodes of the problem
 * @param operators of the steps
 */
public record RerunChoices(RematProblem problem, List<Node> steps, OperatorTable operators) {
  /** Modes that choose as other systems do. */
  public static final Set<RematMode> UPSTREAM = Set.copyOf(EnumSet.of(RematMode.TF, RematMode.MINCUT, RematMode.CHEN,
    RematMode.REVOLVE, RematMode.MIRROR));

  public RerunChoices {
    steps = List.copyOf(steps);
  }

  /**
   * A mode's words, the most wanted first.
   *
   * @param mode one of {@link #UPSTREAM}
   */
  List<Word> words(RematMode mode) {
    var upstream = new UpstreamWords(problem, steps, operators);
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
  public List<RematAnswer> answers(RematMode mode, List<Long> budgets) {
    List<Word> words = words(mode);
    return budgets.stream().map(budget -> first(words, budget)).toList();
  }

  /** The first word that fits; where none does, the one of the least peak. */
  RematAnswer first(List<Word> words, long budgetBytes) {
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
    return new RematAnswer(chosen, WordJudge.cost(problem, chosen), problem.costOnce(), problem.costOnce(), peak,
      budgetBytes, problem.floor());
  }
}
