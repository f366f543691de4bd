package dev.cairn.benchmarks.mxnet;

import dev.cairn.benchmarks.mxnet.SymbolNode.Output;
import dev.cairn.runtime.memory.planner.nnvm.NnvmGraph;
import dev.cairn.runtime.memory.planner.nnvm.NnvmNode;
import dev.cairn.runtime.memory.planner.nnvm.NodeTraits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A graph in two forms: the text that MXNet reads, and what Cairn's planner plans. MXNet orders nodes itself, depth
 * first from the outputs; the order here is the same.
 *
 * @param nodes each after what it reads; those that no output needs are left out of both plans
 */
record SymbolGraph(String name, List<SymbolNode> nodes, List<Output> outputs) {
  SymbolGraph {
    nodes = List.copyOf(nodes);
    outputs = List.copyOf(outputs);
  }

  /** The variables in MXNet's order. */
  List<SymbolNode> variables() {
    return order().stream().map(nodes::get).filter(SymbolNode::isVariable).toList();
  }

  NnvmGraph graph() {
    Map<Integer, Integer> firstEntry = new HashMap<>();
    List<NnvmNode> planned = new ArrayList<>();
    int entries = 0;
    for (int id : order()) {
      SymbolNode node = nodes.get(id);
      firstEntry.put(id, entries);
      entries += node.shapes().size();
      List<Integer> inputs = node.inputs().stream().map(it -> entry(firstEntry, it)).toList();
      planned.add(node.isVariable()
        ? NnvmNode.variable("n" + id, node.entries().getFirst())
        : NnvmNode.operator("n" + id, inputs, node.entries())
          .withTraits(new NodeTraits(node.inPlace(), List.of())));
    }
    return new NnvmGraph(planned, outputs.stream().map(it -> entry(firstEntry, it)).toList());
  }

  String json() {
    var nodeTexts = new StringJoiner(",\n", "\"nodes\":[", "]");
    var variables = new StringJoiner(",", "\"arg_nodes\":[", "]");
    for (int id = 0; id < nodes.size(); id++) {
      nodeTexts.add(nodes.get(id).json("n" + id));
      if (nodes.get(id).isVariable()) {
        variables.add(Integer.toString(id));
      }
    }
    var heads = new StringJoiner(",", "\"heads\":[", "]");
    outputs.forEach(it -> heads.add("[%d,%d,0]".formatted(it.node(), it.index())));
    return "{%s,%s,%s,\"attrs\":{\"mxnet_version\":[\"int\",10900]}}".formatted(nodeTexts, variables, heads);
  }

  private static int entry(Map<Integer, Integer> firstEntry, Output output) {
    Integer first = firstEntry.get(output.node());
    if (first == null) {
      throw new AssertionError("read before it was made: node=" + output.node());
    }
    return first + output.index();
  }

  /** Nodes that the outputs need: each after its inputs, these in order. */
  private List<Integer> order() {
    List<Integer> order = new ArrayList<>();
    boolean[] begun = new boolean[nodes.size()];
    List<Integer> stack = new ArrayList<>();
    for (Output output : outputs) {
      stack.add(output.node());
      while (!stack.isEmpty()) {
        int id = stack.removeLast();
        if (id < 0) {
          order.add(~id);
        } else if (!begun[id]) {
          begun[id] = true;
          stack.add(~id);
          List<Output> inputs = nodes.get(id).inputs();
          for (int i = inputs.size() - 1; i >= 0; i--) {
            stack.add(inputs.get(i).node());
          }
        }
      }
    }
    return order;
  }
}
