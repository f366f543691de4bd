package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Block;

/**
 * One pool while it is filled: a tree, and since when it can exist. A pool is allocated when its first buffer is; so if
 * a block's size is known only from some step on, nothing may lie in its pool before that step.
 */
final class AllocationPool {
  /** Any step: no block's size is unbacked. */
  private static final long UNRESTRICTED = -1;

  private final AllocationTree tree;
  private final boolean mayGrow;
  /** Blocks may not begin before this step. */
  private long restrictedFrom = UNRESTRICTED;

  /** @param mayGrow whether blocks that fit nowhere go to its end */
  AllocationPool(Block first, boolean mayGrow, long alignment) {
    tree = new AllocationTree(first, alignment);
    this.mayGrow = mayGrow;
    restrict(first);
  }

  TemporalSplit root() {
    return tree.root();
  }

  /**
   * Whether the block found a place.
   *
   * @param last whether there is no later pool, so that this one grows if it may
   */
  boolean allocate(Block block, boolean last) {
    if (block.live.begin() < restrictedFrom || (block.unbacked && block.live.begin() > root().live.begin())) {
      return false;
    }
    boolean grows = mayGrow && last;
    if (tree.allocate(block, grows)) {
      restrict(block);
      return true;
    }
    if (grows) {
      allocateAtEnd(block);
    }
    return grows;
  }

  void allocateAtEnd(Block block) {
    tree.allocateAtEnd(block);
    restrict(block);
  }

  private void restrict(Block block) {
    if (block.unbacked) {
      restrictedFrom = restrictedFrom == UNRESTRICTED
        ? block.live.begin()
        : Math.min(restrictedFrom, block.live.begin());
    }
  }
}
