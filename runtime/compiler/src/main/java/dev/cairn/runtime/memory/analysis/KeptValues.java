package dev.cairn.runtime.memory.analysis;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Has old values of variables kept where they are needed after the variable was assigned to: by an output of the graph,
 * or by a node that also needs the new value. Such a reader gets an {@code Identity} of the old value, which comes
 * before the assign and which {@link StorageAnalysis} then gives bytes of its own.
 *
 * <pre>
 * w = variable                       w = variable
 * a = assign(w, v)                   k = Identity(w)
 * y = Add(a, w)                 →    a = assign(w, v)
 * return y=y                         y = Add(a, k)
 *                                    return y=y
 * </pre>
 */
public final class KeptValues {
  private final Map<NodeEntry, Integer> ends = new HashMap<>();
  private final Map<NodeEntry, Set<Node>> lateReaders = new HashMap<>();
  private final Map<NodeEntry, NodeEntry> kept = new HashMap<>();
  private final NodeNames names;

  private KeptValues(Graph graph) {
    names = NodeNames.of(graph);
    for (int i = 0; i < graph.nodes().size(); i++) {
      Node node = graph.nodes().get(i);
      if (node.kind() instanceof NodeKind.Assign) {
        ends.put(node.inputs().get(0), i);
      }
    }
    for (int i = 0; i < graph.nodes().size(); i++) {
      Node node = graph.nodes().get(i);
      for (NodeEntry read : node.operands()) {
        if (ends.getOrDefault(read, i) < i) {
          lateReaders.computeIfAbsent(read, it -> new HashSet<>()).add(node);
        }
      }
    }
  }

  /** A graph that computes the same, in which no node and no output reads a variable's value that is assigned over. */
  public static Graph applied(Graph graph) {
    Graph before = graph;
    while (true) {
      // The copies may lead to another order, with other late nodes. Each round leaves fewer nodes that can be late.
      Graph after = new KeptValues(before).once(before);
      if (after == before) {
        return after;
      }
      before = after;
    }
  }

  private Graph once(Graph graph) {
    Graph rewritten = GraphRewriter.rewrite(graph, this::rewrite);
    List<Graph.Output> outputs = new ArrayList<>();
    for (int i = 0; i < graph.outputs().size(); i++) {
      Graph.Output output = rewritten.outputs().get(i);
      NodeEntry read = graph.outputs().get(i).entry();
      outputs.add(ends.containsKey(read) ? new Graph.Output(output.name(), kept(read, output.entry())) : output);
    }
    return outputs.equals(rewritten.outputs()) ? rewritten : rewritten.withOutputs(outputs);
  }

  private List<NodeEntry> rewrite(Node old, Node current) {
    List<NodeEntry> inputs = new ArrayList<>(current.inputs());
    // An assign does not read its first input.
    for (int i = old.inputs().size() - old.operands().size(); i < inputs.size(); i++) {
      NodeEntry read = old.inputs().get(i);
      if (lateReaders.getOrDefault(read, Set.of()).contains(old)) {
        inputs.set(i, kept(read, inputs.get(i)));
      }
    }
    return inputs.equals(current.inputs())
      ? current.entries()
      : current.with(current.kind(), inputs).entries();
  }

  /** @param now the old value's entry in the new graph */
  private NodeEntry kept(NodeEntry read, NodeEntry now) {
    return kept.computeIfAbsent(read, it -> Node.apply(names.unique(it.node().name() + "/kept"), Operators.IDENTITY,
      Attributes.NONE, List.of(now)).entry());
  }
}
