package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelSignature;

/** A product by itself. */
final class OneDnnProduct extends OneDnnKernel {
  private final Product product;

  OneDnnProduct(OneDnnEngine engine, Product product) {
    super(engine);
    this.product = product;
  }

  @Override
  boolean fits(KernelSignature signature) {
    return product.fits(signature);
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    product.describe(signature, program);
  }
}
