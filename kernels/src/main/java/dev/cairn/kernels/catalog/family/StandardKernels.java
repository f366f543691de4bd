package dev.cairn.kernels.catalog.family;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import java.util.List;
import java.util.stream.Stream;

/** The one list of kernel families of the host's processor. */
public final class StandardKernels {
  private static final List<KernelRow> ROWS = Stream
    .of(AttentionKernels.ROWS, ConvolutionKernels.ROWS, ElementwiseKernels.ROWS, FusedKernels.ROWS,
      FusedProductKernels.ROWS, GenerationKernels.ROWS, MatmulKernels.ROWS, MovementKernels.ROWS,
      NormalizationKernels.ROWS, PoolKernels.ROWS, ReduceKernels.ROWS)
    .flatMap(List::stream)
    .toList();

  private StandardKernels() {}

  /** Every kernel; the fastest twin that accepts a call is preferred. */
  public static KernelCatalog catalog() {
    return new KernelCatalog(ROWS);
  }

  /** The portable kernels alone: the truth, and the first thing to switch to in a bug hunt. */
  public static KernelCatalog portable() {
    return new KernelCatalog(portableRows());
  }

  /** The rows of the portable kernels, for whoever compares others with them. */
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
