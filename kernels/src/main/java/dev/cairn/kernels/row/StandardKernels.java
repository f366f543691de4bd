package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import java.util.List;
import java.util.stream.Stream;

/** The list of kernel families for the processor. */
public final class StandardKernels {
  private static final List<KernelRow> ROWS = Stream
    .of(AttentionKernels.ROWS, ConvolutionKernels.ROWS, ElementwiseKernels.ROWS, EnsembleKernels.ROWS,
      ExpertKernels.ROWS,
      FusedKernels.ROWS,
      FusedProductKernels.ROWS, GenerationKernels.ROWS, ImageKernels.ROWS, LossKernels.ROWS, MatmulKernels.ROWS,
      MovementKernels.ROWS,
      NormalizationKernels.ROWS, PoolKernels.ROWS, QuantizedKernels.ROWS, RandomKernels.ROWS, RecurrentKernels.ROWS,
      ReduceKernels.ROWS,
      SelectionKernels.ROWS,
      SignalKernels.ROWS, StringKernels.ROWS)
    .flatMap(List::stream)
    .toList();

  private StandardKernels() {}

  /** A catalog of all Java kernels, which prefers the fastest twin that accepts a call. */
  public static KernelCatalog catalog() {
    return new KernelCatalog(ROWS);
  }

  /** A catalog of the portable kernels only: the reference, and the first thing to try when hunting a bug. */
  public static KernelCatalog portable() {
    return new KernelCatalog(portableRows());
  }

  /** The rows of the portable kernels, for comparison with others. */
  public static List<KernelRow> portableRows() {
    return rows(Twin.PORTABLE);
  }

  /** The rows of the kernels over the Vector API. */
  static List<KernelRow> vectorRows() {
    return rows(Twin.VECTOR);
  }

  private static List<KernelRow> rows(Twin twin) {
    return ROWS.stream().filter(row -> row.twin() == twin).toList();
  }
}
