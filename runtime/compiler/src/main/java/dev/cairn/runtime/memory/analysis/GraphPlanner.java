package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.function.ToLongFunction;

/** Plans a whole graph for one stream: it also decides which steps run in place. */
@FunctionalInterface
public interface GraphPlanner {
  /**
   * A graph's buffers and where they lie.
   *
   * @param storage with the planner's choice of what runs in place
   * @param plan of the storage's problem; not judged
   */
  record PlannedStorage(Storage storage, MemoryPlan plan) {}

  /**
   * @param workspaceBytes scratch bytes that the kernel of a node wants; 0 for none
   * @param alignment of every buffer, in bytes
   */
  PlannedStorage plan(IndexedGraph graph, GraphTypes types, OperatorTable operators,
    ToLongFunction<Node> workspaceBytes,
    long alignment);
}
