package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.selection.CpuSelection;
import dev.cairn.kernels.cpu.selection.CpuTopK;
import dev.cairn.kernels.cpu.selection.VectorTopK;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.selection.CudaTopK;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Operators that select some of their elements. To add one, add a row. */
public final class SelectionKernels {
  private static final Set<DType> EVERY = DType.COMPUTED;

  static final KernelRow COMPRESS = row("Compress", EVERY, CpuSelection::compress).withoutCuda(KernelRow.VALUES_DECIDE);
  static final KernelRow UNIQUE = row("Unique", EVERY, CpuSelection::unique).withoutCuda(KernelRow.VALUES_DECIDE);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("BifurcationDetector", EnumSet.of(DType.INT64), CpuSelection::copiedWords)
      .withoutCuda(KernelRow.VALUES_DECIDE),
    COMPRESS,
    row("DynamicTimeWarping", EnumSet.of(DType.FLOAT32), CpuSelection::warpingPath)
      .withoutCuda(KernelRow.VALUES_DECIDE),
    row("NonMaxSuppression", EnumSet.of(DType.FLOAT32), CpuSelection::nonMaxSuppression)
      .withoutCuda(KernelRow.VALUES_DECIDE),
    row("NonZero", EVERY, CpuSelection::nonZero).withoutCuda(KernelRow.VALUES_DECIDE),
    row("TopK", DType.NUMBERS, new CpuTopK()),
    UNIQUE),
    () -> List.of(new KernelRow("TopK", Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32),
      new VectorTopK())));

  private SelectionKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("TopK", DType.NUMBERS, new CudaTopK(library)));
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
