package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.trace.RunObserver;
import java.util.List;

/** One run of an {@code If}: runs the branch that the condition chooses, and no other. */
final class DynamicBranch {
  private final DynamicRun run;
  private final DynamicExecutor executor;
  private final Node node;

  DynamicBranch(DynamicRun run, DynamicExecutor executor, Node node) {
    this.run = run;
    this.executor = executor;
    this.node = node;
  }

  /** Says which branch ran. */
  String run(RunLimit limit) {
    boolean then = condition(node, run.view(node, 0));
    List<RunValue> captured = node.inputs().subList(1, node.inputs().size()).stream().map(run::value).toList();
    try (DynamicRun inside = executor.bodies(node).get(then ? 0 : 1).runValues(captured, limit, RunObserver.NONE)) {
      for (int i = 0; i < node.kind().outputs(); i++) {
        run.give(node.entry(i), inside.value(i));
      }
    }
    return then ? "then" : "else";
  }

  /** @throws InvalidGraph when it is not one boolean */
  static boolean condition(Node node, TensorView value) {
    if (value.dtype() != DType.BOOL || value.elementCount() != 1) {
      throw new InvalidGraph(node.name(), "a condition must be one boolean: condition=" + value.type());
    }
    return value.longAt(0) != 0;
  }
}
