package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;

import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.recurrent.CpuCausalConvolution;
import dev.cairn.kernels.cpu.recurrent.CpuLinearAttention;
import dev.cairn.kernels.cpu.recurrent.CpuRecurrent;
import dev.cairn.kernels.cpu.recurrent.VectorRecurrent;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.recurrent.CudaRecurrent;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Recurrent networks, and other operators that carry a state from step to step. */
public final class RecurrentKernels {
  private static final Set<DType> REAL = Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row(Cell.GRU, Twin.PORTABLE, REAL, new CpuRecurrent(Cell.GRU)),
    row(Cell.LSTM, Twin.PORTABLE, REAL, new CpuRecurrent(Cell.LSTM)),
    row(Cell.RNN, Twin.PORTABLE, REAL, new CpuRecurrent(Cell.RNN)),
    new KernelRow("CausalConvWithState", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuCausalConvolution())
      .withoutCuda(KernelRow.NO_CUDA_YET),
    new KernelRow("LinearAttention", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuLinearAttention())
      .withoutCuda(KernelRow.NO_CUDA_YET)),
    () -> List.of(row(Cell.GRU, Twin.VECTOR, Set.of(FLOAT32), new VectorRecurrent(Cell.GRU)),
      row(Cell.LSTM, Twin.VECTOR, Set.of(FLOAT32), new VectorRecurrent(Cell.LSTM))));

  private RecurrentKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return Stream.of(Cell.values()).map(cell -> row(cell, Twin.CUDA, REAL, new CudaRecurrent(library, cell))).toList();
  }

  private static KernelRow row(Cell cell, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(cell.name(), twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
