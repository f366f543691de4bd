package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The positions of the elements of up to three operands that broadcast to one shape: {@code struct Walk} in {@code
 * cairn.cuh}. Neighbouring axes are merged where this is possible for all operands. The host creates it, and kernels
 * read it.
 */
public final class BroadcastWalk {
  /** The same number as in {@code cairn.cuh}. */
  static final int MOST_AXES = 8;
  public static final int OPERANDS = 3;

  private static final class Axis {
    final long extent;
    final long[] strides;

    Axis(long extent, long[] strides) {
      this.extent = extent;
      this.strides = strides;
    }
  }

  private final List<Axis> axes;

  private BroadcastWalk(List<Axis> axes) {
    this.axes = axes;
  }

  /** @throws IllegalArgumentException if an operand does not broadcast, or too many axes are left after merging */
  public static BroadcastWalk of(Shape output, Shape... operands) {
    return of(output, Arrays.stream(operands).map(it -> Layout.rowMajor(it).broadcastTo(output)).toList());
  }

  /** The walk over operands with any layouts. Each layout has the output's shape. */
  public static BroadcastWalk of(Shape output, List<Layout> operands) {
    return of(output.extents(), operands.stream().map(Layout::strides).toArray(long[][]::new));
  }

  /** The walk over any extents, with the strides of each operand. */
  public static BroadcastWalk of(long[] extents, long[]... operands) {
    List<Axis> merged = new ArrayList<>();
    for (int i = 0; i < extents.length; i++) {
      long[] strides = new long[OPERANDS];
      for (int k = 0; k < operands.length; k++) {
        strides[k] = operands[k][i];
      }
      if (extents[i] != 1) {
        add(merged, new Axis(extents[i], strides));
      }
    }
    if (merged.size() > MOST_AXES) {
      throw new IllegalArgumentException("too many axes that don't merge: extents=%s axes=%d most=%d".formatted(
        Arrays.toString(extents), merged.size(), MOST_AXES));
    }
    return new BroadcastWalk(merged);
  }

  private static void add(List<Axis> merged, Axis inner) {
    if (!merged.isEmpty() && continues(merged.getLast(), inner)) {
      Axis outer = merged.removeLast();
      merged.add(new Axis(outer.extent * inner.extent, inner.strides));
    } else {
      merged.add(inner);
    }
  }

  private static boolean continues(Axis outer, Axis inner) {
    for (int k = 0; k < OPERANDS; k++) {
      if (outer.strides[k] != inner.strides[k] * inner.extent) {
        return false;
      }
    }
    return true;
  }

  /** The bytes of the structure that the kernel reads. */
  public byte[] bytes() {
    long[][] columns = new long[1 + OPERANDS][axes.size()];
    for (int i = 0; i < axes.size(); i++) {
      columns[0][i] = axes.get(i).extent;
      for (int k = 0; k < OPERANDS; k++) {
        columns[1 + k][i] = axes.get(i).strides[k];
      }
    }
    return LongTable.counted(axes.size(), columns);
  }
}
