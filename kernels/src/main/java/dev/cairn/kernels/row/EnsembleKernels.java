package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.DecisionForest;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.ensemble.CpuFeatures;
import dev.cairn.kernels.cpu.ensemble.CpuSupportVectors;
import dev.cairn.kernels.cpu.ensemble.CpuTreeEnsemble;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Operators of classic machine learning that have kernels. To add one, add a row. */
public final class EnsembleKernels {
  private static final Set<DType> FEATURES = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.INT32, DType.INT64);

  public static final List<KernelRow> ROWS = List.of(
    row("FeatureVectorizer", FEATURES, CpuFeatures::join).withoutCuda(KernelRow.NO_CUDA_YET),
    row("SVMClassifier", FEATURES, CpuSupportVectors::classify).withoutCuda(KernelRow.NO_CUDA_YET),
    row("SVMRegressor", FEATURES, CpuSupportVectors::regress).withoutCuda(KernelRow.NO_CUDA_YET),
    row("TreeEnsemble", EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16), new CpuTreeEnsemble(
      DecisionForest::ofEnsemble)).withoutCuda(KernelRow.NO_CUDA_YET),
    row("TreeEnsembleClassifier", FEATURES, new CpuTreeEnsemble(DecisionForest::ofClassifier))
      .withoutCuda(KernelRow.NO_CUDA_YET),
    row("TreeEnsembleRegressor", FEATURES, new CpuTreeEnsemble(DecisionForest::ofRegressor))
      .withoutCuda(KernelRow.NO_CUDA_YET));

  private EnsembleKernels() {}

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
