package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the assigns for which nothing need run: an elementwise node writes the new value right into the variable's
 * memory, where it reads the old one. After NNVM's marking of assigns, but for each result of the node. The write moves
 * forward to the node, so that
 *
 * <ul>
 * <li>the node's kernel may write this result over each operand in which it reads the old value
 * <li>no other node reads the old value after the node
 * <li>the old value is there when the node runs: the assign that makes it comes before
 * <li>the other readers of the new value come before the variable's next value
 * <li>one value goes into one variable: further assigns of it are copies
 * </ul>
 *
 * <p>The value and the result of the assign are then one: readers of both read the variable.
 */
final class DirectAssigns {
  private final IndexedGraph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final Aliases aliases;
  /** For each root, the last node that reads it, not counting assigns; past the last node when it is an output. */
  private final int[] lastReader;
  /** For each root, the assigns of it. */
  private final Map<Integer, List<Node>> assigns = new HashMap<>();
  /** For each value of a variable, the assign that ends it. */
  private final Map<NodeEntry, Node> ends = new HashMap<>();
  private final Set<Node> direct = new HashSet<>();
  private final Set<NodeEntry> directValues = new HashSet<>();

  DirectAssigns(IndexedGraph graph, GraphTypes types, OperatorTable operators, Aliases aliases) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.aliases = aliases;
    this.lastReader = new int[graph.entryCount()];
    graph.graph().nodes().forEach(this::count);
    for (Graph.Output output : graph.graph().outputs()) {
      lastReader[aliases.root(output.entry())] = graph.nodeCount();
    }
    for (Node node : graph.graph().nodes()) {
      if (node.kind() instanceof NodeKind.Assign && mayBeDirect(node)) {
        direct.add(node);
        directValues.add(value(node));
      }
    }
  }

  private void count(Node node) {
    if (node.kind() instanceof NodeKind.Assign) {
      ends.put(before(node), node);
      assigns.computeIfAbsent(aliases.root(value(node)), _ -> new ArrayList<>()).add(node);
    } else if (!aliases.isAlias(node)) {
      for (NodeEntry read : node.operands()) {
        if (!read.isAbsent()) {
          lastReader[aliases.root(read)] = graph.nodeId(node);
        }
      }
    }
  }

  private static NodeEntry before(Node assign) {
    return assign.inputs().get(0);
  }

  private static NodeEntry value(Node assign) {
    return assign.inputs().get(1);
  }

  boolean isDirect(Node assign) {
    return direct.contains(assign);
  }

  private boolean mayBeDirect(Node assign) {
    NodeEntry value = value(assign);
    Node maker = value.node();
    if (!(maker.kind() instanceof NodeKind.Apply kind) || aliases.isAlias(maker)
      || !operators.get(kind.operator()).memory().elementwise() || directValues.contains(value)) {
      return false;
    }
    int made = graph.nodeId(maker);
    Node end = ends.get(assign.entry());
    int ended = end == null ? Integer.MAX_VALUE : graph.nodeId(end);
    return writtenAt(before(assign)) < made && lastReader(before(assign)) <= made
      && lastReader(value, assign) < ended && mayWriteOver(maker, value.index(), before(assign));
  }

  /** The node that puts a value into its variable; -1 for the value before the run. */
  private int writtenAt(NodeEntry held) {
    if (!(held.node().kind() instanceof NodeKind.Assign)) {
      return -1;
    }
    return graph.nodeId(isDirect(held.node()) ? value(held.node()).node() : held.node());
  }

  /** The last reader of a variable's value, also under the name of its maker's result. */
  private int lastReader(NodeEntry held) {
    int last = lastReader(held, held.node());
    return isDirect(held.node()) ? Math.max(last, lastReader(value(held.node()), held.node())) : last;
  }

  private int lastReader(NodeEntry entry, Node except) {
    int last = lastReader[aliases.root(entry)];
    for (Node assign : assigns.getOrDefault(aliases.root(entry), List.of())) {
      last = assign == except ? last : Math.max(last, graph.nodeId(assign));
    }
    return last;
  }

  private boolean mayWriteOver(Node maker, int result, NodeEntry before) {
    MemoryTraits traits = operators.memory(maker);
    for (int i = 0; i < maker.inputs().size(); i++) {
      NodeEntry read = maker.inputs().get(i);
      if (!read.isAbsent() && isIn(before, read)
        && (!traits.allowsInPlace(i, result) || !types.type(read).equals(types.type(maker.entry(result))))) {
        return false;
      }
    }
    return true;
  }

  /** Whether an operand is this value of a variable, perhaps under the name of its maker's result. */
  private boolean isIn(NodeEntry held, NodeEntry operand) {
    int root = aliases.root(operand);
    return root == graph.entryId(held)
      || (isDirect(held.node()) && root == aliases.root(value(held.node())));
  }
}
