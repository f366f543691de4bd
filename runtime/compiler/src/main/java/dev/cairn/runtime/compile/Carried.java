package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.PassReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What is known of a compiled graph's nodes, applied to another graph, which has these nodes or others in their place.
 * A node in the place of another has that node's types and kernel.
 *
 * @param once the graph as compiled without a limit
 * @param kernels by node of the other graph
 * @param types of the other graph
 */
record Carried(CompiledGraph once, Map<Node, KernelRow> kernels, GraphTypes types) {
  /** The facts for the compiled graph itself. */
  static Carried of(CompiledGraph once, Map<Node, KernelRow> kernels) {
    return new Carried(once, kernels, once.types());
  }

  /** @param original the node of the compiled graph that a node of the other graph stands for */
  Carried to(Graph graph, UnaryOperator<Node> original) {
    Map<Node, KernelRow> rows = new HashMap<>();
    Map<NodeEntry, TensorType> newTypes = new HashMap<>();
    for (Node node : graph.nodes()) {
      Node meant = original.apply(node);
      KernelRow row = kernels.get(meant);
      if (row != null) {
        rows.put(node, row);
      }
      for (int i = 0; i < node.kind().outputs(); i++) {
        newTypes.put(node.entry(i), types.type(meant.entry(i)));
      }
    }
    return new Carried(once, rows, types.with(newTypes));
  }

  GraphPlanning planning(OperatorTable operators, CompileOptions options, boolean isHost) {
    return new GraphPlanning(operators, types, node -> KernelChoice.workspaceBytes(node, types, it -> {
      KernelRow row = kernels.get(node);
      return row == null ? 0 : row.kernel().workspaceBytes(it);
    }), options.withStreams(1), isHost);
  }

  /** A node's kernel, as the judge compares it. */
  Object kernel(Node node) {
    KernelRow row = kernels.get(node);
    return row == null ? "none" : row;
  }

  /** The other graph, compiled. */
  CompiledGraph compiled(GraphPlanning.Laid laid, String change, Optional<Recomputed> recomputed,
    Optional<Streamed> streamed) {
    List<PassReport.Step> passes = new ArrayList<>(once.passes().steps());
    passes.add(new PassReport.Step(change, 1, PassReport.Size.of(once.graph().graph()), PassReport.Size.of(laid.graph()
      .graph()), true));
    List<KernelRow> rows = laid.storage().steps().stream().map(it -> Objects.requireNonNull(kernels.get(it))).toList();
    return new CompiledGraph(laid.graph(), types, rows, laid.storage(), laid.schedule(), laid.plan(), PlanScore.of(laid
      .storage().problem(), laid.plan()), new PassReport(passes), laid.planNanos(), recomputed, Optional.empty(),
      streamed);
  }
}
