package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.cpu.movement.CpuSlice;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorView;

/** Writes a tensor into some elements of another: the way back of {@link CpuSlice}. */
public final class StridedAssign {
  private StridedAssign() {}

  /**
   * Copies every element of the value; value and target do not overlap.
   *
   * @param stream of the processor
   * @param from where the value's elements lie; strides of 0 repeat them
   * @param offset of the first element written, in elements of the target
   * @param to where they go, with the same shape as {@code from}
   */
  public static void run(Stream stream, TensorView value, Layout from, TensorView target, long offset, Layout to) {
    if (!from.shape().equals(to.shape()) || value.dtype() != target.dtype()) {
      throw new IllegalArgumentException("value and target differ: value=%s as %s target=%s as %s".formatted(value
        .type(), from.shape(), target.type(), to.shape()));
    }
    if (value.dtype().isPacked()) {
      packed(value, from, target, offset, to);
      return;
    }
    StridedCopy.run((CpuStream) stream, value.dtype().bytes(), to.shape().extents(), new Strided(value.segment(), 0,
      from.strides()), new Strided(target.segment(), offset, to.strides()));
  }

  /** One after the other: elements of several threads could share a byte. */
  private static void packed(TensorView value, Layout from, TensorView target, long offset, Layout to) {
    for (long i = 0; i < to.shape().elementCount(); i++) {
      long read = 0;
      long written = offset;
      long rest = i;
      for (int axis = to.shape().rank() - 1; axis >= 0; axis--) {
        long at = rest % to.shape().extent(axis);
        read += at * from.strides()[axis];
        written += at * to.strides()[axis];
        rest /= to.shape().extent(axis);
      }
      NarrowElements.set(target.dtype(), target.segment(), written, NarrowElements.code(value.dtype(), value.segment(),
        read));
    }
  }
}
