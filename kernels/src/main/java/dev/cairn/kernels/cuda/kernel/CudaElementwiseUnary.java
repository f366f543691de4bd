package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.Function;

/** Operators of one operand that compute each element by itself; twin of the portable kernel of the same name. */
public final class CudaElementwiseUnary extends CudaKernel {
  private final Function<Attributes, Parameters> parameters;

  /**
   * Which function, and the attributes it is given.
   *
   * @param function of {@code elementwise.cu}
   */
  public record Parameters(String function, float alpha, float beta) {}

  private CudaElementwiseUnary(KernelLibrary library, Function<Attributes, Parameters> parameters) {
    super(library);
    this.parameters = parameters;
  }

  /** An operator without attributes, by the function that fused programs compute it with. */
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
