package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import java.util.Optional;
import java.util.Set;

/** A kind of convolution or matrix product, which may have an epilogue. */
interface Product {
  /** The operator's name. */
  String operator();

  /** Whether this is a product of matrices, whose rows may have a bias. */
  default boolean isOfMatrices() {
    return false;
  }

  /** Whether a call is one that {@link #describe} can describe, and for which oneDNN is worth its cost. */
  boolean fits(KernelSignature signature);

  /** Adds the primitives of such a call, with the program's epilogue. */
  void describe(KernelSignature signature, ProgramBuilder program);

  /**
   * A faster kernel for such calls of a plan than {@link #describe} makes, if there is one.
   *
   * @param epilogue of the program
   * @param constants indices of inputs whose bytes never change
   */
  default Optional<PlannedKernel> planned(KernelSignature signature, PostOperations epilogue,
    Set<Integer> constants) {
    return Optional.empty();
  }
}
