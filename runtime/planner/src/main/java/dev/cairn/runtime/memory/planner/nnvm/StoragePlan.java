package dev.cairn.runtime.memory.planner.nnvm;

import java.util.List;

/**
 * The attributes that PlanMemory leaves on the graph.
 *
 * @param storageIds by entry id: a storage, or one of {@link StorageId} ("storage_id")
 * @param inPlaceIndex by entry id: the position of the input whose storage it took, {@value #NOT_IN_PLACE}, or
 *   {@value #NEVER_READ} ("storage_inplace_index")
 * @param storageBytes by storage id, the most that was requested of it, as the options count bytes
 * @param notAllocated planned nodes' outputs left without a storage ("storage_num_not_allocated")
 * @param matchRange with which the plan was found
 */
public record StoragePlan(List<Integer> storageIds, List<Integer> inPlaceIndex, List<Long> storageBytes,
  int notAllocated, long matchRange) {
  /** The in-place index of an entry that took no input's storage. */
  public static final int NOT_IN_PLACE = -1;
  /** The in-place index of an entry that was released at once because no node reads it. */
  public static final int NEVER_READ = -2;

  public StoragePlan {
    storageIds = List.copyOf(storageIds);
    inPlaceIndex = List.copyOf(inPlaceIndex);
    storageBytes = List.copyOf(storageBytes);
  }

  /** Bytes of all storages together ("storage_allocated_bytes"). */
  public long allocatedBytes() {
    return storageBytes.stream().mapToLong(Long::longValue).reduce(0, Math::addExact);
  }
}
