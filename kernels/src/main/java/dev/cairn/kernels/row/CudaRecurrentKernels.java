package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.recurrent.CudaRecurrent;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** CUDA: recurrent networks. */
final class CudaRecurrentKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  private CudaRecurrentKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    return Stream.of(Cell.values()).map(cell -> new KernelRow(cell.name(), Twin.CUDA, Decides.FIRST_INPUT, REAL,
      new CudaRecurrent(library, cell))).toList();
  }
}
