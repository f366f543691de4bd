package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.FusedProductParts;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.elementwise.CpuFusedPointwise;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the two parts of a {@link FusedProduct}: the product by its own kernel, into the workspace, and then the program
 * on it. Results are those of both run alone, to the bit.
 *
 * <pre> workspace: | the product's result, up to a multiple of 64 bytes | that of either kernel | </pre>
 */
public final class CpuFusedProduct implements Kernel {
  private static final long ALIGNMENT = 64;

  private final KernelCatalog products;
  private final Kernel pointwise;

  /**
   * @param products kernels of the products
   * @param pointwise runs programs, as {@link CpuFusedPointwise} does
   */
  public CpuFusedProduct(KernelCatalog products, Kernel pointwise) {
    this.products = products;
    this.pointwise = pointwise;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    return products.find(parts.fused().operator(), parts.product()).isPresent() && pointwise.accepts(parts
      .pointwise());
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    return resultBytes(parts) + Math.max(product(parts).workspaceBytes(parts.product()), pointwise.workspaceBytes(parts
      .pointwise()));
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    FusedProductParts parts = FusedProductParts.of(signature);
    return resultBytes(parts) + Math.max(product(parts).workspaceBytesUpTo(parts.product()), pointwise
      .workspaceBytesUpTo(parts.pointwise()));
  }

  private static long resultBytes(FusedProductParts parts) {
    return Math.ceilDiv(parts.result().bytes(), ALIGNMENT) * ALIGNMENT;
  }

  private Kernel product(FusedProductParts parts) {
    return products.find(parts.fused().operator(), parts.product()).orElseThrow(() -> new IllegalArgumentException(
      "no kernel for the product: operator=%s signature=%s".formatted(parts.fused().operator(), parts.product())))
      .kernel();
  }

  @Override
  public void run(KernelCall call) {
    FusedProductParts parts = FusedProductParts.of(KernelSignature.of(call));
    var result = new TensorView(parts.result(), call.workspace().asSlice(0, parts.result().bytes()));
    MemorySegment rest = call.workspace().asSlice(resultBytes(parts));
    List<@Nullable TensorView> operands = new ArrayList<>();
    for (int i = 0; i < parts.product().inputs().size(); i++) {
      operands.add(call.has(i) ? call.input(i) : null);
    }
    product(parts).run(new KernelCall(operands.toArray(@Nullable TensorView[]::new), new TensorView[] {result}, parts
      .product().attributes(), rest, call.stream()));
    List<TensorView> read = new ArrayList<>(List.of(result));
    for (int i = FusedProduct.OPERANDS; i < call.inputCount(); i++) {
      read.add(call.input(i));
    }
    List<TensorView> outputs = new ArrayList<>();
    for (int i = 0; i < call.outputCount(); i++) {
      outputs.add(call.output(i));
    }
    pointwise.run(new KernelCall(read.toArray(TensorView[]::new), outputs.toArray(TensorView[]::new), parts.pointwise()
      .attributes(), rest, call.stream()));
  }
}
