package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow.Twin;

/**
 * Whether to fuse neighbouring element-wise operators into one step. A GPU and oneDNN can also fuse them into the
 * matrix product or convolution before them. A device without a kernel for fused steps fuses nothing.
 */
public enum FusionChoice {
  /** Every node is its own step. Use this first when you look for a bug. */
  OFF,
  /**
   * Fuse where products can also compute the nodes that follow them: on a GPU, where fusion also saves launches, and
   * with oneDNN.
   */
  AUTO,
  /** Fuse on every device. */
  ON;

  boolean holdsFor(KernelCatalog catalog) {
    return switch (this) {
      case OFF -> false;
      case AUTO -> has(catalog, PointwiseProgram.OPERATOR, Twin.CUDA) || has(catalog, FusedProduct.OPERATOR,
        Twin.ONEDNN);
      case ON -> !catalog.rows(PointwiseProgram.OPERATOR).isEmpty();
    };
  }

  private static boolean has(KernelCatalog catalog, String operator, Twin twin) {
    return catalog.rows(operator).stream().anyMatch(row -> row.twin() == twin);
  }
}
