package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The final operation on a sum: {@code alpha} times the sum, plus {@code beta} times the broadcast element of input 2.
 *
 * @param adds whether to add input 2
 */
public record TileFinish(float alpha, float beta, boolean adds) {
  /** The index of the input to add. */
  private static final int ADDED = 2;

  /** The unchanged sum, plus input 2 if it is present. */
  public static TileFinish plain(KernelCall call) {
    return new TileFinish(1, 1, call.has(ADDED));
  }

  /** The bytes of {@code struct Factors}. */
  byte[] factors() {
    return ByteBuffer.allocate(2 * Float.BYTES).order(ByteOrder.nativeOrder()).putFloat(alpha).putFloat(beta).array();
  }

  /** Adds the address of input 2, or 0. */
  Launch.Builder added(Launch.Builder launch) {
    return adds ? launch.input(ADDED) : launch.value(0L);
  }

  /**
   * Joins the partial sums in the call's workspace.
   *
   * @param source the source of the kernel that computed them
   */
  public Launch joined(String source, Epilogue results, KernelCall call, TilePlan plan, Shape addedShape) {
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
