package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.normalization.CudaGroupNormalization;
import dev.cairn.kernels.cuda.normalization.CudaLayerNormalization;
import dev.cairn.kernels.cuda.normalization.CudaPlanes;
import dev.cairn.kernels.cuda.normalization.CudaRmsNormalization;
import dev.cairn.kernels.cuda.pool.CudaGlobalPool;
import dev.cairn.kernels.cuda.pool.CudaPool;
import dev.cairn.kernels.cuda.pool.CudaPoolGradient;
import dev.cairn.kernels.cuda.reduction.CudaArgument;
import dev.cairn.kernels.cuda.reduction.CudaCumulative;
import dev.cairn.kernels.cuda.reduction.CudaReduce;
import dev.cairn.kernels.cuda.reduction.CudaSoftmax;
import dev.cairn.kernels.cuda.selection.CudaTopK;
import dev.cairn.kernels.cuda.signal.CudaFrames;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * CUDA: reductions, extreme elements, spectra, cumulative sums, normalisations, pooling, and gradients of these. To add
 * one, add a row.
 */
final class CudaReduceKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> NUMERIC = DType.NUMBERS;
  private static final Set<DType> EVERY = DType.COMPUTED;
  private static final Set<DType> POOLED = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16,
    DType.INT8, DType.UINT8);

  private CudaReduceKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    return List.of(row("ReduceSum", NUMERIC, new CudaReduce(library, "sum")),
      row("ReduceMean", NUMERIC, new CudaReduce(library, "mean")),
      row("ReduceProd", NUMERIC, new CudaReduce(library, "product")),
      row("ReduceMax", EVERY, new CudaReduce(library, "maximum")),
      row("ReduceMin", EVERY, new CudaReduce(library, "minimum")),
      row("ReduceL1", NUMERIC, new CudaReduce(library, "l1")),
      row("ReduceL2", NUMERIC, new CudaReduce(library, "l2")),
      row("ReduceLogSum", NUMERIC, new CudaReduce(library, "log_sum")),
      row("ReduceLogSumExp", REAL, new CudaReduce(library, "log_sum_exp")),
      row("ReduceSumSquare", NUMERIC, new CudaReduce(library, "sum_square")),
      row("ArgMax", NUMERIC, new CudaArgument(library, true)),
      row("ArgMin", NUMERIC, new CudaArgument(library, false)),
      row("TopK", NUMERIC, new CudaTopK(library)),
      row("STFT", REAL, new CudaFrames(library)),
      row("CumSum", NUMERIC, new CudaCumulative(library)),
      row("Softmax", REAL, new CudaSoftmax(library, "softmax")),
      row("LogSoftmax", REAL, new CudaSoftmax(library, "log_softmax")),
      row("RMSNormalization", REAL, new CudaRmsNormalization(library)),
      row("GroupNormalization", REAL, new CudaGroupNormalization(library)),
      row("LayerNormalization", REAL, new CudaLayerNormalization(library)),
      row("InstanceNormalization", REAL, CudaPlanes.instanceNormalization(library)),
      row("BatchNormalization", REAL, CudaPlanes.batchNormalization(library)),
      row("LRN", REAL, CudaPlanes.localResponseNormalization(library)),
      row("LrnGradient", REAL, CudaPlanes.localResponseGradient(library)),
      row("MaxPoolGradient", REAL, new CudaPoolGradient(library, true)),
      row("AveragePoolGradient", REAL, new CudaPoolGradient(library, false)),
      row("MaxPool", POOLED, new CudaPool(library, true)), row("AveragePool", REAL, new CudaPool(library, false)),
      row("GlobalAveragePool", REAL, new CudaGlobalPool(library, "mean")),
      row("GlobalMaxPool", REAL, new CudaGlobalPool(library, "maximum")));
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
