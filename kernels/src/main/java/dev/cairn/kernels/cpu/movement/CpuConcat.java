package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.IntFunction;

/** Joining tensors along an axis, and cutting them apart again: {@code Concat}, {@code Split}. */
public final class CpuConcat {
  private CpuConcat() {}

  /** The inputs behind one another along {@code axis}. */
  public static void concat(KernelCall call) {
    walk(call, call.output(0), call.inputCount(), call::input, true);
  }

  /** The pieces of input 0 along {@code axis} (default 0), each as long as its output. */
  public static void split(KernelCall call) {
    walk(call, call.input(0), call.outputCount(), call::output, false);
  }

  private static void walk(KernelCall call, TensorView whole, int parts, IntFunction<TensorView> part,
    boolean joining) {
    Shape shape = whole.shape();
    int axis = AxisForm.ofParts(call.attributes()).of(shape);
    long behind = shape.elementCount(axis + 1, shape.rank());
    Strided all = Strided.of(whole);
    long done = 0;
    for (int i = 0; i < parts; i++) {
      TensorView view = part.apply(i);
      long extent = view.shape().extent(axis);
      if (!view.shape().equals(shape.with(axis, extent)) || done + extent > shape.extent(axis)) {
        throw new IllegalArgumentException("part and whole differ: axis=%d part=%d type=%s at=%d whole=%s"
          .formatted(axis, i, view.type(), done, whole.type()));
      }
      Strided here = all.shifted(done * behind);
      Strided there = Strided.of(view);
      StridedCopy.run(CpuStream.of(call), whole.dtype().bytes(), view.shape().extents(), joining ? there : here,
        joining ? here : there);
      done += extent;
    }
    if (done != shape.extent(axis)) {
      throw new IllegalArgumentException(
        "parts do not fill the axis: axis=%d filled=%d whole=%s".formatted(axis, done, shape));
    }
  }
}
