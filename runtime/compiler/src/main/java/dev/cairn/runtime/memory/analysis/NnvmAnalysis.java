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
 * Turns a graph into what NNVM's planner plans exactly, in one walk. Inputs and constants become variables, as
 * variables do; operators keep their in-place pairs. An alias becomes nothing: its readers read the entry whose
 * bytes it is, so that uses of both count as one. A kernel's scratch memory becomes a further output, of bytes, that
 * no node reads. An assign becomes an operator that reads the old value and the new one. Graphs with assigns must have
 * been through {@link KeptValues}.
 */
public final class NnvmAnalysis {
  private static final ElementType BYTE = ElementType.of("scratch", 1);

  private final IndexedGraph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final Aliases aliases;
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
    this.aliases = new Aliases(graph, types, operators);
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
    switch (node.kind()) {
      case NodeKind.Parameter _,NodeKind.Input _,NodeKind.Constant _,NodeKind.Deferred _,NodeKind.Variable _ ->
        addOne(first, NnvmNode.variable(node.name(), planned(node.entry())));
      case NodeKind.Assign assign -> addOne(first, NnvmNode.operator(node.name(),
        node.inputs().stream().map(this::entry).toList(), List.of(planned(node.entry()))));
      case NodeKind.Apply apply when aliases.isAlias(node) -> entries[first] = entries[aliases.root(first)];
      case NodeKind.Apply _,NodeKind.Control _ -> addOperator(node, workspaceBytes.applyAsLong(node));
      case NodeKind.Absent absent -> throw new AssertionError("absent nodes are not in a graph's order");
    }
  }

  private void addOne(int entry, NnvmNode node) {
    entries[entry] = entryCount++;
    nodes.add(node);
  }

  private void addOperator(Node node, long scratchBytes) {
    List<NnvmEntry> outputs = new ArrayList<>();
    for (int i = 0; i < node.kind().outputs(); i++) {
      entries[graph.entryId(node.entry(i))] = entryCount++;
      outputs.add(planned(node.entry(i)));
    }
    if (scratchBytes > 0) {
      entryCount++;
      outputs.add(NnvmEntry.of(BYTE, scratchBytes));
    }
    List<NodeEntry> given = node.inputs().stream().filter(it -> !it.isAbsent()).toList();
    NnvmNode planned = NnvmNode.operator(node.name(), given.stream().map(this::entry).toList(), outputs);
    for (MemoryTraits.Pair pair : operators.memory(node).inPlace()) {
      boolean there = pair.output() < node.kind().outputs() && pair.input() < node.inputs().size()
        && !node.inputs().get(pair.input()).isAbsent();
      if (there) {
        // Positions count the inputs that are given.
        long position = node.inputs().subList(0, pair.input()).stream().filter(it -> !it.isAbsent()).count();
        planned = planned.withInPlace((int) position, pair.output());
      }
    }
    nodes.add(planned);
  }

  private int entry(NodeEntry entry) {
    return entries[graph.entryId(entry)];
  }

  private NnvmEntry planned(NodeEntry entry) {
    TensorType type = types.type(entry);
    // Packed elements count by the bytes that they take.
    int elementBytes = type.dtype().isPacked() ? 1 : type.dtype().bytes();
    return NnvmEntry.of(ElementType.of(type.dtype().toString(), elementBytes), type.bytes() / elementBytes);
  }
}
