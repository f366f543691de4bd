package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;
import static dev.cairn.kernels.tensor.DType.INT32;
import static dev.cairn.kernels.tensor.DType.INT64;
import static dev.cairn.kernels.tensor.DType.UINT32;
import static dev.cairn.kernels.tensor.DType.UINT64;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.access.HalfStorage;
import dev.cairn.kernels.cpu.product.CpuDeterminant;
import dev.cairn.kernels.cpu.product.CpuDeterminantGradient;
import dev.cairn.kernels.cpu.product.CpuEinsum;
import dev.cairn.kernels.cpu.product.CpuInverse;
import dev.cairn.kernels.cpu.product.CpuMatmul;
import dev.cairn.kernels.cpu.product.VectorDoubleMatmul;
import dev.cairn.kernels.cpu.product.VectorMatmul;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.product.CublasMatmul;
import dev.cairn.kernels.cuda.product.CudaMatmul;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Matrix products. */
public final class MatmulKernels {
  private static final Set<DType> HALVES = Set.of(FLOAT16, BFLOAT16);
  private static final Set<DType> REAL = Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);
  /** The element types that CUDA multiplies matrices of. */
  static final Set<DType> MULTIPLIED = Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT32, INT64, UINT32, UINT64);

  /** The portable kernels of products that may have an epilogue. */
  static final List<KernelRow> PRODUCTS = List.of(
    row("MatMul", Twin.PORTABLE, Set.of(FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64), CpuMatmul.MATMUL),
    row("MatMul", Twin.PORTABLE, HALVES, new HalfStorage(CpuMatmul.MATMUL)),
    row("Gemm", Twin.PORTABLE, Set.of(FLOAT32, FLOAT64), CpuMatmul.GEMM),
    row("Gemm", Twin.PORTABLE, HALVES, new HalfStorage(CpuMatmul.GEMM)));

  public static final List<KernelRow> ROWS = VectorTwins.with(Stream.concat(PRODUCTS.stream(), Stream.of(
    row("Det", Twin.PORTABLE, REAL, new CpuDeterminant()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("DetGradient", Twin.PORTABLE, REAL, new CpuDeterminantGradient()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("Inverse", Twin.PORTABLE, REAL, new CpuInverse()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("Einsum", Twin.PORTABLE, DType.NUMBERS, new CpuEinsum()).withoutCuda(KernelRow.NO_CUDA_YET))).toList(),
    () -> List.of(row("MatMul", Twin.VECTOR, Set.of(FLOAT32), VectorMatmul.MATMUL),
      row("MatMul", Twin.VECTOR, Set.of(FLOAT64), VectorDoubleMatmul.MATMUL),
      row("Gemm", Twin.VECTOR, Set.of(FLOAT64), VectorDoubleMatmul.GEMM),
      row("MatMul", Twin.VECTOR, HALVES, VectorHalf.storage(VectorMatmul.MATMUL)),
      row("Gemm", Twin.VECTOR, Set.of(FLOAT32), VectorMatmul.GEMM),
      row("Gemm", Twin.VECTOR, HALVES, VectorHalf.storage(VectorMatmul.GEMM))));

  private MatmulKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("MatMul", MULTIPLIED, CudaMatmul.matmul(library)),
      KernelRow.cuda("Gemm", REAL, CudaMatmul.gemm(library)));
  }

  /** The rows of products by cuBLAS. */
  static List<KernelRow> cublas(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats) {
    Set<DType> dtypes = Set.of(FLOAT32, FLOAT16, BFLOAT16);
    return List.of(row("MatMul", Twin.CUDA_LIBRARY, dtypes, CublasMatmul.matmul(library, cublas, ofFloats)),
      row("Gemm", Twin.CUDA_LIBRARY, dtypes, CublasMatmul.gemm(library, cublas, ofFloats)));
  }

  private static KernelRow row(String operator, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
