package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.OffsetAlignment;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import org.jspecify.annotations.Nullable;

/** A child of a {@link TemporalSplit}: it has the split's bytes to itself while it is live. */
sealed abstract class TreeNode {
  /** Bytes by the hints; decides where allocations go. */
  abstract long hintBytes();

  /** A buffer group; it takes nothing in. */
  static final class Allocation extends TreeNode {
    /** The value that an unbacked size counts as. */
    private static final long UNBACKED_HINT_BYTES = 64;

    /** The caller's number of the group. */
    final int number;
    final String device;
    final boolean output;
    final LiveRange live;
    final SymbolicSize bytes;
    final long hintBytes;
    final long alignment;
    /** Whether its bytes are known only once a kernel has run. */
    final boolean unbacked;

    Allocation(int number, LineBuffer buffer, LiveRange live, boolean output) {
      this.number = number;
      this.output = output;
      device = buffer.device();
      this.live = live;
      bytes = buffer.bytes();
      unbacked = bytes.hint().isEmpty();
      hintBytes = bytes.hint().orElse(UNBACKED_HINT_BYTES);
      alignment = buffer.alignment();
    }

    /** The node's range as the row of one child. */
    LiveRow row() {
      LiveRow row = new LiveRow();
      row.add(live, 0);
      return row;
    }

    @Override
    long hintBytes() {
      return hintBytes;
    }
  }

  /** Room that nothing takes yet; it only makes the sizes above it right. Always a lone child, never live. */
  static final class Empty extends TreeNode {
    private final long bytes;

    Empty(long bytes) {
      this.bytes = bytes;
    }

    @Override
    long hintBytes() {
      return bytes;
    }
  }

  /** Two splits side by side: the right one begins where the left one, rounded up, ends. */
  static final class SpatialSplit extends TreeNode {
    final TemporalSplit left;
    final TemporalSplit right;
    private final long alignment;
    /** The split it is a child of; null until it has one. */
    @Nullable
    private TemporalSplit parent;
    private int number;
    private long hintBytes;

    SpatialSplit(TemporalSplit left, TemporalSplit right, long alignment) {
      this.left = left;
      this.right = right;
      this.alignment = alignment;
      left.parent = this;
      right.parent = this;
      measure();
    }

    /** Makes it a child of a split. */
    void adoptedBy(TemporalSplit newParent, int newNumber) {
      parent = newParent;
      number = newNumber;
    }

    TemporalSplit parent() {
      if (parent == null) {
        throw new AssertionError("spatial split without a parent");
      }
      return parent;
    }

    /** The node's number among its parent's children. */
    int number() {
      return number;
    }

    /** Brings the hint up to date with the two splits. */
    void measure() {
      hintBytes = Math.addExact(OffsetAlignment.upExact(left.hintBytes(), alignment), right.hintBytes());
    }

    @Override
    long hintBytes() {
      return hintBytes;
    }
  }
}
