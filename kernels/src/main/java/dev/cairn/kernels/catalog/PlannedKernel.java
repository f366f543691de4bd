package dev.cairn.kernels.catalog;

import dev.cairn.kernels.tensor.TensorType;
import java.util.Map;

/**
 * A kernel for the calls of one step of a plan.
 *
 * @param kernel a kernel for calls of this step only
 * @param packed constant inputs that the kernel reads in its own format
 */
public record PlannedKernel(Kernel kernel, Map<Integer, Packing> packed) {
  /**
   * The format in which a kernel reads a constant. Equal packings of equal constants give equal bytes, so plans share
   * them.
   *
   * @param type a type with as many bytes as the packed constant; its shape has no meaning
   * @param kernel packs the constant: its only input is the original, its only output the packed constant
   */
  public record Packing(TensorType type, Kernel kernel) {}

  public PlannedKernel {
    packed = Map.copyOf(packed);
  }
}
