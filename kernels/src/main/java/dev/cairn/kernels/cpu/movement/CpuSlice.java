package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code Slice}: every so-many-th index of some axes, forwards or backwards. Inputs data, starts, ends, axes?,
 * steps?.
 */
public final class CpuSlice {
  private CpuSlice() {}

  public static void slice(KernelCall call) {
    TensorView data = call.input(0);
    Shape shape = data.shape();
    long[] extents = shape.extents();
    long[] strides = Strided.strides(extents);
    long offset = 0;
    for (int i = 0; i < call.input(1).elementCount(); i++) {
      int axis = call.has(3) ? shape.axis(call.input(3).longAt(i)) : shape.axis(i);
      long step = call.has(4) ? call.input(4).longAt(i) : 1;
      SliceRange range = SliceRange.of(call.input(1).longAt(i), call.input(2).longAt(i), step, shape.extent(axis));
      offset += range.start() * strides[axis];
      strides[axis] *= range.step();
      extents[axis] = range.count();
    }
    TensorView output = call.output(0);
    if (!output.shape().equals(Shape.of(extents))) {
      throw new IllegalArgumentException(
        "slice and output differ: data=%s slice=%s output=%s".formatted(data.type(), Shape.of(extents), output.type()));
    }
    StridedCopy.run(CpuStream.of(call), data.dtype().bytes(), extents, new Strided(data.segment(), offset, strides),
      Strided.of(output));
  }
}
