package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.train.loss.Loss;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A graph whose constants are its parameters, such as a decoded ONNX model.
 *
 * @param trainable which float constants training changes, by name
 */
record GraphModel(Graph graph, Predicate<String> trainable, Loss loss) implements TrainableModel {
  @Override
  public TrainableGraph training(Map<String, TensorType> inputs) {
    TensorType labels = inputs.get(Trainer.LABELS);
    if (labels == null) {
      throw new IllegalArgumentException("an input is missing: input=%s given=%s".formatted(Trainer.LABELS, inputs
        .keySet()));
    }
    graph.nodes().stream().filter(it -> it.name().equals(Trainer.LABELS)).findFirst().ifPresent(it -> {
      throw new IllegalArgumentException(
        "a node of the model has the name of the trainer's own input; rename it in the model: name=%s node=%s"
          .formatted(
            Trainer.LABELS, it));
    });
    long[] extents = labels.shape().extents();
    if (extents.length > 0) {
      extents[0] = PartialType.OPEN;
    }
    Symbol output = Symbol.of(graph).get(0);
    Symbol given = Symbol.variable(Trainer.LABELS, PartialType.of(labels.dtype(), extents));
    Map<String, TrainableGraph.Value> values = new LinkedHashMap<>();
    constants().forEach((name, value) -> values.put(name, new TrainableGraph.Value(value, true)));
    if (values.isEmpty()) {
      List<String> known = graph.nodes().stream().filter(GraphModel::isFloatConstant).map(Node::name).toList();
      throw new IllegalArgumentException("no float constant is chosen as a parameter: constants=" + known);
    }
    return TrainableGraph.of(TrainableGraph.lossOf(loss, output, given), output, values, Map.of(), 0);
  }

  @Override
  public String dataName() {
    if (graph.inputs().size() != 1) {
      throw new IllegalArgumentException("the model has several inputs; give iterate a map: inputs=" + graph.inputs()
        .stream().map(Node::name).toList());
    }
    return graph.inputs().getFirst().name();
  }

  private Map<String, TensorView> constants() {
    Map<String, TensorView> chosen = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (isFloatConstant(node) && node.kind() instanceof NodeKind.Constant(TensorView value) && trainable.test(node
        .name())) {
        chosen.put(node.name(), value);
      }
    }
    return chosen;
  }

  private static boolean isFloatConstant(Node node) {
    return node.kind() instanceof NodeKind.Constant(TensorView value) && value.dtype().isFloat();
  }

  @Override
  public Graph inference(Map<String, TensorType> inputs, Map<String, TensorView> values) {
    Map<Node, NodeEntry> places = new HashMap<>();
    for (Node node : graph.nodes()) {
      TensorView value = isFloatConstant(node) ? values.get(node.name()) : null;
      if (value != null) {
        places.put(node, Node.constant(node.name(), value).entry());
      }
    }
    return GraphRewriter.substitute(graph, places);
  }
}
