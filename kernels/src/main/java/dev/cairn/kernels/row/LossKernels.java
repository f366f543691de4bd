package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.loss.CpuClassLoss;
import dev.cairn.kernels.cpu.loss.CpuClassLossGradient;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;

/** Losses and their gradients. To add one, add a row. */
public final class LossKernels {
  public static final List<KernelRow> ROWS = List.of(
    row("NegativeLogLikelihoodLoss", CpuClassLoss.OF_LIKELIHOODS),
    row("NegativeLogLikelihoodLossGradient", CpuClassLossGradient.OF_LIKELIHOODS),
    row("SoftmaxCrossEntropyLoss", CpuClassLoss.OF_SCORES),
    row("SoftmaxCrossEntropyLossGradient", CpuClassLossGradient.OF_SCORES));

  private LossKernels() {}

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32, DType.FLOAT64,
      DType.FLOAT16, DType.BFLOAT16), kernel);
  }
}
