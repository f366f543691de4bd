package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.elementwise.UnaryLoop.Parameters;

/**
 * {@code Pow(x, exponent)} of {@code float32} where one exponent serves all elements. Squares, cubes and roots are
 * vector loops; for other exponents, which are known only when the kernel runs, the portable twin computes.
 */
public final class VectorElementwisePow implements Kernel {
  private static final UnaryLoop SQUARE = VectorElementwiseUnary.copy((x, a, b) -> x.mul(x));
  private static final UnaryLoop CUBE = VectorElementwiseUnary.copy((x, a, b) -> x.mul(x).mul(x));
  private static final UnaryLoop ROOT = VectorElementwiseUnary.copy((x, a, b) -> VectorUnaryFunctions.root(x));
  private static final CpuElementwisePow PORTABLE = new CpuElementwisePow();

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(1).shape().elementCount() == 1
      && signature.output(0).shape().elementCount() == signature.input(0).shape().elementCount();
  }

  @Override
  public void run(KernelCall call) {
    double exponent = call.input(1).doubleAt(0);
    if (exponent == 2) {
      VectorElementwiseUnary.run(call, SQUARE, Parameters.NONE);
    } else if (exponent == 3) {
      VectorElementwiseUnary.run(call, CUBE, Parameters.NONE);
    } else if (exponent == 0.5) {
      VectorElementwiseUnary.run(call, ROOT, Parameters.NONE);
    } else {
      PORTABLE.run(call);
    }
  }
}
