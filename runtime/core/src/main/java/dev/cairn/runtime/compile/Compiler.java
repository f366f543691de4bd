package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.analysis.KeptValues;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles graphs for one device: simplifies, infers, chooses kernels, finds lifetimes, plans, and has the plan judged.
 * Thread-safe as far as the stream is.
 */
public final class Compiler {
  /** Every buffer starts at a multiple of this: a cache line, and the widest vector. */
  public static final long BUFFER_ALIGNMENT = 64;

  private static final int MOST_ROUNDS = 8;

  private final OperatorTable operators;
  private final KernelChoice kernels;
  private final ValueEvaluator evaluator;

  /** @param stream of a device whose memory the host can read, on which constants are computed */
  public Compiler(OperatorTable operators, KernelCatalog catalog, Stream stream) {
    this.operators = operators;
    this.kernels = new KernelChoice(catalog);
    this.evaluator = new KernelEvaluator(catalog, stream);
  }

  /**
   * @param inputs the type of each of the graph's inputs, by name
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   * @throws UnsupportedOperators when no kernel serves a node's types: all such nodes at once
   */
  public CompiledGraph compile(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    var inference = new TypeInference(operators, evaluator);
    PassResult simplified = simplify(graph, inputs, inference, options);
    Graph runnable = KeptValues.applied(simplified.graph());
    GraphTypes types = simplified.types().filter(known -> runnable == simplified.graph())
      .orElseGet(() -> inference.infer(runnable, inputs));
    Map<Node, KernelRow> chosen = chooseKernels(runnable, types);
    var layout = new Layout(operators, types, node -> workspaceBytes(chosen, node, types), options);
    Layout.Laid laid = layout.of(runnable);
    List<KernelRow> rows = laid.storage().steps().stream().map(step -> known(chosen, step)).toList();
    PlanScore score = PlanScore.of(laid.storage().problem(), laid.plan());
    return new CompiledGraph(laid.graph(), types, rows, laid.storage(), laid.plan(), score,
      laid.reported(simplified.report()), laid.planNanos());
  }

  private PassResult simplify(Graph graph, Map<String, TensorType> inputs, TypeInference inference,
    CompileOptions options) {
    if (!options.simplify()) {
      return new PassManager(it -> inference.infer(it, inputs)).run(graph, List.of());
    }
    return new PassManager(it -> inference.infer(it, inputs)).runUntilStable(graph,
      StandardPipelines.simplify(evaluator), MOST_ROUNDS);
  }

  private Map<Node, KernelRow> chooseKernels(Graph graph, GraphTypes types) {
    Map<Node, KernelRow> chosen = new HashMap<>();
    List<UnsupportedOperators.Gap> gaps = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply || node.kind() instanceof NodeKind.Assign) {
        kernels.choose(node, types).ifPresentOrElse(row -> chosen.put(node, row), () -> gaps.add(
          new UnsupportedOperators.Gap(node.name(), node.operator(),
            "no kernel for " + KernelChoice.typesOf(node, types))));
      }
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
    return chosen;
  }

  private static long workspaceBytes(Map<Node, KernelRow> chosen, Node node, GraphTypes types) {
    return known(chosen, node).kernel().workspaceBytes(KernelChoice.signature(node, types));
  }

  private static KernelRow known(Map<Node, KernelRow> chosen, Node node) {
    KernelRow row = chosen.get(node);
    if (row == null) {
      throw new AssertionError("every step has a kernel: node=" + node.name());
    }
    return row;
  }
}
