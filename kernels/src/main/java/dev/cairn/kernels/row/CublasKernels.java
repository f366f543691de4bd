package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.convolution.CublasConvolution;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.product.CublasMatmul;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;

/** CUDA: kernels that use cuBLAS, if it is loaded. */
final class CublasKernels {
  private static final Set<DType> MULTIPLIED = Set.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  private CublasKernels() {}

  static List<KernelRow> rows(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats) {
    return List.of(row("MatMul", CublasMatmul.matmul(library, cublas, ofFloats)), row("Gemm", CublasMatmul.gemm(library,
      cublas, ofFloats)), row("Conv", new CublasConvolution(library, cublas, ofFloats)));
  }

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA_LIBRARY, Decides.FIRST_INPUT, MULTIPLIED, kernel);
  }
}
