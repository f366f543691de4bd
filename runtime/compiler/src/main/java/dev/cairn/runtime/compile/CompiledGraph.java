package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.analysis.HostCopies;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.pass.PassReport;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All decisions made before a run, for one set of input shapes. Immutable; owns no memory; serves any number of runs.
 *
 * @param graph the graph after all passes
 * @param types the types of its entries
 * @param kernels the kernel of each step
 * @param storage the steps, and the buffer of each entry
 * @param schedule the stream of each step, and the steps that it waits for
 * @param plan the place of each buffer; checked to be valid
 * @param score the plan compared with its lower bound
 * @param passes what each pass did
 * @param planNanos planning time
 * @param recomputed what recomputation did; empty where the options give no limit, or the plan keeps to it anyway
 * @param offloaded the results that wait in the host's memory; empty where none do
 * @param streamed what streaming of weights did; empty where it was not tried
 */
public record CompiledGraph(IndexedGraph graph, GraphTypes types, List<KernelRow> kernels, Storage storage,
  StreamSchedule schedule, MemoryPlan plan, PlanScore score, PassReport passes, long planNanos,
  Optional<Recomputed> recomputed, Optional<Offloaded> offloaded, Optional<Streamed> streamed) {
  public CompiledGraph {
    kernels = List.copyOf(kernels);
  }

  /** This compiled graph with another valid plan of its memory problem. */
  public CompiledGraph withPlan(MemoryPlan other, long nanos) {
    if (isBoundToItsPlan()) {
      throw new IllegalStateException("copies are scheduled for another plan: planner=" + plan.planner());
    }
    return new CompiledGraph(graph, types, kernels, storage, schedule, other, PlanScore.of(storage.problem(), other),
      passes, nanos, recomputed, offloaded, streamed);
  }

  /** The same graph with a record of the attempts to make it fit. */
  CompiledGraph with(Optional<Recomputed> recomputation, Optional<Streamed> streaming) {
    return new CompiledGraph(graph, types, kernels, storage, schedule, plan, score, passes, planNanos, recomputation,
      offloaded, streaming);
  }

  /** The same graph with its offloaded results. */
  CompiledGraph with(Offloaded offload) {
    return new CompiledGraph(graph, types, kernels, storage, schedule, plan, score, passes, planNanos, recomputed,
      Optional.of(offload), streamed);
  }

  /**
   * Whether the schedule holds for this plan alone. It does if copies wait for steps that use the same bytes in this
   * plan.
   */
  public boolean isBoundToItsPlan() {
    return storage.steps().stream().anyMatch(it -> HostCopies.isLoad(it) || HostCopies.isOut(it));
  }

  /** The constants that steps copy from the host's memory; the others are on the device. */
  public Set<Node> streamedConstants() {
    Set<Node> found = new HashSet<>();
    storage.steps().stream().filter(HostCopies::isLoad).forEach(it -> found.add(it.inputs().getFirst().node()));
    return found;
  }

  /** The types of the outputs by name, in the model's order. */
  public Map<String, TensorType> outputTypes() {
    Map<String, TensorType> outputs = new LinkedHashMap<>();
    graph.graph().outputs().forEach(output -> outputs.put(output.name(), types.type(output.entry())));
    return outputs;
  }
}
