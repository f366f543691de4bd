package dev.cairn.runtime.parts;

import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.graph.Graph;

/** Makes executors of a graph's parts. */
public interface PartExecutors {
  /** An executor of a part that has a plan, with memory of its own. */
  PlannedExecutor planned(CompiledGraph part);

  /** An executor of a part without a plan, on the processor. */
  DynamicExecutor nodeByNode(Graph part);
}
