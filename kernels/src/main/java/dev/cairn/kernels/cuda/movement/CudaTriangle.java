package dev.cairn.kernels.cuda.movement;

import dev.cairn.kernels.attribute.DiagonalForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Trilu(x, k?)}: keeps one triangle of each matrix, and sets the rest to zero. The host reads the diagonal. */
public final class CudaTriangle extends CudaKernel {
  public CudaTriangle(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean readsOnHost(int input) {
    return input == 1;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    Shape shape = x.shape();
    if (shape.rank() < 2 || !shape.equals(call.output(0).shape())) {
      throw new IllegalArgumentException(
        "matrices of one shape: operator=Trilu input=%s output=%s".formatted(x.type(), call.output(0).type()));
    }
    return Launch.of(call, library.function("movement.cu", CudaElementTypes.moved(x.dtype()), "triangle"))
      .input(0)
      .output(0)
      .value(x.elementCount())
      .value(shape.extent(-2))
      .value(shape.extent(-1))
      .value(call.has(1) ? call.input(1).longAt(0) : 0)
      .value(DiagonalForm.of(call.attributes()).isUpper() ? 1 : 0)
      .overElements(x.elementCount());
  }
}
