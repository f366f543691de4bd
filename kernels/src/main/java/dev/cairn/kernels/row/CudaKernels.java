package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.convolution.MeasuredConvolution;
import dev.cairn.kernels.cuda.epilogue.CudaFusedProduct;
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
    List<KernelRow> products = Stream.of(MatmulKernels.cuda(library), ConvolutionKernels.cuda(library)).flatMap(
      List::stream).toList();
    return Stream.of( //
      AttentionKernels.cuda(library), //
      products, //
      ElementwiseKernels.cuda(library), //
      FusedKernels.cuda(library), //
      fusedProducts(library, products), //
      GenerationKernels.cuda(library), //
      ImageKernels.cuda(library), //
      LossKernels.cuda(library), //
      MovementKernels.cuda(library), //
      NormalizationKernels.cuda(library), //
      PoolKernels.cuda(library), //
      QuantizedKernels.cuda(library), //
      RandomKernels.cuda(library), //
      RecurrentKernels.cuda(library), //
      ReduceKernels.cuda(library), //
      SelectionKernels.cuda(library), //
      SignalKernels.cuda(library)).flatMap(List::stream).toList();
  }

  /** The row of products that are fused with a pointwise program, where the library compiles sources at run time. */
  private static List<KernelRow> fusedProducts(KernelLibrary library, List<KernelRow> products) {
    return library.compilesGenerated()
      ? List.of(KernelRow.cuda(FusedProduct.OPERATOR, MatmulKernels.MULTIPLIED, new CudaFusedProduct(library,
        new KernelCatalog(products))))
      : List.of();
  }

  /** The rows of all kernels, with the twins that use cuBLAS at the precision of {@code library}. */
  public static List<KernelRow> rows(KernelLibrary library, Cublas cublas) {
    List<KernelRow> all = new ArrayList<>(rows(library));
    all.addAll(MatmulKernels.cublas(library, cublas, library.ofFloats()));
    all.add(ConvolutionKernels.cublas(library, cublas, library.ofFloats()));
    return all;
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
    rows.add(ConvolutionKernels.measured(convolutions));
    return new KernelCatalog(rows);
  }
}
