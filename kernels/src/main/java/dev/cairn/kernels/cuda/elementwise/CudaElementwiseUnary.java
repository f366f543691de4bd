package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GeluForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/** Elementwise operators with one operand: twins of the portable kernels. */
public final class CudaElementwiseUnary extends CudaKernel {
  private final ElementFunction operator;

  public CudaElementwiseUnary(KernelLibrary library, ElementFunction operator) {
    super(library);
    this.operator = operator;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    Attributes attributes = call.attributes();
    String function = operator.function(attributes).orElseThrow(() -> new IllegalArgumentException(
      "no such approximation: approximate=" + GeluForm.of(attributes).approximation()));
    long count = x.elementCount();
    return Launch.of(call, library.function("elementwise.cu", x.dtype(), function))
      .input(0)
      .output(0)
      .value(count)
      .value(operator.form().of(attributes, 0))
      .value(operator.form().of(attributes, 1))
      .overElements(count);
  }
}
