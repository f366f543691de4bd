package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.FusedProductParts;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A product and the element-wise operators after it, as post-operations of its primitive. */
final class OneDnnFusedProduct extends OneDnnKernel {
  private final Map<String, Product> products;

  OneDnnFusedProduct(OneDnnEngine engine, List<Product> products) {
    super(engine);
    this.products = products.stream().collect(Collectors.toMap(Product::operator, Function.identity()));
  }

  @Override
  boolean fits(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    Product product = products.get(parts.fused().operator());
    return product != null && signature.outputs().size() == 1 && product.fits(parts.product())
      && PostOperations.of(parts.fused().program(), signature, product.isOfMatrices()).isPresent();
  }

  @Override
  KernelSignature essence(KernelSignature signature) {
    return new KernelSignature(signature.inputs(), signature.outputs(), FusedProduct.of(signature.attributes()).all());
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    FusedProductParts parts = FusedProductParts.of(signature);
    return product(parts).planned(parts.product(), epilogue(parts, signature), constants).orElseGet(() -> super.planned(
      signature, constants));
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    FusedProductParts parts = FusedProductParts.of(signature);
    program.followWith(epilogue(parts, signature));
    product(parts).describe(parts.product(), program);
  }

  private PostOperations epilogue(FusedProductParts parts, KernelSignature signature) {
    return PostOperations.of(parts.fused().program(), signature, product(parts).isOfMatrices()).orElseThrow();
  }

  private Product product(FusedProductParts parts) {
    Product product = products.get(parts.fused().operator());
    if (product == null) {
      throw new IllegalArgumentException("no such product: operator=" + parts.fused().operator());
    }
    return product;
  }
}
