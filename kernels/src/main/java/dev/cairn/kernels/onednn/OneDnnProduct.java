package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import java.util.Set;

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
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return product.planned(signature, PostOperations.NONE, constants).orElseGet(() -> super.planned(signature,
      constants));
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    product.describe(signature, program);
  }
}
