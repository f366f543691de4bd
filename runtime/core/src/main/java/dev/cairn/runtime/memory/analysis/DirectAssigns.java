package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorTable;

/**
 * Finds the assigns for which nothing need run: the node that computes the new value writes it right into the
 * variable's memory, where it reads the old one. After NNVM's marking of assigns, which such a node must be elementwise
 * and read by the assign alone for. That moves the write forward to the node, so here is also asked that
 *
 * <ul>
 * <li>nobody reads the old value after the node, the assign included
 * <li>the old value is there when the node runs: an assign that makes it comes before
 * <li>the node's kernel may write over each operand in which it reads the old value
 * </ul>
 */
final class DirectAssigns {
  private final IndexedGraph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final Aliases aliases;
  private final int[] uses;
  private final int[] lastReader;

  DirectAssigns(IndexedGraph graph, GraphTypes types, OperatorTable operators, Aliases aliases) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.aliases = aliases;
    this.uses = new int[graph.entryCount()];
    this.lastReader = new int[graph.entryCount()];
    for (int id = 0; id < graph.nodeCount(); id++) {
      count(id);
    }
    for (Graph.Output output : graph.graph().outputs()) {
      uses[graph.entryId(output.entry())]++;
      lastReader[aliases.root(output.entry())] = graph.nodeCount();
    }
  }

  private void count(int id) {
    Node node = graph.node(id);
    for (NodeEntry read : node.operands()) {
      if (!read.isAbsent()) {
        uses[graph.entryId(read)]++;
        if (!aliases.isAlias(node)) {
          lastReader[aliases.root(read)] = id;
        }
      }
    }
  }

  boolean isDirect(Node assign) {
    NodeEntry before = assign.inputs().get(0);
    NodeEntry value = assign.inputs().get(1);
    Node maker = value.node();
    if (!(maker.kind() instanceof NodeKind.Apply kind) || kind.outputs() > 1 || aliases.isAlias(maker)
      || !operators.get(kind.operator()).memory().elementwise() || uses[graph.entryId(value)] > 1) {
      return false;
    }
    int made = graph.nodeId(maker);
    boolean isThere = before.node().kind() instanceof NodeKind.Variable || graph.nodeId(before.node()) < made;
    return isThere && lastReader[graph.entryId(before)] <= made && mayWriteOver(maker, before);
  }

  private boolean mayWriteOver(Node maker, NodeEntry before) {
    MemoryTraits traits = operators.memory(maker);
    for (int i = 0; i < maker.inputs().size(); i++) {
      NodeEntry read = maker.inputs().get(i);
      boolean readsOld = !read.isAbsent() && aliases.root(read) == graph.entryId(before);
      if (readsOld && (!traits.allowsInPlace(i, 0) || !types.type(read).equals(types.type(maker.entry())))) {
        return false;
      }
    }
    return true;
  }
}
