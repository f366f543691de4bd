package dev.cairn.runtime.memory.planner.nnvm;

import java.util.ArrayList;
import java.util.List;

/**
 * Which assigns need no copy (the marking in NNVM's graph compiler). An assign becomes {@link AssignFlag#NOP} when its
 * right side is an elementwise or broadcasting operator that nobody else reads. That moves the write forward to the
 * right side's step, so nothing in between may touch the variable: upstream does not look, here such an assign is
 * marked {@link AssignFlag#COPY}, and so is one whose right side is another assign, which writes a place of its own.
 */
public final class AssignMarking {
  private final NnvmGraph graph;
  /** By entry id: the entry of the variable whose storage it is after decoration; -1 for all others. */
  private final int[] variables;
  /** By node id: uses by nodes and as graph outputs. */
  private final int[] uses;

  private AssignMarking(NnvmGraph graph) {
    this.graph = graph;
    this.variables = variables(graph);
    this.uses = new int[graph.nodes().size()];
    for (NnvmNode node : graph.nodes()) {
      node.inputs().forEach(entry -> uses[graph.producer(entry)]++);
    }
    graph.outputs().forEach(entry -> uses[graph.producer(entry)]++);
  }

  /**
   * By node id.
   *
   * @throws IllegalArgumentException naming the assign, when it writes no variable or one of another type or size
   */
  public static List<AssignFlag> of(NnvmGraph graph) {
    var marking = new AssignMarking(graph);
    List<AssignFlag> flags = new ArrayList<>(graph.nodes().size());
    for (int nodeId = 0; nodeId < graph.nodes().size(); nodeId++) {
      flags.add(marking.flag(nodeId));
    }
    return List.copyOf(flags);
  }

  private AssignFlag flag(int nodeId) {
    NnvmNode node = graph.node(nodeId);
    if (node.role() != NodeRole.ASSIGN) {
      return AssignFlag.NONE;
    }
    int rhs = graph.producer(node.inputs().get(1));
    boolean fusable = graph.node(rhs).role() == NodeRole.OPERATOR && uses[rhs] <= 1
      && graph.node(rhs).traits().pattern().isElementwiseOrBroadcast();
    return fusable && isUntouched(variables[graph.firstEntryId(nodeId)], rhs, nodeId)
      ? AssignFlag.NOP
      : AssignFlag.COPY;
  }

  /** Whether no node strictly between the two reads or writes the variable. */
  private boolean isUntouched(int variable, int rhs, int assign) {
    return graph.nodes().subList(rhs + 1, assign).stream()
      .flatMap(node -> node.inputs().stream())
      .noneMatch(entry -> variables[entry] == variable);
  }

  private static int[] variables(NnvmGraph graph) {
    int[] variables = new int[graph.entryCount()];
    for (int entryId = 0; entryId < variables.length; entryId++) {
      NnvmNode node = graph.node(graph.producer(entryId));
      variables[entryId] = switch (node.role()) {
        case VARIABLE -> entryId;
        case OPERATOR -> -1;
        case ASSIGN -> variables[node.inputs().get(0)];
      };
      if (node.role() == NodeRole.ASSIGN) {
        requireAssignable(graph, node, variables[entryId], entryId);
      }
    }
    return variables;
  }

  private static void requireAssignable(NnvmGraph graph, NnvmNode assign, int variable, int output) {
    if (variable < 0) {
      throw new IllegalArgumentException("assigns to what is no variable: node=%s entry=%d".formatted(assign.name(),
        assign.inputs().get(0)));
    }
    NnvmEntry wanted = graph.entry(variable);
    for (int entry : List.of(assign.inputs().get(1), output)) {
      if (graph.entry(entry).elements() != wanted.elements() || !graph.entry(entry).type().equals(wanted.type())) {
        throw new IllegalArgumentException("assigns another type or size: node=%s variable=%s value=%s"
          .formatted(assign.name(), wanted, graph.entry(entry)));
      }
    }
  }
}
