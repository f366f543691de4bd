package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow.Twin;

/**
 * Whether neighbours that compute each element by itself become one step, and on a GPU one with the product before
 * them, where its kernel takes that. A device without a kernel for such steps fuses nothing.
 */
public enum FusionChoice {
  /** Every node by itself: the first thing to switch to in a bug hunt. */
  OFF,
  /** On a GPU, where it saves launches and memory traffic; not on the processor, where it gains little. */
  ON_GPU,
  /** On every device. */
  ON;

  boolean holdsFor(KernelCatalog catalog) {
    return this != OFF && catalog.rows(PointwiseProgram.OPERATOR).stream().anyMatch(row -> this == ON || row
      .twin() == Twin.CUDA);
  }
}
