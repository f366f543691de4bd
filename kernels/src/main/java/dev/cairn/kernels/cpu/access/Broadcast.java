package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/**
 * How operands stretch to one output, with as few axes as possible: axes of extent 1 are dropped, and neighbours that
 * all operands walk through as one are merged. After that a dense operand steps by 0 or 1 along the innermost
 * axis, so that a kernel works on runs and never computes an index per element. Immutable.
 *
 * <pre> 2x3x4x4 + 3x1x1   →   2x3x16, steps (48,16,1) and (0,1,0)   →   6 runs of 16 </pre>
 */
public final class Broadcast {
  private final long[] extents;
  private final long[][] strides;
  private final long elementCount;

  private Broadcast(long[] extents, long[][] strides) {
    this.extents = extents;
    this.strides = strides;
    long count = 1;
    for (long extent : extents) {
      count *= extent;
    }
    this.elementCount = count;
  }

  /** @throws IllegalArgumentException when an operand does not stretch to {@code output} */
  public static Broadcast of(Shape output, Shape... operands) {
    long[][] full = new long[operands.length][];
    for (int k = 0; k < operands.length; k++) {
      full[k] = Layout.rowMajor(operands[k]).broadcastTo(output).strides();
    }
    long[] extents = new long[output.rank() + 1];
    long[][] strides = new long[operands.length][output.rank() + 1];
    int axes = 0;
    for (int axis = 0; axis < output.rank(); axis++) {
      long extent = output.extent(axis);
      if (extent == 1) {
        continue;
      }
      boolean merge = axes > 0 && continues(strides, axes - 1, full, axis, extent);
      int into = merge ? axes - 1 : axes++;
      extents[into] = merge ? extents[into] * extent : extent;
      for (int k = 0; k < operands.length; k++) {
        strides[k][into] = full[k][axis];
      }
    }
    if (axes == 0) {
      extents[axes++] = 1;
    }
    int rank = axes;
    return new Broadcast(Arrays.copyOf(extents, rank),
      Arrays.stream(strides).map(all -> Arrays.copyOf(all, rank)).toArray(long[][]::new));
  }

  private static boolean continues(long[][] outer, int outerAxis, long[][] full, int axis, long extent) {
    for (int k = 0; k < full.length; k++) {
      if (outer[k][outerAxis] != full[k][axis] * extent) {
        return false;
      }
    }
    return true;
  }

  /** Elements of the output. */
  public long elementCount() {
    return elementCount;
  }

  /** Elements of the output along the innermost axis. */
  public long runLength() {
    return extents[extents.length - 1];
  }

  /** How many axes are left. */
  public int axes() {
    return extents.length;
  }

  /** Elements of the output along an axis. */
  public long extent(int axis) {
    return extents[axis];
  }

  /** How far apart neighbours along an axis are in an operand; 0 where it repeats. */
  public long stride(int operand, int axis) {
    return strides[operand][axis];
  }

  /** 0 when an operand repeats one element along a run, 1 when it walks on. */
  public long step(int operand) {
    return strides[operand][extents.length - 1];
  }

  /** Whether there are two axes, and an operand is one row that all rows of the output repeat. */
  public boolean repeatsRow(int operand) {
    return extents.length == 2 && strides[operand][0] == 0 && strides[operand][1] == 1;
  }

  /** Whether there are two axes, and an operand walks through both as the output does. */
  public boolean walksRows(int operand) {
    return extents.length == 2 && strides[operand][0] == extents[1] && strides[operand][1] == 1;
  }

  /** The runs that cover output elements {@code [first, end)}. */
  public Runs runs(long first, long end) {
    return new Runs(this, first, end);
  }

  /** A walk over runs: {@link #next} moves to the next one, which the getters describe. For one thread. */
  public static final class Runs {
    private static final long[] NONE = {};

    private final Broadcast broadcast;
    private final long end;
    /** Empty where there is one axis, along which everything follows from the output's index. */
    private final long[] offsets;
    private final long[] positions;
    private long output;
    private long length;

    private Runs(Broadcast broadcast, long first, long end) {
      this.broadcast = broadcast;
      this.end = end;
      boolean isFlat = broadcast.extents.length == 1;
      this.offsets = isFlat ? NONE : new long[broadcast.strides.length];
      this.positions = isFlat ? NONE : new long[broadcast.extents.length];
      this.output = first;
    }

    /** Moves to the next run; false when there is none. */
    public boolean next() {
      boolean started = length > 0;
      output += length;
      if (output >= end) {
        return false;
      }
      if (positions.length == 0) {
        length = end - output;
        return true;
      }
      if (started) {
        carry();
      } else {
        locate();
      }
      int innermost = positions.length - 1;
      length = Math.min(broadcast.extents[innermost] - positions[innermost], end - output);
      return true;
    }

    private void locate() {
      long rest = output;
      for (int axis = positions.length - 1; axis >= 0; axis--) {
        move(axis, rest % broadcast.extents[axis]);
        rest /= broadcast.extents[axis];
      }
    }

    /** From the end of the innermost axis to the next position, without dividing. */
    private void carry() {
      int axis = positions.length - 1;
      move(axis--, 0);
      while (positions[axis] + 1 == broadcast.extents[axis]) {
        move(axis--, 0);
      }
      move(axis, positions[axis] + 1);
    }

    private void move(int axis, long position) {
      long steps = position - positions[axis];
      positions[axis] = position;
      for (int k = 0; k < offsets.length; k++) {
        offsets[k] += steps * broadcast.strides[k][axis];
      }
    }

    /** Index of the run's first element in the output. */
    public long output() {
      return output;
    }

    /** Elements in the run; at least 1. */
    public long length() {
      return length;
    }

    /** Index of the run's first element in an operand. */
    public long offset(int operand) {
      return positions.length == 0 ? output * broadcast.strides[operand][0] : offsets[operand];
    }
  }
}
