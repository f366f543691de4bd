package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.elementwise.UnaryLoop.Parameters;

/** {@code Clip(x, min?, max?)} of {@code float32}. */
public final class VectorElementwiseClip implements Kernel {
  private static final UnaryLoop LOOP = VectorElementwiseUnary.copy(VectorUnaryFunctions::clip);

  @Override
  public void run(KernelCall call) {
    float low = call.has(1) ? (float) call.input(1).doubleAt(0) : Float.NEGATIVE_INFINITY;
    float high = call.has(2) ? (float) call.input(2).doubleAt(0) : Float.POSITIVE_INFINITY;
    VectorElementwiseUnary.run(call, LOOP, new Parameters(low, high));
  }
}
