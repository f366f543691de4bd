package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/**
 * {@code MaxpoolWithMask(x, mask)} of com.microsoft, for {@code float32}: maxima of windows. In each row of a window,
 * the last axis, elements from the first one on whose mask is 0 do not count. With several spatial axes, the first
 * element of a channel counts whatever its mask. A window in which nothing counts has the least finite number. One mask
 * serves all channels.
 */
public final class CpuMaskedPool implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    Shape shape = x.shape();
    SlidingWindow window = SlidingWindow.ofPool(call.attributes(), shape);
    long elements = shape.elementCount(2, shape.rank());
    long windows = y.shape().elementCount(2, shape.rank());
    CpuStream.of(call).parallel(y.elementCount() / windows, 1, (first, end) -> {
      int[] at = new int[window.rank()];
      for (long channel = first; channel < end; channel++) {
        for (long i = 0; i < windows; i++) {
          long rest = i;
          for (int axis = at.length - 1; axis >= 0; axis--) {
            at[axis] = (int) (rest % window.outputExtent(axis));
            rest /= window.outputExtent(axis);
          }
          float most = most(call, window, at, 0, 0, channel * elements);
          y.segment().set(FLOAT, (channel * windows + i) * Float.BYTES, most);
        }
      }
    });
  }

  /**
   * The maximum of a window from one axis on.
   *
   * @param index the element of the channel to which the axes before lead, in units of this axis
   * @param plane the first element of the channel
   */
  private static float most(KernelCall call, SlidingWindow window, int[] at, int axis, long index, long plane) {
    TensorView x = call.input(0);
    int extent = Math.toIntExact(x.shape().extent(axis + 2));
    int start = window.start(axis, at[axis]);
    int end = Math.min(start + window.kernel(axis), extent);
    float most = -Float.MAX_VALUE;
    for (int i = Math.max(start, 0); i < end; i++) {
      long inner = index * extent + i;
      if (axis + 1 < at.length) {
        most = greater(most(call, window, at, axis + 1, inner, plane), most);
        continue;
      }
      boolean isMasked = call.input(1).segment().get(INT, inner * Integer.BYTES) == 0;
      if (isMasked && (inner > 0 || at.length == 1)) {
        break;
      }
      most = greater(x.segment().get(FLOAT, (plane + inner) * Float.BYTES), most);
    }
    return most;
  }

  /** A NaN is not greater. */
  private static float greater(float value, float most) {
    return value > most ? value : most;
  }
}
