package dev.cairn.kernels.catalog.family;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import java.util.List;
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
}
