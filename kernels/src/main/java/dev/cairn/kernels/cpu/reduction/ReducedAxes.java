package dev.cairn.kernels.cpu.reduction;

import dev.cairn.kernels.attribute.ReductionForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * Which axes a reduction walks over, with as few axes as possible: neighbours that are both kept or both reduced are
 * merged, and axes of extent 1 dropped. So kept and reduced axes alternate, and most calls have two or three.
 *
 * <pre> 8x64x7x7 over axes 2 and 3   →   512 kept, 49 reduced </pre>
 */
public final class ReducedAxes {
  private final long[] extents;
  private final boolean[] reduced;

  private ReducedAxes(long[] extents, boolean[] reduced) {
    this.extents = extents;
    this.reduced = reduced;
  }

  /**
   * The axes of a call {@code (data, axes?)}. Axes left out or empty mean all, or with {@code noop_with_empty_axes}
   * none.
   *
   * @throws IllegalArgumentException when there is no such axis
   */
  public static ReducedAxes of(KernelCall call) {
    Shape shape = call.input(0).shape();
    boolean[] chosen = new boolean[shape.rank()];
    TensorView axes = call.has(1) ? call.input(1) : TensorView.ofLongs();
    if (axes.elementCount() == 0) {
      Arrays.fill(chosen, !ReductionForm.of(call.attributes()).isNoneOfNone());
    }
    for (long axis : axes.toLongArray()) {
      chosen[shape.axis(axis)] = true;
    }
    return of(shape, chosen);
  }

  static ReducedAxes of(Shape shape, boolean[] chosen) {
    long[] extents = new long[chosen.length];
    boolean[] reduced = new boolean[chosen.length];
    int count = 0;
    for (int axis = 0; axis < chosen.length; axis++) {
      long extent = shape.extent(axis);
      if (extent != 1) {
        boolean merge = count > 0 && reduced[count - 1] == chosen[axis];
        int into = merge ? count - 1 : count++;
        extents[into] = merge ? extents[into] * extent : extent;
        reduced[into] = chosen[axis];
      }
    }
    return new ReducedAxes(Arrays.copyOf(extents, count), Arrays.copyOf(reduced, count));
  }

  /** Axes left after merging. */
  public int rank() {
    return extents.length;
  }

  public long extent(int axis) {
    return extents[axis];
  }

  public boolean reduces(int axis) {
    return reduced[axis];
  }

  /** How many elements become one. */
  public long reducedCount() {
    return count(extents.length, true);
  }

  /** The innermost extent if that axis is reduced (or not, as asked); else 1. */
  long innermost(boolean whenReduced) {
    int last = extents.length - 1;
    return last >= 0 && reduced[last] == whenReduced ? extents[last] : 1;
  }

  /** Product of the extents of the reduced (or kept) axes before {@code end}. */
  private long count(int end, boolean ofReduced) {
    long product = 1;
    for (int axis = 0; axis < end; axis++) {
      product *= reduced[axis] == ofReduced ? extents[axis] : 1;
    }
    return product;
  }

  /** Like {@link #count} of all axes but the innermost. */
  long outerCount(boolean ofReduced) {
    return count(Math.max(0, extents.length - 1), ofReduced);
  }

  /** The offset of the {@code index}-th combination of the reduced (or kept) axes but the innermost, in elements. */
  long outerOffset(long index, boolean ofReduced) {
    long offset = 0;
    long rest = index;
    long stride = extents.length == 0 ? 1 : extents[extents.length - 1];
    for (int axis = extents.length - 2; axis >= 0; axis--) {
      if (reduced[axis] == ofReduced) {
        offset += rest % extents[axis] * stride;
        rest /= extents[axis];
      }
      stride *= extents[axis];
    }
    return offset;
  }
}
