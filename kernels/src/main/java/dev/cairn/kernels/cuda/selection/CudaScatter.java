package dev.cairn.kernels.cuda.selection;

import dev.cairn.kernels.attribute.ScatterForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.DeviceCopy;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.LongTable;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;

/**
 * {@code ScatterND(data, indices, updates)}: the data with slices replaced. Of two updates of one slice the later one
 * wins. An update with an index outside of the data has no effect; the portable kernel throws in this case.
 */
public final class CudaScatter extends CudaKernel {
  public CudaScatter(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return ScatterForm.of(signature.attributes()).replaces();
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView data = call.input(0);
    Shape shape = data.shape();
    Shape picked = call.input(1).shape();
    int depth = Math.toIntExact(picked.extent(-1));
    long slices = picked.elementCount(0, picked.rank() - 1);
    if (depth > shape.rank()
      || slices * shape.elementCount(depth, shape.rank()) != call.input(2).elementCount()) {
      throw new IllegalArgumentException("indices and updates differ: operator=ScatterND data=%s indices=%s updates=%s"
        .formatted(data.type(), picked, call.input(2).type()));
    }
    long unit = shape.elementCount(depth, shape.rank());
    Launch scatter = Launch.of(call, library.function("movement.cu", CudaElementTypes.moved(data.dtype()),
      "scatter_slices"))
      .input(2)
      .input(1)
      .output(0)
      .value(slices)
      .value(unit)
      .value(CudaGather.isWide(call.input(1)))
      .structure(LongTable.counted(depth, Arrays.copyOf(shape.extents(), depth), Arrays.copyOf(Layout.rowMajor(shape)
        .strides(), depth)))
      .overElements(unit);
    return Launch.inOrder(List.of(DeviceCopy.of(call), scatter));
  }
}
