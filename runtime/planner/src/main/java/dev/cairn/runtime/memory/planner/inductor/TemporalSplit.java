package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;
import dev.cairn.runtime.memory.planner.inductor.TreeNode.Empty;
import dev.cairn.runtime.memory.planner.inductor.TreeNode.SpatialSplit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that several children share one after the other: no two are ever live at the same time, and it is as large as
 * the largest.
 *
 * <pre>
 *   equal size       smaller              bigger, at the end of the pool
 *   | A  B |         | A  [B | empty] |   | [A | empty]  B |
 * </pre>
 */
final class TemporalSplit {
  final List<TreeNode> children = new ArrayList<>();
  final LiveRow live;
  /**
   * The steps when no split of this subtree has room: a buffer that is live then is refused without a look below. Steps
   * may be missing; that costs a look only.
   */
  final LiveRow full = new LiveRow();
  /** The split it is a side of; null at the root of a pool. */
  @Nullable
  SpatialSplit parent;
  private long hintBytes;

  /** A split of one child, live as the row says of child 0. */
  private TemporalSplit(TreeNode child, LiveRow live) {
    this.live = live;
    children.add(child);
    adopt(0);
  }

  static TemporalSplit of(Allocation allocation) {
    TemporalSplit split = new TemporalSplit(allocation, new LiveRow());
    split.live.add(allocation.live, 0);
    split.fill(allocation.live);
    return split;
  }

  static TemporalSplit ofEmpty(long bytes) {
    return new TemporalSplit(new Empty(bytes), new LiveRow());
  }

  /** A root with another root and an allocation side by side. */
  static TemporalSplit sideBySide(TemporalSplit root, Allocation allocation, long alignment) {
    LiveRow live = root.live.asOneChild();
    live.add(allocation.live, 0);
    TemporalSplit right = of(allocation);
    TemporalSplit whole = new TemporalSplit(new SpatialSplit(root, right, alignment), live);
    whole.full.addAll(root.full.common(right.full), 0);
    return whole;
  }

  long hintBytes() {
    return hintBytes;
  }

  /** Whether an allocation goes neither here nor below, as far as {@link #full} knows. */
  boolean refuses(Allocation allocation) {
    return full.childAt(allocation.live) != LiveRow.NONE;
  }

  private void fill(LiveRange range) {
    if (range.length() > 0) {
      full.add(range, 0);
    }
  }

  /** Whether nothing lies in it. */
  boolean isEmpty() {
    return children.size() == 1 && children.getFirst() instanceof Empty;
  }

  /** Takes an allocation in that overlaps no child; one that is bigger than the split makes it grow. */
  void take(Allocation allocation, long alignment) {
    if (isEmpty()) {
      children.clear();
    }
    long spareBytes = hintBytes - allocation.hintBytes;
    if (spareBytes < 0) {
      widenAll(-spareBytes, alignment);
    }
    if (spareBytes <= 0) {
      fill(allocation.live);
    }
    live.add(allocation.live, children.size());
    children.add(spareBytes > 0 ? new SpatialSplit(of(allocation), ofEmpty(spareBytes), alignment) : allocation);
    adopt(children.size() - 1);
  }

  private void widenAll(long bytes, long alignment) {
    forgetFull();
    LiveRow[] rows = live.byChild(children.size());
    for (int i = 0; i < rows.length; i++) {
      children.set(i,
        new SpatialSplit(new TemporalSplit(children.get(i), rows[i]), ofEmpty(bytes), alignment));
      adopt(i);
    }
  }

  /** There is room beside every child now, here and so in all that lies above. */
  private void forgetFull() {
    full.clear();
    for (SpatialSplit sides = parent; sides != null; sides = sides.parent().parent) {
      sides.parent().full.clear();
    }
  }

  private void adopt(int number) {
    TreeNode child = children.get(number);
    if (child instanceof SpatialSplit split) {
      split.adoptedBy(this, number);
    }
    measure(child);
  }

  /** Brings the hint up to date with a child that is new or has grown. */
  void measure(TreeNode child) {
    hintBytes = Math.max(hintBytes, child.hintBytes());
  }
}
