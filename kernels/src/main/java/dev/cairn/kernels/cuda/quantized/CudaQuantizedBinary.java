package dev.cairn.kernels.cuda.quantized;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.quantized.CpuQuantizedBinary;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/** {@code QLinearAdd} and {@code QLinearMul} of 8 bits, with scales of {@code float32}. */
public final class CudaQuantizedBinary extends CudaKernel {
  private static final int INPUTS = CpuQuantizedBinary.RESULT + 2;

  private final boolean isProduct;

  /** @param isProduct whether the operands are multiplied instead of added */
  public CudaQuantizedBinary(KernelLibrary library, boolean isProduct) {
    super(library);
    this.isProduct = isProduct;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return CudaIntegerMatmul.isSingle(signature, 1) && CudaIntegerMatmul.isSingle(signature, CpuQuantizedBinary.RIGHT
      + 1) && CudaIntegerMatmul.isSingle(signature, CpuQuantizedBinary.RESULT);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView y = call.output(0);
    TensorView left = call.input(0);
    TensorView right = call.input(CpuQuantizedBinary.RIGHT);
    Launch.Builder launch = Launch.of(call, library.function("quantize.cu", CudaElementTypes.integerProducts(left
      .dtype(), right.dtype()), "quantized_binary"));
    for (int input = 0; input < INPUTS; input++) {
      launch.input(input);
    }
    return launch.output(0)
      .value(y.elementCount())
      .value(CudaIntegerMatmul.bytes(y.dtype()))
      .value(isProduct ? 1 : 0)
      .structure(BroadcastWalk.of(y.shape(), left.shape(), right.shape()).bytes())
      .overElements(y.elementCount());
  }
}
