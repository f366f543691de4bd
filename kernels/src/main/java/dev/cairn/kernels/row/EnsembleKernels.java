package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.ensemble.CpuTreeEnsemble;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;

/** Operators of classic machine learning that have kernels. To add one, add a row. */
public final class EnsembleKernels {
  public static final List<KernelRow> ROWS = List.of(new KernelRow("TreeEnsemble", Twin.PORTABLE, Decides.FIRST_INPUT,
    EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16), new CpuTreeEnsemble()).withoutCuda(KernelRow.NO_CUDA_YET));

  private EnsembleKernels() {}
}
