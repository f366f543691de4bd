package dev.cairn.kernels.cuda.movement;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * A copy of elements between two strided layouts with the same extents. Transposing, slicing, concatenating, tiling and
 * expanding are such copies.
 *
 * @param extents the extents, outermost first
 * @param fromStart elements before the first one, in the source
 * @param from elements between neighbours along each axis, in the source
 * @param toStart elements before the first one, in the target
 * @param to elements between neighbours along each axis, in the target
 */
record StridedMove(Shape extents, long fromStart, Layout from, long toStart, Layout to) {

  /** A launch that moves between an input and an output of the call. */
  Launch launch(KernelLibrary library, KernelCall call, int input, int output) {
    TensorView x = call.input(input);
    long count = extents.elementCount();
    BroadcastWalk walk = BroadcastWalk.of(extents.extents(), from.strides(), to.strides());
    return Launch.of(call, library.function("movement.cu", CudaElementTypes.moved(x.dtype()), "strided_copy"))
      .input(input)
      .output(output)
      .value(count)
      .value(fromStart)
      .value(toStart)
      .structure(walk.bytes())
      .overElements(count);
  }
}
