package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;
import static dev.cairn.kernels.tensor.DType.INT32;
import static dev.cairn.kernels.tensor.DType.INT64;
import static dev.cairn.kernels.tensor.DType.UINT32;
import static dev.cairn.kernels.tensor.DType.UINT64;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.attention.CudaAttention;
import dev.cairn.kernels.cuda.convolution.CudaConvWeightGradient;
import dev.cairn.kernels.cuda.convolution.CudaConvolution;
import dev.cairn.kernels.cuda.convolution.MeasuredConvolution;
import dev.cairn.kernels.cuda.epilogue.CudaFusedProduct;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.product.CudaMatmul;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * CUDA: Cairn's own kernels for matrix products, convolutions and attention, and for products fused with a pointwise
 * program. To add one, add a row.
 */
final class CudaProductKernels {
  private static final Set<DType> REAL = Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);
  private static final Set<DType> MULTIPLIED = Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT32, INT64, UINT32,
    UINT64);

  private CudaProductKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    List<KernelRow> products = List.of(row("MatMul", MULTIPLIED, CudaMatmul.matmul(library)), row("Gemm", REAL,
      CudaMatmul.gemm(library)), row("Conv", REAL, new CudaConvolution(library)));
    List<KernelRow> all = new ArrayList<>(products);
    all.add(row("ConvWeightGradient", REAL, new CudaConvWeightGradient(library)));
    all.add(row("Attention", REAL, new CudaAttention(library)));
    if (library.compilesGenerated()) {
      all.add(row(FusedProduct.OPERATOR, MULTIPLIED, new CudaFusedProduct(library, new KernelCatalog(products))));
    }
    return all;
  }

  /** Rows of convolutions that select among all kernels, including those of cuDNN. */
  static List<KernelRow> measured(MeasuredConvolution convolutions) {
    return List.of(new KernelRow("Conv", Twin.MEASURED, Decides.FIRST_INPUT, Set.of(FLOAT32, FLOAT16, BFLOAT16),
      convolutions));
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
