package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.pass.PassReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that is decided before a run, for one set of input shapes: immutable, owns no memory, serves any number of runs.
 *
 * @param graph after all passes
 * @param types of its entries
 * @param kernels by step
 * @param storage steps, and where each entry lies
 * @param schedule on which stream each step may run, and what it waits for
 * @param plan where each buffer lies; judged valid
 * @param score the plan against its lower bound
 * @param passes what each pass did
 * @param planNanos how long the planner took
 */
public record CompiledGraph(IndexedGraph graph, GraphTypes types, List<KernelRow> kernels, Storage storage,
  StreamSchedule schedule, MemoryPlan plan, PlanScore score, PassReport passes, long planNanos) {
  public CompiledGraph {
    kernels = List.copyOf(kernels);
  }

  /** The same with another plan of its problem, which must be valid. */
  public CompiledGraph withPlan(MemoryPlan other, long nanos) {
    return new CompiledGraph(graph, types, kernels, storage, schedule, other, PlanScore.of(storage.problem(), other),
      passes,
      nanos);
  }

  /** The types of the outputs by name, in the model's order. */
  public Map<String, TensorType> outputTypes() {
    Map<String, TensorType> outputs = new LinkedHashMap<>();
    graph.graph().outputs().forEach(output -> outputs.put(output.name(), types.type(output.entry())));
    return outputs;
  }
}
