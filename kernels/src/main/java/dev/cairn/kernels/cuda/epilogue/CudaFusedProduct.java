package dev.cairn.kernels.cuda.epilogue;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.FusedProductParts;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.convolution.CudaConvolution;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.product.CudaMatmul;
import dev.cairn.kernels.cuda.product.CudaProduct;
import java.util.Optional;

/**
 * Runs a {@link FusedProduct} in the launches of the product. The program is compiled into its kernels, which run it on
 * each result before they store it. If partial sums are joined later, the joining kernel runs the program. A result may
 * overwrite an input of the program with its type and shape, because the thread that writes an element has read it. It
 * must not overwrite an operand of the product.
 */
public final class CudaFusedProduct extends CudaKernel {
  /** The longest program. Each thread of a tile contains it up to 64 times. */
  private static final int MOST_STEPS = 12;

  private final KernelCatalog products;

  /** @param products a catalog that includes this library's tiled products */
  public CudaFusedProduct(KernelLibrary library, KernelCatalog products) {
    super(library);
    this.products = products;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    return parts.fused().program().steps().size() <= MOST_STEPS && product(parts).isPresent()
      && CudaEpilogueSource.of(parts.pointwise(), "").isPresent();
  }

  /**
   * The source that is compiled for a call, for inspection.
   *
   * @throws IllegalArgumentException if a step of the program is not supported
   */
  public static String source(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    String product = parts.fused().operator().equals(Operators.CONV) ? CudaConvolution.SOURCE : CudaMatmul.SOURCE;
    return CudaEpilogueSource.of(parts.pointwise(), product).orElseThrow(() -> new IllegalArgumentException(
      "a step is not known: program=" + parts.fused().program()));
  }

  private Optional<CudaProduct> product(FusedProductParts parts) {
    return products.find(parts.fused().operator(), parts.product()).map(row -> row.kernel()).filter(
      CudaProduct.class::isInstance).map(CudaProduct.class::cast);
  }

  private CudaProduct tiles(FusedProductParts parts) {
    return product(parts).orElseThrow(() -> new IllegalArgumentException("no tiles for it: operator=%s signature=%s"
      .formatted(parts.fused().operator(), parts.product())));
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    return tiles(parts).workspaceBytes(parts.product());
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    return tiles(parts).workspaceBytesUpTo(parts.product());
  }

  @Override
  public Runnable prepare(KernelCall call) {
    FusedProductParts parts = FusedProductParts.of(KernelSignature.of(call));
    return tiles(parts).prepare(call, parts.fused().attributes(), new ProgramEpilogue(library, parts.pointwise()));
  }
}
