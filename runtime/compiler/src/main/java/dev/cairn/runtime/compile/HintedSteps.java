package dev.cairn.runtime.compile;

import dev.cairn.runtime.compile.Recomputation.Made;
import dev.cairn.runtime.compile.Recomputation.Start;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.memory.analysis.recompute.RecomputeHints;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.Optional;

/** Recomputations and copies that hints ask for: they are made whether there is a limit or not. */
final class HintedSteps {
  private HintedSteps() {}

  /**
   * A graph with the recomputations that hints ask for. Later stages take them as steps of their own.
   *
   * @throws dev.cairn.runtime.graph.RefusedHint when a step cannot run again
   */
  static Recomputation recompute(Recomputation plain) {
    Optional<Node> asked = RecomputeHints.firstAlways(plain.once().graph().graph(), Notes.REPEAT);
    if (asked.isEmpty()) {
      return plain;
    }
    if (plain.options().recompute().mode() == RecomputeMode.OFF) {
      throw RecomputeHints.refused(asked.get(), Notes.REPEAT, "the mode off runs nothing again");
    }
    Start start = plain.given();
    RecomputeProblem problem = start.problem();
    Word word = RecomputeHints.word(start.graph(), start.storage(), problem, plain.operators());
    if (word.length() == problem.nodes()) {
      return plain;
    }
    long cost = WordJudge.cost(problem, word);
    Made made = plain.made(start,
      new RecomputeAnswer(word, cost, problem.costOnce(), cost, WordJudge.peak(problem, word),
        Long.MAX_VALUE, problem.floor()),
      "hints", Long.MAX_VALUE);
    return new Recomputation(made.graph(), made.kernels(), plain.operators(), plain.options(), plain.isHost(), plain
      .sums(), made.graph().recomputed());
  }

  /**
   * The graph with the copies that hints ask for, within the limit if there is one; empty when none are.
   *
   * @throws dev.cairn.runtime.graph.RefusedHint when a result cannot be copied
   */
  static Optional<CompiledGraph> copied(Recomputation plain, MemoryNeed need) {
    Optional<Node> asked = RecomputeHints.firstAlways(plain.once().graph().graph(), Notes.OFFLOAD);
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    RecomputeOptions recompute = plain.options().recompute();
    if (plain.isHost()) {
      throw RecomputeHints.refused(asked.get(), Notes.OFFLOAD,
        "its plan has one memory: it is on the processor, or in a body");
    }
    if (!plain.isOwnMode() || recompute.offload() == OffloadChoice.OFF) {
      throw RecomputeHints.refused(asked.get(), Notes.OFFLOAD,
        "it takes the mode auto or search, and offload; the mode is "
          + "%s, and offload %s".formatted(recompute.mode(), recompute.offload()));
    }
    var offloading = new Offloading(plain, plain.given());
    if (!offloading.isAsked()) {
      return Optional.empty();
    }
    long budget = recompute.limitBytes().isEmpty()
      ? Long.MAX_VALUE
      : Recomputation.planBudget(need, recompute.limitBytes()
        .getAsLong());
    Optional<CompiledGraph> copied = offloading.within(budget, Double.MAX_VALUE);
    if (copied.isEmpty()) {
      throw RecomputeHints.refused(asked.get(), Notes.OFFLOAD, "no plan within the limit was found that has it wait in "
        + "the host's memory");
    }
    return copied;
  }
}
