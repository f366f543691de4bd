package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.loss.CpuClassLoss;
import dev.cairn.kernels.cpu.loss.CpuClassLossGradient;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.loss.CudaClassLoss;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Losses and their gradients. To add one, add a row. */
public final class LossKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  public static final List<KernelRow> ROWS = List.of(
    row("NegativeLogLikelihoodLoss", CpuClassLoss.OF_LIKELIHOODS),
    row("NegativeLogLikelihoodLossGradient", CpuClassLossGradient.OF_LIKELIHOODS),
    row("SoftmaxCrossEntropyLoss", CpuClassLoss.OF_SCORES),
    row("SoftmaxCrossEntropyLossGradient", CpuClassLossGradient.OF_SCORES));

  private LossKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("NegativeLogLikelihoodLoss", REAL, new CudaClassLoss(library, false, false)),
      KernelRow.cuda("NegativeLogLikelihoodLossGradient", REAL, new CudaClassLoss(library, false, true)),
      KernelRow.cuda("SoftmaxCrossEntropyLoss", REAL, new CudaClassLoss(library, true, false)),
      KernelRow.cuda("SoftmaxCrossEntropyLossGradient", REAL, new CudaClassLoss(library, true, true)));
  }

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, REAL, kernel);
  }
}
