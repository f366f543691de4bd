package dev.cairn.runtime.memory.planner.nnvm;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A plan in which variables have storages of their own and assigns write them (NNVM's DecorateMemoryPlan). An id may be
 * left without entries, because what was planned into it is now written into a variable. The graph's total is gone, as
 * upstream drops it: ask {@link StorageSetup}.
 *
 * @param storageIds by entry id
 * @param flags by node id
 */
public record DecoratedPlan(List<Integer> storageIds, List<AssignFlag> flags) {
  public DecoratedPlan {
    storageIds = List.copyOf(storageIds);
    flags = List.copyOf(flags);
  }

  /**
   * Decorates a plan with the graph's own {@linkplain AssignMarking marking}.
   *
   * @throws IllegalArgumentException when an entry was left without storage, since only graphs whose memory is all
   *   static can be decorated; or when two identities share what an assign's result was planned into: the result moves
   *   to the variable, which may change between the two
   */
  public static DecoratedPlan of(NnvmGraph graph, StoragePlan plan) {
    return of(graph, plan, AssignMarking.of(graph));
  }

  /** The same with flags from elsewhere, which are not checked. */
  static DecoratedPlan of(NnvmGraph graph, StoragePlan plan, List<AssignFlag> flags) {
    if (plan.notAllocated() != 0) {
      throw new IllegalArgumentException("memory is not all static: notAllocated=" + plan.notAllocated());
    }
    int[] ids = plan.storageIds().stream().mapToInt(Integer::intValue).toArray();
    int next = Math.max(0, IntStream.of(ids).max().orElse(-1) + 1);
    for (int nodeId = 0; nodeId < graph.nodes().size(); nodeId++) {
      if (graph.node(nodeId).isVariable()) {
        ids[graph.firstEntryId(nodeId)] = next++;
      }
    }
    for (int nodeId = 0; nodeId < graph.nodes().size(); nodeId++) {
      if (flags.get(nodeId) != AssignFlag.NONE) {
        List<Integer> inputs = graph.node(nodeId).inputs();
        ids[graph.firstEntryId(nodeId)] = ids[inputs.get(0)];
        if (flags.get(nodeId) == AssignFlag.NOP) {
          ids[inputs.get(1)] = ids[inputs.get(0)];
        }
      }
    }
    requireOneOwner(graph, plan, ids);
    return new DecoratedPlan(IntStream.of(ids).boxed().toList(), flags);
  }

  /** Of those that took a moved entry's storage, only one may stay behind in it. */
  private static void requireOneOwner(NnvmGraph graph, StoragePlan plan, int[] ids) {
    int[] stayed = new int[ids.length];
    for (int entry = 0; entry < ids.length; entry++) {
      int position = plan.inPlaceIndex().get(entry);
      if (position >= 0 && ids[entry] == plan.storageIds().get(entry)) {
        NnvmNode node = graph.node(graph.producer(entry));
        int taken = node.inputs().get(position);
        if (ids[taken] != ids[entry] && ++stayed[taken] > 1) {
          throw new IllegalArgumentException("two identities of an assign's result share a storage: node=%s input=%d "
            .formatted(node.name(), position) + "storage=" + ids[entry]);
        }
      }
    }
  }

  /**
   * Whether the node needs no kernel: an assign whose value is in place already, or an operator whose one output is
   * its input bit for bit and lies where that lies. An identity of an assign's result is none, though the pass planned
   * it in place: the result has moved to the variable since.
   */
  public boolean isNop(NnvmGraph graph, int nodeId) {
    NnvmNode node = graph.node(nodeId);
    return flags.get(nodeId) == AssignFlag.NOP
      || (node.outputs().size() == 1
        && node.traits().inPlace().stream().anyMatch(pair -> pair.identity()
          && isSame(graph, node.inputs().get(pair.input()), graph.firstEntryId(nodeId))));
  }

  private boolean isSame(NnvmGraph graph, int in, int out) {
    return storageIds.get(out) >= 0 && storageIds.get(out).equals(storageIds.get(in))
      && graph.entry(in).type().equals(graph.entry(out).type());
  }
}
