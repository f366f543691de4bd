package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.analysis.NnvmAnalysis.NnvmView;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import dev.cairn.runtime.memory.planner.nnvm.PlanMemory;
import dev.cairn.runtime.memory.planner.nnvm.StoragePlan;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Lays a graph out as NNVM's PlanMemory does: the pass decides what runs in place and which storage each result takes,
 * and the plan has one pool for each storage that holds anything. Variables are Cairn's: a value that is computed right
 * into a variable leaves the storage that NNVM gave it empty.
 */
public record NnvmGraphPlanner(NnvmOptions options) implements GraphPlanner {
  /** @throws IllegalArgumentException when the options leave no match range to try */
  @Override
  public PlannedStorage plan(IndexedGraph graph, GraphTypes types, OperatorTable operators,
    ToLongFunction<Node> workspaceBytes,
    long alignment) {
    NnvmView view = NnvmAnalysis.analyse(graph, types, operators, workspaceBytes);
    StoragePlan answer = PlanMemory.plan(view.graph(), options);
    Storage storage = StorageAnalysis.analyse(graph, types, operators, workspaceBytes, alignment,
      (result, input) -> answer.inPlaceIndex().get(view.entries().get(graph.entryId(result))) == given(result, input));
    int[] storageOf = storageIds(graph, view, answer, storage);
    return new PlannedStorage(storage, plan(storage.problem(), storageOf));
  }

  /** The position of an input as the pass counts, which counts given inputs only. */
  private static int given(NodeEntry result, int input) {
    List<NodeEntry> before = result.node().inputs().subList(0, input);
    return (int) before.stream().filter(it -> !it.isAbsent()).count();
  }

  /** For each buffer. */
  private static int[] storageIds(IndexedGraph graph, NnvmView view, StoragePlan answer, Storage storage) {
    int[] ids = new int[storage.problem().size()];
    for (int entry = 0; entry < storage.places().size(); entry++) {
      if (storage.places().get(entry) instanceof Place.Planned(int buffer)) {
        ids[buffer] = answer.storageIds().get(view.entries().get(entry));
      }
    }
    for (int step = 0; step < storage.steps().size(); step++) {
      Node node = storage.steps().get(step);
      // The output after the node's own outputs stands for scratch memory.
      int scratch = view.entries().get(graph.entryId(node.entry())) + node.kind().outputs();
      storage.workspaces().get(step).ifPresent(place -> ids[place.buffer()] = answer.storageIds().get(scratch));
    }
    return ids;
  }

  private static MemoryPlan plan(MemoryProblem problem, int[] storageOf) {
    int[] used = Arrays.stream(storageOf).sorted().distinct().toArray();
    List<Pool> pools = new ArrayList<>();
    for (int id : used) {
      List<Buffer> inside = new ArrayList<>();
      for (int buffer = 0; buffer < storageOf.length; buffer++) {
        if (storageOf[buffer] == id) {
          inside.add(problem.buffer(buffer));
        }
      }
      pools.add(new Pool(inside.stream().mapToLong(Buffer::reservedBytes).max().orElse(0),
        inside.stream().mapToLong(Buffer::alignment).max().orElse(1)));
    }
    return new MemoryPlan("nnvm-graph", pools, Arrays.stream(storageOf)
      .mapToObj(id -> new Placement(Arrays.binarySearch(used, id), 0)).toList());
  }
}
