package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;

/**
 * One pool while it is filled: a tree, and the first step at which the pool can exist. A pool is allocated when its
 * first buffer is; so if an allocation's size is known only from some step on, nothing may lie in its pool before that
 * step.
 */
final class AllocationPool {
  /** Any step: no allocation's size is unbacked. */
  private static final long UNRESTRICTED = -1;

  private final AllocationTree tree;
  private final boolean mayGrow;
  /** Blocks may not begin before this step. */
  private long restrictedFrom = UNRESTRICTED;

  /** @param mayGrow whether allocations that fit nowhere go to its end */
  AllocationPool(Allocation first, boolean mayGrow, long alignment) {
    tree = new AllocationTree(first, alignment);
    this.mayGrow = mayGrow;
    restrict(first);
  }

  TemporalSplit root() {
    return tree.root();
  }

  /**
   * Whether the allocation found a place.
   *
   * @param last whether there is no later pool, so that this one grows if it may
   */
  boolean allocate(Allocation allocation, boolean last) {
    if (allocation.live.begin() < restrictedFrom
      || (allocation.unbacked && allocation.live.begin() > root().live.begin())) {
      return false;
    }
    boolean grows = mayGrow && last;
    if (tree.allocate(allocation, grows)) {
      restrict(allocation);
      return true;
    }
    if (grows) {
      allocateAtEnd(allocation);
    }
    return grows;
  }

  void allocateAtEnd(Allocation allocation) {
    tree.allocateAtEnd(allocation);
    restrict(allocation);
  }

  private void restrict(Allocation allocation) {
    if (allocation.unbacked) {
      restrictedFrom = restrictedFrom == UNRESTRICTED
        ? allocation.live.begin()
        : Math.min(restrictedFrom, allocation.live.begin());
    }
  }
}
