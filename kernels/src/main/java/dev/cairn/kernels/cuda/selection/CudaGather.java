package dev.cairn.kernels.cuda.selection;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Selection by index: {@code Gather} and {@code GatherElements}. Indices may be results of earlier steps. For an index
 * outside of its axis the result is zero. The portable kernel throws in this case, but the device could report it only
 * if the host waited.
 */
public final class CudaGather extends CudaKernel {
  private final boolean takesElements;

  /** @param takesElements whether to select elements instead of slices */
  public CudaGather(KernelLibrary library, boolean takesElements) {
    super(library);
    this.takesElements = takesElements;
  }

  /** 1 for {@code int64}, 0 for {@code int32}. */
  public static int isWide(TensorView indices) {
    if (indices.dtype() != DType.INT32 && indices.dtype() != DType.INT64) {
      throw new IllegalArgumentException("indexes are int32 or int64: type=" + indices.type());
    }
    return indices.dtype() == DType.INT64 ? 1 : 0;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView data = call.input(0);
    Shape shape = data.shape();
    int axis = AxisForm.ofParts(call.attributes()).of(shape);
    long count = call.output(0).elementCount();
    Launch.Builder launch = Launch.of(call, library.function("movement.cu", CudaElementTypes.moved(data.dtype()),
      takesElements ? "gather_elements" : "gather"))
      .input(0)
      .input(1)
      .output(0)
      .value(count)
      .value(isWide(call.input(1)))
      .value(shape.extent(axis));
    if (takesElements) {
      long[] strides = Layout.rowMajor(shape).strides().clone();
      launch.value(strides[axis]);
      strides[axis] = 0;
      launch.structure(BroadcastWalk.of(call.input(1).shape().extents(), strides).bytes());
    } else {
      launch.value(call.input(1).elementCount()).value(shape.elementCount(axis + 1, shape.rank()));
    }
    return launch.overElements(count);
  }
}
