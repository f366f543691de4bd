package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.compile.Recomputation.Start;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.analysis.recompute.UpstreamWords;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes a graph fit as TensorFlow's memory optimizer does: it recomputes, splits sums, and on a GPU swaps. */
record TensorFlowFitting(Recomputation compiling) {
  /**
   * Types whose sums have the same bits when they add up one addend at a time. The processor's kernels add up narrower
   * floats in {@code double}, and round once.
   */
  private static final Set<DType> ACCUMULATED_ON_HOST = EnumSet.of(DType.FLOAT64, DType.INT64);
  private static final Set<DType> ACCUMULATED_ON_GPU = EnumSet.of(DType.FLOAT16, DType.FLOAT32, DType.FLOAT64,
    DType.INT64);

  CompiledGraph within(long budget) {
    Start start = compiling.given();
    var upstream = new UpstreamWords(start.problem(), start.storage().steps(), compiling.operators());
    boolean recomputes = compiling.options().recompute().mode() == RecomputeMode.TF;
    OffloadChoice offload = compiling.options().recompute().offload();
    if (compiling.sums().split() == 0 && offload != OffloadChoice.ONLY) {
      Set<DType> accumulated = compiling.isHost() ? ACCUMULATED_ON_HOST : ACCUMULATED_ON_GPU;
      List<Node> found = upstream.tensorflowSums(recomputes, budget,
        it -> accumulated.contains(compiling.once().types().type(it
          .entry()).dtype()));
      if (!found.isEmpty()) {
        var split = new TensorFlowFitting(compiling.sums().compiler().apply(found.stream().map(Node::name).collect(
          Collectors.toSet())));
        MemoryNeed need = MemoryNeed.of(split.compiling.once(), compiling.isHost());
        return need.planBytes() <= budget ? split.fitting(budget) : split.within(budget);
      }
    }
    CompiledGraph answer = offload == OffloadChoice.ONLY ? compiling.once() : compiling.within(budget);
    return compiling.isHost() || offload == OffloadChoice.OFF || answer.recomputed().filter(Recomputed::fits)
      .isPresent() ? answer : new Offloading(compiling, start).asTensorFlow(upstream, budget).orElse(answer);
  }

  /** The graph as it is, which keeps to the budget. */
  private CompiledGraph fitting(long budgetBytes) {
    Start start = compiling.given();
    RecomputeProblem problem = start.problem();
    Word given = problem.givenOrder();
    RecomputeAnswer answer = RecomputeAnswer.of(problem, given, WordJudge.peak(problem, given), budgetBytes);
    return compiling.once().with(Optional.of(compiling.facts(start, answer, true, budgetBytes, MemoryNeed.inChunks(
      compiling.once().plan()).peakBytes(), List.of())), Optional.empty());
  }
}
