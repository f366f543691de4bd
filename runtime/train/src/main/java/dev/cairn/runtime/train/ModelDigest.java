package dev.cairn.runtime.train;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.train.checkpoint.ContentDigest;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A digest of what a model computes: operators with their attributes, types of inputs, values of constants, and what
 * reads what. Parameters count by name and type, not by value. Names of other nodes and their order do not count.
 */
final class ModelDigest {
  private final IdentityHashMap<Node, String> digests = new IdentityHashMap<>();
  private final IdentityHashMap<Node, String> parameters = new IdentityHashMap<>();

  private ModelDigest() {}

  static String of(TrainableGraph model) {
    var digest = new ModelDigest();
    model.parameters().forEach((name, parameter) -> digest.parameters.put(parameter.node(), new ContentDigest().add(
      "parameter").add(name).add(parameter.initial().type().toString()).add(Boolean.toString(parameter.isTrained()))
      .hex()));
    return digest.of(model.graph());
  }

  private String of(Graph graph) {
    graph.nodes().forEach(node -> digests.put(node, of(node)));
    Map<String, String> outputs = new HashMap<>();
    graph.outputs().forEach(it -> outputs.put(it.name(), of(it.entry())));
    var digest = new ContentDigest();
    outputs.keySet().stream().sorted().forEach(name -> digest.add(name).add(outputs.getOrDefault(name, "")));
    return digest.hex();
  }

  private String of(NodeEntry entry) {
    return entry.isAbsent() ? "absent" : digests.getOrDefault(entry.node(), "") + ":" + entry.index();
  }

  private String of(Node node) {
    String parameter = parameters.get(node);
    if (parameter != null) {
      return parameter;
    }
    var digest = new ContentDigest().add(node.operator());
    switch (node.kind()) {
      case NodeKind.Input(var type) -> digest.add(node.name()).add(type.toString());
      case NodeKind.Constant(TensorView value) -> digest.add(value);
      case NodeKind.Deferred(var source) -> digest.add(source.type().toString());
      case NodeKind.Variable(TensorView initial) -> digest.add(node.name()).add(initial.type().toString());
      case NodeKind.Apply apply -> {
        apply.attributes().asMap().forEach((name, value) -> {
          digest.add(name).add(value.toString());
          if (value instanceof AttributeValue.Tensor(TensorView tensor)) {
            digest.add(tensor);
          }
        });
        digest.add(Integer.toString(apply.outputs()));
      }
      case NodeKind.Control control -> {
        if (control instanceof NodeKind.Repeat repeat) {
          digest.add("%d %s %s".formatted(repeat.carried(), repeat.scanned(), repeat.stacked()));
        }
        control.bodies().forEach(body -> digest.add(ofBody(body)));
      }
      case NodeKind.Parameter _,NodeKind.Assign _,NodeKind.Absent _ -> digest.add("");
    }
    node.inputs().forEach(input -> digest.add(of(input)));
    return digest.hex();
  }

  /** A body reads its parameters by position. */
  private String ofBody(Graph body) {
    List<Node> inputs = body.inputs();
    for (int i = 0; i < inputs.size(); i++) {
      parameters.put(inputs.get(i), "parameter " + i);
    }
    body.nodes().forEach(node -> digests.put(node, of(node)));
    var digest = new ContentDigest();
    body.outputs().forEach(it -> digest.add(of(it.entry())));
    return digest.hex();
  }
}
