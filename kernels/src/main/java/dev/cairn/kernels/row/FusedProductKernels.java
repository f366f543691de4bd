package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.product.CpuFusedProduct;
import dev.cairn.kernels.tensor.DType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Matrix products and convolutions fused with a pointwise program. Here is the portable kernel alone: oneDNN's provider
 * and CUDA have faster ones.
 */
public final class FusedProductKernels {
  private static final List<KernelRow> PRODUCTS = Stream.concat(ConvolutionKernels.PRODUCTS.stream(),
    MatmulKernels.PRODUCTS.stream()).toList();
  private static final Kernel PROGRAMS = FusedKernels.ROWS.stream().filter(it -> it.twin() == Twin.PORTABLE).findFirst()
    .orElseThrow().kernel();

  public static final List<KernelRow> ROWS = List.of(new KernelRow(FusedProduct.OPERATOR, Twin.PORTABLE,
    Decides.FIRST_INPUT, multiplied(), new CpuFusedProduct(new KernelCatalog(PRODUCTS), PROGRAMS)));

  private FusedProductKernels() {}

  private static Set<DType> multiplied() {
    Set<DType> all = new HashSet<>();
    PRODUCTS.forEach(row -> all.addAll(row.dtypes()));
    return all;
  }
}
