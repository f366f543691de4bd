package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.gradient.GradientGraph;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import dev.cairn.runtime.pass.gradient.GradientPass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The sum of all elements of some entries, each weighted by a number in {@code [0.1, 1.1)}. The weights are further
 * inputs of the graph: the head gradients.
 */
final class WeightedSum {
  private static final TypeInference INFERENCE = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE);
  private static final GradientPass PASS = new GradientPass(StandardOperators.table(), GradientOptions.DEFAULT);

  final List<Node> inputs;
  final Map<String, TensorView> values;
  private final List<NodeEntry> ys;
  private final List<NodeEntry> heads = new ArrayList<>();

  /**
   * @param inputs of the graph
   * @param ys those of other types than floats are passed over
   * @param values of the inputs, by name
   */
  WeightedSum(List<Node> inputs, List<NodeEntry> ys, Map<String, TensorView> values) {
    this.inputs = new ArrayList<>(inputs);
    this.values = new HashMap<>(values);
    GraphTypes types = types(graph(inputs, ys));
    this.ys = ys.stream().filter(it -> types.type(it).dtype().isFloat()).toList();
    var random = new SplittableRandom(ys.size());
    for (NodeEntry y : this.ys) {
      TensorType type = types.type(y);
      Node head = Node.input("head" + this.inputs.size(), DeclaredType.of(type));
      TensorView weights = HeapTensor.allocate(type);
      for (int i = 0; i < weights.elementCount(); i++) {
        GradientDifferences.put(weights, i, 0.1 + random.nextDouble());
      }
      this.inputs.add(head);
      this.values.put(head.name(), weights);
      heads.add(head.entry());
    }
  }

  private static GraphTypes types(Graph graph) {
    return INFERENCE.infer(graph, GraphFixture.inputTypes(graph));
  }

  private static Graph graph(List<Node> inputs, List<NodeEntry> ys) {
    List<Graph.Output> outputs = new ArrayList<>();
    ys.forEach(it -> outputs.add(new Graph.Output("y" + outputs.size(), it)));
    return new Graph("test", inputs, outputs);
  }

  GradientGraph gradients(List<NodeEntry> xs) {
    Graph graph = graph(inputs, ys);
    List<GradientPass.Head> weighted = new ArrayList<>();
    for (int i = 0; i < ys.size(); i++) {
      weighted.add(GradientPass.Head.of(ys.get(i), heads.get(i)));
    }
    return PASS.of(graph, types(graph), weighted, xs);
  }

  /** The sum where one element of an input is another number. */
  double at(NodeEntry input, int element, double number) {
    Map<String, TensorView> moved = new HashMap<>(values);
    TensorView changed = HeapTensor.copyOf(value(moved, input.node()));
    GradientDifferences.put(changed, element, number);
    moved.put(input.node().name(), changed);
    List<TensorView> results = HostRun.of(ys, moved);
    double sum = 0;
    for (int i = 0; i < results.size(); i++) {
      TensorView weights = value(values, heads.get(i).node());
      for (int at = 0; at < weights.elementCount(); at++) {
        sum += weights.doubleAt(at) * results.get(i).doubleAt(at);
      }
    }
    return sum;
  }

  static TensorView value(Map<String, TensorView> values, Node input) {
    return Objects.requireNonNull(values.get(input.name()), input.name());
  }
}
