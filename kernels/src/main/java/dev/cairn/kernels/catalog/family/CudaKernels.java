package dev.cairn.kernels.catalog.family;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.MeasuredConvolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The one list of kernel families of an NVIDIA device. */
public final class CudaKernels {
  private CudaKernels() {}

  /** Every kernel, of functions that the library compiles when they are first used. */
  public static List<KernelRow> rows(KernelLibrary library) {
    return Stream.of(CudaElementwiseKernels.rows(library), CudaMovementKernels.rows(library),
      CudaReduceKernels.rows(library), CudaProductKernels.rows(library)).flatMap(List::stream).toList();
  }

  /** Every kernel, and the twins whose work is products by cuBLAS, as exact as the library's own. */
  public static List<KernelRow> rows(KernelLibrary library, Cublas cublas) {
    return Stream.concat(rows(library).stream(), CublasKernels.rows(library, cublas, library.ofFloats()).stream())
      .toList();
  }

  /** Every kernel; the fastest twin that accepts a call is preferred. */
  public static KernelCatalog catalog(KernelLibrary library) {
    return new KernelCatalog(rows(library));
  }

  /** The same with cuBLAS. */
  public static KernelCatalog catalog(KernelLibrary library, Cublas cublas) {
    return new KernelCatalog(rows(library, cublas));
  }

  /**
   * The same where cuDNN may be one more.
   *
   * @param cublas products, where it is loaded
   * @param convolutions chooses for those convolutions that cuDNN knows
   */
  public static KernelCatalog catalog(KernelLibrary library, Optional<Cublas> cublas,
    MeasuredConvolution convolutions) {
    List<KernelRow> rows = new ArrayList<>(cublas.map(it -> rows(library, it)).orElseGet(() -> rows(library)));
    rows.addAll(CudaProductKernels.measured(convolutions));
    return new KernelCatalog(rows);
  }
}
