package dev.cairn.kernels.cpu.access;

/** Steps through some axes of a {@link StridedCopy}, the last of them fastest, and knows the position of each side. */
final class StridedWalk {
  private final StridedCopy copy;
  private final int[] axes;
  private final long[] index;
  private long source;
  private long target;

  /** @param position how many steps to begin behind the first index */
  StridedWalk(StridedCopy copy, int[] axes, long position) {
    this.copy = copy;
    this.axes = axes;
    this.index = new long[axes.length];
    source = copy.sourceStart;
    target = copy.targetStart;
    long rest = position;
    for (int i = axes.length - 1; i >= 0; i--) {
      int axis = axes[i];
      index[i] = rest % copy.extents[axis];
      rest /= copy.extents[axis];
      source += index[i] * copy.from[axis];
      target += index[i] * copy.to[axis];
    }
  }

  /** Bytes into the source's segment. */
  long source() {
    return source;
  }

  /** Bytes into the target's segment. */
  long target() {
    return target;
  }

  /** One step on; behind the last index, back to the first. */
  void next() {
    for (int i = axes.length - 1; i >= 0; i--) {
      int axis = axes[i];
      source += copy.from[axis];
      target += copy.to[axis];
      if (++index[i] < copy.extents[axis]) {
        return;
      }
      index[i] = 0;
      source -= copy.from[axis] * copy.extents[axis];
      target -= copy.to[axis] * copy.extents[axis];
    }
  }
}
