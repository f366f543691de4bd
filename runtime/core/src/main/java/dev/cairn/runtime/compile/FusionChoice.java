package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow.Twin;

/**
 * Whether to fuse neighbouring element-wise operators into one step. A GPU can also fuse them into the matrix product
 * before them. A device without a kernel for fused steps fuses nothing.
 */
public enum FusionChoice {
  /** Every node is its own step. Use this first when you look for a bug. */
  OFF,
  /** Fuse on a GPU, where it saves launches and memory traffic; not on the processor, where it gains little. */
  ON_GPU,
  /** Fuse on every device. */
  ON;

  boolean holdsFor(KernelCatalog catalog) {
    return this != OFF && catalog.rows(PointwiseProgram.OPERATOR).stream().anyMatch(row -> this == ON || row
      .twin() == Twin.CUDA);
  }
}
