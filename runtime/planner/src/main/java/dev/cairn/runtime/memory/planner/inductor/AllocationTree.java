package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;
import dev.cairn.runtime.memory.planner.inductor.TreeNode.SpatialSplit;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One pool's bytes, cut in time and space by turns.
 *
 * <pre>
 *   time -&gt;
 *   Temporal +---------------------+      A  is an Allocation;
 *            |  A   |  C    | free |      C  with what is free beside it, and B with its neighbours,
 *            |      |-------+------|         are SpatialSplits: two Temporals side by side;
 *            |      | free         |      allocateAtEnd puts the whole root into the left of a new one.
 *            +---------------------+
 * </pre>
 *
 * An allocation goes where at most one child is in its way, and then into that child if that is a spatial split, its
 * left side first; only the last side of all may grow. Deep trees are walked with a stack of their own.
 */
final class AllocationTree {
  private final long alignment;
  private TemporalSplit root;

  AllocationTree(Allocation allocation, long alignment) {
    this.alignment = alignment;
    root = TemporalSplit.of(allocation);
  }

  TemporalSplit root() {
    return root;
  }

  /** Whether the allocation found its place; nothing has changed if not. */
  boolean allocate(Allocation allocation, boolean mayGrow) {
    Deque<TemporalSplit> untried = new ArrayDeque<>();
    untried.push(root);
    while (!untried.isEmpty()) {
      TemporalSplit split = untried.pop();
      // Each left side lies above its right side, so the bottom of the stack is the last side of all.
      boolean last = mayGrow && untried.isEmpty();
      if ((last || allocation.hintBytes <= split.hintBytes()) && !split.refuses(allocation)) {
        int child = split.live.childAt(allocation.live);
        if (child == LiveRow.NONE) {
          split.take(allocation, alignment);
          tellAbove(split, allocation);
          return true;
        }
        if (child != LiveRow.SEVERAL && split.children.get(child) instanceof SpatialSplit sides) {
          untried.push(sides.right);
          untried.push(sides.left);
        }
      }
    }
    return false;
  }

  /** Puts the allocation behind all there is. */
  void allocateAtEnd(Allocation allocation) {
    root = TemporalSplit.sideBySide(root, allocation, alignment);
  }

  private static void tellAbove(TemporalSplit changed, Allocation allocation) {
    LiveRow filled = changed.full;
    SpatialSplit sides = changed.parent;
    while (sides != null) {
      TemporalSplit parent = sides.parent();
      sides.measure();
      parent.live.add(allocation.live, sides.number());
      parent.measure(sides);
      if (!filled.isEmpty()) {
        filled = sides.left.full.common(sides.right.full).common(allocation.row());
        parent.full.addAll(filled, 0);
      }
      sides = parent.parent;
    }
  }
}
