package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.GraphProto;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A graph that a node runs, after functions are inlined. Its values have names that are unique in the whole model.
 *
 * @param name a prefix for the names of its nodes: {@code outer/then}
 * @param graph as in the file; types of inputs and bytes of initializers
 * @param inputs the values of the graph's inputs, in the file's order
 * @param initializers the values of the graph's initializers, in the file's order, the sparse ones last
 * @param outputs the values that are the body's results
 */
record FlatBody(String name, GraphProto graph, List<String> inputs, List<String> initializers, List<FlatNode> nodes,
  List<String> outputs) {
  FlatBody {
    inputs = List.copyOf(inputs);
    initializers = List.copyOf(initializers);
    nodes = List.copyOf(nodes);
    outputs = List.copyOf(outputs);
  }

  FlatBody withNodes(List<FlatNode> others) {
    return new FlatBody(name, graph, inputs, initializers, others, outputs);
  }

  /** The values that it reads from outside, in the order in which they are read. */
  List<String> captures() {
    Set<String> made = new HashSet<>(inputs);
    made.addAll(initializers);
    nodes.forEach(node -> made.addAll(node.outputs()));
    Set<String> captured = new LinkedHashSet<>();
    nodes.forEach(node -> captured.addAll(node.reads()));
    captured.addAll(outputs);
    captured.removeAll(made);
    captured.remove("");
    return List.copyOf(captured);
  }
}
