package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** Operators that write elements several times: {@code Expand}, {@code Tile}. */
public final class CpuRepeat {
  private CpuRepeat() {}

  /** Input 0 broadcast to the output's shape. */
  public static void expand(KernelCall call) {
    TensorView input = call.input(0);
    TensorView output = call.output(0);
    long[] strides = Layout.rowMajor(input.shape()).broadcastTo(output.shape()).strides();
    StridedCopy.run(CpuStream.of(call), input.dtype().bytes(), output.shape().extents(),
      new Strided(input.segment(), 0, strides), Strided.of(output));
  }

  /**
   * Input 0 as often along each axis as its extent goes into the output's; the repeats of input 1 were used for that.
   */
  public static void tile(KernelCall call) {
    TensorView input = call.input(0);
    TensorView output = call.output(0);
    int rank = input.shape().rank();
    long[] dense = Strided.strides(input.shape().extents());
    long[] extents = new long[2 * rank];
    long[] strides = new long[2 * rank];
    for (int axis = 0; axis < rank; axis++) {
      long extent = input.shape().extent(axis);
      extents[2 * axis] = extent == 0 ? 0 : output.shape().extent(axis) / extent;
      extents[2 * axis + 1] = extent;
      strides[2 * axis + 1] = dense[axis];
    }
    if (Shape.of(extents).elementCount() != output.elementCount()) {
      throw new IllegalArgumentException(
        "output is no tiling: input=%s output=%s".formatted(input.type(), output.type()));
    }
    StridedCopy.run(CpuStream.of(call), input.dtype().bytes(), extents, new Strided(input.segment(), 0, strides),
      Strided.of(output, extents));
  }
}
