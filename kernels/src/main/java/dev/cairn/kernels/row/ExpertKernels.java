package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.ExpertInputs;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.expert.CpuExperts;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;

/** Layers of several experts. */
public final class ExpertKernels {
  private static final Set<DType> REAL = Set.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  public static final List<KernelRow> ROWS = List.of(row("MoE", ExpertInputs.REAL), row("QMoE",
    ExpertInputs.QUANTIZED));

  private ExpertKernels() {}

  private static KernelRow row(String operator, ExpertInputs inputs) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuExperts(inputs)).withoutCuda(
      KernelRow.NO_CUDA_YET);
  }
}
