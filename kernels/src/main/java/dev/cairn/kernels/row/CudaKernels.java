package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.convolution.MeasuredConvolution;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of kernel families for NVIDIA devices. */
public final class CudaKernels {
  private CudaKernels() {}

  /** The rows of all kernels. The library compiles their functions when they are first used. */
  public static List<KernelRow> rows(KernelLibrary library) {
    return Stream.of(CudaElementwiseKernels.rows(library), CudaMovementKernels.rows(library),
      CudaReduceKernels.rows(library), CudaProductKernels.rows(library), CudaImageKernels.rows(library),
      CudaQuantizedKernels.rows(library), CudaRecurrentKernels.rows(library), CudaTrainingKernels.rows(library))
      .flatMap(List::stream).toList();
  }

  /** The rows of all kernels, with the twins that use cuBLAS at the precision of {@code library}. */
  public static List<KernelRow> rows(KernelLibrary library, Cublas cublas) {
    return Stream.concat(rows(library).stream(), CublasKernels.rows(library, cublas, library.ofFloats()).stream())
      .toList();
  }

  /** A catalog of all kernels, which prefers the fastest twin that accepts a call. */
  public static KernelCatalog catalog(KernelLibrary library) {
    return new KernelCatalog(rows(library));
  }

  /** A catalog of all kernels, with those that use cuBLAS. */
  public static KernelCatalog catalog(KernelLibrary library, Cublas cublas) {
    return new KernelCatalog(rows(library, cublas));
  }

  /**
   * A catalog of all kernels, with those of cuBLAS and cuDNN.
   *
   * @param cublas cuBLAS, if it is loaded
   * @param convolutions selects the kernel for each convolution that cuDNN supports
   */
  public static KernelCatalog catalog(KernelLibrary library, Optional<Cublas> cublas,
    MeasuredConvolution convolutions) {
    List<KernelRow> rows = new ArrayList<>(cublas.map(it -> rows(library, it)).orElseGet(() -> rows(library)));
    rows.addAll(CudaProductKernels.measured(convolutions));
    return new KernelCatalog(rows);
  }
}
