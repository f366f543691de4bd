package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.memory.analysis.Place;
import dev.cairn.runtime.memory.analysis.StepOrder;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Turns a graph into a problem of recomputation: the steps, what they cost, and which of them may run again. A step
 * runs once when its operator is not pure, when it runs bodies or assigns, when a result lies outside the plan, in a
 * variable or in the caller's memory, and when a hint says so.
 */
public final class RecomputeAnalysis {
  /** Why the result of a step stays as it is. */
  static final String OUTSIDE = "its result is a result of the model, or a variable's value";

  private RecomputeAnalysis() {}

  /**
   * The problem of a graph's steps, in their order.
   *
   * @param storage of the graph, in which values share no buffers
   * @param operators what may be written in place
   * @param cost of one run of a step
   */
  public static RecomputeProblem of(IndexedGraph graph, Storage storage, OperatorTable operators,
    ToLongFunction<Node> cost) {
    RecomputeProblem.Builder problem = RecomputeProblem.builder(new StepOrder(graph, storage).problem(operators));
    for (int step = 0; step < storage.steps().size(); step++) {
      Node node = storage.steps().get(step);
      problem.name(step, node.name()).cost(step, cost.applyAsLong(node));
      if (RecomputeHints.never(node, Notes.REPEAT) || whyOnce(graph, storage, node, operators).isPresent()) {
        problem.once(step);
      }
    }
    return problem.build();
  }

  /** Why a step cannot run again, if it cannot. */
  static Optional<String> whyOnce(IndexedGraph graph, Storage storage, Node node, OperatorTable operators) {
    if (!(node.kind() instanceof NodeKind.Apply apply)) {
      return Optional.of("it runs bodies or assigns, and such steps run once");
    }
    if (!operators.isPure(apply.operator())) {
      return Optional.of("its operator %s is not pure".formatted(apply.operator()));
    }
    return isPlanned(graph, storage, node)
      ? Optional.empty()
      : Optional.of(OUTSIDE);
  }

  static boolean isPlanned(IndexedGraph graph, Storage storage, Node node) {
    return node.entries().stream().map(graph::entryId).allMatch(it -> storage.places().get(
      it) instanceof Place.Planned);
  }
}
