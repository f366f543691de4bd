package dev.cairn.runtime.cli;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.fusion.FusionMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph that gives out everything it computes.
 *
 * @param graph with an output for each result of each node
 * @param layers by output, in the order of the run
 */
record Layers(Graph graph, List<Layer> layers) {
  /**
   * One result of one node, and the output that it is given out as.
   *
   * @param members the nodes that a fused node stands for, or the node alone
   */
  record Layer(String output, String node, String operator, List<String> members) {}

  static Layers of(Graph model) {
    List<Graph.Output> outputs = new ArrayList<>();
    List<Layer> layers = new ArrayList<>();
    for (Node node : model.nodes()) {
      for (int i = 0; node.kind() instanceof NodeKind.Apply && i < node.kind().outputs(); i++) {
        String name = "layer%d.%d".formatted(layers.size(), i);
        outputs.add(new Graph.Output(name, node.entry(i)));
        layers.add(new Layer(name, node.name(), node.operator(), FusionMap.nodesOf(node)));
      }
    }
    return new Layers(new Graph(model.name(), model.inputs(), outputs, model.assigns()), List.copyOf(layers));
  }
}
