package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.attention.CudaAttentionGradient;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.loss.CudaClassLoss;
import dev.cairn.kernels.cuda.normalization.CudaBatchTraining;
import dev.cairn.kernels.cuda.normalization.CudaLayerGradient;
import dev.cairn.kernels.cuda.random.CudaDropout;
import dev.cairn.kernels.cuda.random.CudaRandom;
import dev.cairn.kernels.cuda.selection.CudaScatterAdd;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** CUDA: forms of operators in training, losses, gradients of both, and random tensors. To add one, add a row. */
final class CudaTrainingKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  private CudaTrainingKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    return List.of(row("AttentionGradient", new CudaAttentionGradient(library)),
      row("BatchNormalization", new CudaBatchTraining(library, false)),
      row("BatchNormalizationGradient", new CudaBatchTraining(library, true)),
      row("Dropout", new CudaDropout(library)),
      row("LayerNormalizationGradient", new CudaLayerGradient(library)),
      row("NegativeLogLikelihoodLoss", new CudaClassLoss(library, false, false)),
      row("NegativeLogLikelihoodLossGradient", new CudaClassLoss(library, false, true)),
      random("RandomNormal", new CudaRandom(library, true, 0)),
      random("RandomNormalLike", new CudaRandom(library, true, 1)),
      random("RandomUniform", new CudaRandom(library, false, 0)),
      random("RandomUniformLike", new CudaRandom(library, false, 1)),
      row("ScatterAdd", new CudaScatterAdd(library)),
      row("SoftmaxCrossEntropyLoss", new CudaClassLoss(library, true, false)),
      row("SoftmaxCrossEntropyLossGradient", new CudaClassLoss(library, true, true)));
  }

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, REAL, kernel);
  }

  private static KernelRow random(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_OUTPUT, DType.COMPUTED, kernel);
  }
}
