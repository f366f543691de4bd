package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelSignature;

/** A kind of convolution or matrix product, which may have an epilogue. */
interface Product {
  /** The operator's name. */
  String operator();

  /** Whether a call is one that {@link #describe} can describe, and for which oneDNN is worth its cost. */
  boolean fits(KernelSignature signature);

  /** Adds the primitives of such a call, with the program's epilogue. */
  void describe(KernelSignature signature, ProgramBuilder program);
}
