package dev.cairn.kernels.catalog;

import dev.cairn.kernels.tensor.TensorType;
import java.util.Map;

/**
 * A kernel for the calls of one step of a plan.
 *
 * @param kernel asked for workspace and prepared with that step's calls only
 * @param packed inputs that the kernel reads in a form of its own, which are constants
 */
public record PlannedKernel(Kernel kernel, Map<Integer, Packing> packed) {
  /**
   * The form in which a kernel reads a constant. Equal packings of equal bytes are equal bytes: plans share them.
   *
   * @param type of as many bytes as the packed constant has; its shape means nothing
   * @param kernel computes it, as the only output, from the constant as it is, as the only input
   */
  public record Packing(TensorType type, Kernel kernel) {}

  public PlannedKernel {
    packed = Map.copyOf(packed);
  }
}
