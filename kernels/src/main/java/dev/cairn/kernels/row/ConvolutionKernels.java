package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.access.HalfStorage;
import dev.cairn.kernels.cpu.convolution.CpuColumns;
import dev.cairn.kernels.cpu.convolution.CpuConvTranspose;
import dev.cairn.kernels.cpu.convolution.CpuConvWeightGradient;
import dev.cairn.kernels.cpu.convolution.CpuConvolution;
import dev.cairn.kernels.cpu.convolution.CpuDeformConv;
import dev.cairn.kernels.cpu.convolution.CpuDeformConvGradient;
import dev.cairn.kernels.cpu.convolution.VectorConvTranspose;
import dev.cairn.kernels.cpu.convolution.VectorConvWeightGradient;
import dev.cairn.kernels.cpu.convolution.VectorConvolution;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.convolution.CublasConvolution;
import dev.cairn.kernels.cuda.convolution.CudaConvTranspose;
import dev.cairn.kernels.cuda.convolution.CudaConvWeightGradient;
import dev.cairn.kernels.cuda.convolution.CudaConvolution;
import dev.cairn.kernels.cuda.convolution.MeasuredConvolution;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Convolutions. */
public final class ConvolutionKernels {
  private static final Set<DType> REAL = Set.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> HALVES = Set.of(DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> MULTIPLIED = Set.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  /** The portable kernels of products that may have an epilogue. */
  static final List<KernelRow> PRODUCTS = List.of(
    new KernelRow("Conv", Twin.PORTABLE, Decides.FIRST_INPUT, Set.of(DType.FLOAT32, DType.FLOAT64),
      CpuConvolution.CONV),
    new KernelRow("Conv", Twin.PORTABLE, Decides.FIRST_INPUT, HALVES, new HalfStorage(CpuConvolution.CONV)));

  public static final List<KernelRow> ROWS = VectorTwins.with(Stream.concat(PRODUCTS.stream(), Stream.of(
    new KernelRow("ConvTranspose", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuConvTranspose()),
    new KernelRow("ConvWeightGradient", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuConvWeightGradient()),
    new KernelRow("Col2Im", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuColumns())
      .withoutCuda(KernelRow.NO_CUDA_YET),
    new KernelRow("DeformConv", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuDeformConv())
      .withoutCuda(KernelRow.NO_CUDA_YET),
    new KernelRow("DeformConvGradient", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuDeformConvGradient())
      .withoutCuda(KernelRow.NO_CUDA_YET)))
    .toList(),
    () -> List.of(
      new KernelRow("Conv", Twin.VECTOR, Decides.FIRST_INPUT, Set.of(DType.FLOAT32), VectorConvolution.CONV),
      new KernelRow("Conv", Twin.VECTOR, Decides.FIRST_INPUT, HALVES, VectorHalf.storage(VectorConvolution.CONV)),
      new KernelRow("ConvWeightGradient", Twin.VECTOR, Decides.FIRST_INPUT, Set.of(DType.FLOAT32),
        new VectorConvWeightGradient()),
      new KernelRow("ConvWeightGradient", Twin.VECTOR, Decides.FIRST_INPUT, HALVES,
        VectorHalf.storage(new VectorConvWeightGradient())),
      new KernelRow("ConvTranspose", Twin.VECTOR, Decides.FIRST_INPUT, Set.of(DType.FLOAT32),
        new VectorConvTranspose())));

  private ConvolutionKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("Conv", REAL, new CudaConvolution(library)),
      KernelRow.cuda("ConvWeightGradient", REAL, new CudaConvWeightGradient(library)),
      KernelRow.cuda("ConvTranspose", REAL, new CudaConvTranspose(library)));
  }

  /** The row of convolutions over cuBLAS. */
  static KernelRow cublas(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats) {
    return new KernelRow("Conv", Twin.CUDA_LIBRARY, Decides.FIRST_INPUT, MULTIPLIED, new CublasConvolution(library,
      cublas, ofFloats));
  }

  /** The row of convolutions that select among all kernels, including those of cuDNN. */
  static KernelRow measured(MeasuredConvolution convolutions) {
    return new KernelRow("Conv", Twin.MEASURED, Decides.FIRST_INPUT, MULTIPLIED, convolutions);
  }
}
