package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What becomes of a sum: {@code alpha} times it, plus {@code beta} times the element of input 2 that stretches to it.
 *
 * @param adds whether input 2 counts
 */
record TileFinish(float alpha, float beta, boolean adds) {
  /** The input that is added. */
  private static final int ADDED = 2;

  /** The sum as it is, plus input 2 where it is there. */
  static TileFinish plain(KernelCall call) {
    return new TileFinish(1, 1, call.has(ADDED));
  }

  /** As {@code struct Factors}. */
  byte[] factors() {
    return ByteBuffer.allocate(2 * Float.BYTES).order(ByteOrder.nativeOrder()).putFloat(alpha).putFloat(beta).array();
  }

  /** The address of what is added, or 0. */
  Launch.Builder added(Launch.Builder launch) {
    return adds ? launch.input(ADDED) : launch.value(0L);
  }

  /**
   * Joins the parts that lie in the call's workspace.
   *
   * @param source from which the kernel is that summed them
   */
  Launch joined(String source, Epilogue results, KernelCall call, TilePlan plan, Shape addedShape) {
    TensorView y = call.output(0);
    return results.added(added(Launch.of(call, results.function(source, call.input(0).dtype(), "join_parts"))
      .workspace(0)))
      .value(y.elementCount())
      .value(plan.parts())
      .structure(factors())
      .structure(BroadcastWalk.of(y.shape(), addedShape).bytes())
      .overElements(y.elementCount());
  }
}
