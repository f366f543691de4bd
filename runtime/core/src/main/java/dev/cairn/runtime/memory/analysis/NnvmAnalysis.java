package dev.cairn.runtime.memory.analysis;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.planner.nnvm.ElementType;
import dev.cairn.runtime.memory.planner.nnvm.NnvmEntry;
import dev.cairn.runtime.memory.planner.nnvm.NnvmGraph;
import dev.cairn.runtime.memory.planner.nnvm.NnvmNode;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Turns a graph into what NNVM's planner plans exactly, in one walk. Inputs and constants become variables; operators
 * keep their in-place pairs. An alias becomes nothing: whoever reads it reads the entry whose bytes it is, so that uses
 * of both count as one. A kernel's scratch memory becomes a further output, of bytes, that nobody reads.
 */
public final class NnvmAnalysis {
  private static final ElementType BYTE = ElementType.of("scratch", 1);

  private final IndexedGraph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final List<NnvmNode> nodes = new ArrayList<>();
  private final int[] entries;
  private int entryCount;

  /**
   * A graph for NNVM's planner.
   *
   * @param entries by entry id of the indexed graph, the entry's id in this one; an alias has its root's
   */
  public record NnvmView(NnvmGraph graph, List<Integer> entries) {
    public NnvmView {
      entries = List.copyOf(entries);
    }
  }

  private NnvmAnalysis(IndexedGraph graph, GraphTypes types, OperatorTable operators) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.entries = new int[graph.entryCount()];
  }

  /** @param workspaceBytes scratch bytes that the kernel of a node wants; 0 for none */
  public static NnvmView analyse(IndexedGraph graph, GraphTypes types, OperatorTable operators,
    ToLongFunction<Node> workspaceBytes) {
    var analysis = new NnvmAnalysis(graph, types, operators);
    for (Node node : graph.graph().nodes()) {
      analysis.add(node, workspaceBytes);
    }
    List<Integer> outputs = graph.graph().outputs().stream().map(it -> analysis.entry(it.entry())).toList();
    return new NnvmView(new NnvmGraph(analysis.nodes, outputs), Arrays.stream(analysis.entries).boxed().toList());
  }

  private void add(Node node, ToLongFunction<Node> workspaceBytes) {
    int first = graph.entryId(node.entry());
    if (!(node.kind() instanceof NodeKind.Apply apply)) {
      entries[first] = entryCount++;
      nodes.add(NnvmNode.variable(node.name(), planned(node.entry())));
    } else if (isAlias(node, apply)) {
      entries[first] = entry(node.inputs().get(0));
    } else {
      List<NnvmEntry> outputs = new ArrayList<>();
      for (int i = 0; i < apply.outputs(); i++) {
        entries[first + i] = entryCount++;
        outputs.add(planned(node.entry(i)));
      }
      long scratch = workspaceBytes.applyAsLong(node);
      if (scratch > 0) {
        entryCount++;
        outputs.add(NnvmEntry.of(BYTE, scratch));
      }
      nodes.add(operator(node, apply, outputs));
    }
  }

  private NnvmNode operator(Node node, NodeKind.Apply apply, List<NnvmEntry> outputs) {
    List<NodeEntry> given = node.inputs().stream().filter(it -> !it.isAbsent()).toList();
    NnvmNode planned = NnvmNode.operator(node.name(), given.stream().map(this::entry).toList(), outputs);
    for (MemoryTraits.Pair pair : operators.get(apply.operator()).memory().inPlace()) {
      boolean there = pair.output() < apply.outputs() && pair.input() < node.inputs().size()
        && !node.inputs().get(pair.input()).isAbsent();
      if (there) {
        // Positions count the inputs that are given.
        long position = node.inputs().subList(0, pair.input()).stream().filter(it -> !it.isAbsent()).count();
        planned = planned.withInPlace((int) position, pair.output());
      }
    }
    return planned;
  }

  private boolean isAlias(Node node, NodeKind.Apply apply) {
    return apply.outputs() == 1 && operators.get(apply.operator()).memory().alias()
      && types.type(node.entry()).bytes() == types.type(node.inputs().get(0)).bytes();
  }

  private int entry(NodeEntry entry) {
    return entries[graph.entryId(entry)];
  }

  private NnvmEntry planned(NodeEntry entry) {
    TensorType type = types.type(entry);
    int elementBytes = type.dtype().bytes();
    return NnvmEntry.of(ElementType.of(type.dtype().toString(), elementBytes), type.bytes() / elementBytes);
  }
}
