package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.Function;

/** Elementwise operators with one operand: twins of the portable kernels. */
public final class CudaElementwiseUnary extends CudaKernel {
  private final Function<Attributes, Parameters> parameters;

  /**
   * A function and its parameters.
   *
   * @param function a function of {@code elementwise.cu}
   */
  public record Parameters(String function, float alpha, float beta) {}

  private CudaElementwiseUnary(KernelLibrary library, Function<Attributes, Parameters> parameters) {
    super(library);
    this.parameters = parameters;
  }

  /** An operator without attributes, with the function that fused programs also use. */
  public static CudaElementwiseUnary of(KernelLibrary library, String operator) {
    var none = new Parameters(PointwiseExpressions.function(operator), 0, 0);
    return new CudaElementwiseUnary(library, attributes -> none);
  }

  /** An operator with attributes. */
  public static CudaElementwiseUnary of(KernelLibrary library, Function<Attributes, Parameters> parameters) {
    return new CudaElementwiseUnary(library, parameters);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    Parameters with = parameters.apply(call.attributes());
    long count = x.elementCount();
    return Launch.of(call, library.function("elementwise.cu", x.dtype(), with.function))
      .input(0)
      .output(0)
      .value(count)
      .value(with.alpha)
      .value(with.beta)
      .overElements(count);
  }
}
