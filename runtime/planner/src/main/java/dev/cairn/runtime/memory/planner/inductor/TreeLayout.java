package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;
import dev.cairn.runtime.memory.planner.inductor.TreeNode.Empty;
import dev.cairn.runtime.memory.planner.inductor.TreeNode.SpatialSplit;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * A finished tree as offsets. Sizes come first, from the leaves up: a split whose right side stayed empty is as large
 * as its left side, so that what was only reserved takes no bytes; then offsets, from the root down. Where an
 * allocation wants a greater alignment than the pool's own, all right sides it lies in begin at a multiple of that.
 */
final class TreeLayout {
  /** An allocation and where it lies in its pool. */
  record PlacedAllocation(Allocation allocation, SymbolicSize offset) {}

  private final String device;
  private final long alignment;
  private final TemporalSplit root;
  private final IdentityHashMap<TemporalSplit, Extent> extents = new IdentityHashMap<>();
  private final List<PlacedAllocation> places = new ArrayList<>();

  TreeLayout(String device, TemporalSplit root, long alignment) {
    this.device = device;
    this.root = root;
    this.alignment = alignment;
    List<TemporalSplit> splits = fromTheRootDown();
    splits.reversed().forEach(split -> extents.put(split, measure(split)));
    splits.forEach(this::place);
  }

  private List<TemporalSplit> fromTheRootDown() {
    List<TemporalSplit> splits = new ArrayList<>();
    Deque<TemporalSplit> unseen = new ArrayDeque<>();
    unseen.push(root);
    while (!unseen.isEmpty()) {
      TemporalSplit split = unseen.pop();
      splits.add(split);
      for (TreeNode child : split.children) {
        if (child instanceof SpatialSplit sides) {
          unseen.push(sides.right);
          unseen.push(sides.left);
        }
      }
    }
    return splits;
  }

  private Extent measure(TemporalSplit split) {
    List<SymbolicSize> sizes = new ArrayList<>();
    long strictest = 1;
    for (TreeNode child : split.children) {
      switch (child) {
        case Allocation allocation -> {
          sizes.add(allocation.bytes);
          strictest = Math.max(strictest, allocation.alignment);
        }
        case Empty _ -> sizes.add(SymbolicSize.ZERO);
        case SpatialSplit sides -> {
          Extent left = extent(sides.left);
          Extent right = extent(sides.right);
          sizes.add(sides.right.isEmpty() ? left.bytes : begin(sides).plus(right.bytes));
          strictest = Math.max(strictest, Math.max(left.strictest, right.strictest));
        }
      }
    }
    return new Extent(SymbolicSize.max(sizes), strictest);
  }

  private void place(TemporalSplit split) {
    SymbolicSize offset = extent(split).offset;
    for (TreeNode child : split.children) {
      switch (child) {
        case Allocation allocation -> places.add(new PlacedAllocation(allocation, offset));
        case Empty _ -> {}
        case SpatialSplit sides -> {
          extent(sides.left).offset = offset;
          extent(sides.right).offset = offset.plus(begin(sides));
        }
      }
    }
  }

  /** Where the right side begins, from the left side's beginning. */
  private SymbolicSize begin(SpatialSplit sides) {
    return extent(sides.left).bytes.align(Math.max(alignment, extent(sides.right).strictest));
  }

  private Extent extent(TemporalSplit split) {
    return Objects.requireNonNull(extents.get(split));
  }

  /** The pool's allocations. */
  List<PlacedAllocation> places() {
    return Collections.unmodifiableList(places);
  }

  String device() {
    return device;
  }

  SymbolicSize bytes() {
    return extent(root).bytes;
  }

  /** What the tree counted with while it was filled: by the hints, with the room that stayed empty. */
  long countedBytes() {
    return root.hintBytes();
  }

  /** The alignment of the pool's base. */
  long baseAlignment() {
    return Math.max(alignment, extent(root).strictest);
  }

  /** The end of the last range in which something in it is live. */
  long end() {
    return root.live.end();
  }

  private static final class Extent {
    final SymbolicSize bytes;
    /** The greatest alignment of all allocations in it. */
    final long strictest;
    SymbolicSize offset = SymbolicSize.ZERO;

    Extent(SymbolicSize bytes, long strictest) {
      this.bytes = bytes;
      this.strictest = strictest;
    }
  }
}
