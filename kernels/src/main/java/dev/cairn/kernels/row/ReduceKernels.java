package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.reduction.CpuArgument;
import dev.cairn.kernels.cpu.reduction.CpuLineFunction;
import dev.cairn.kernels.cpu.reduction.CpuReduce;
import dev.cairn.kernels.cpu.reduction.Reduction;
import dev.cairn.kernels.cpu.reduction.VectorArgument;
import dev.cairn.kernels.cpu.reduction.VectorExtreme;
import dev.cairn.kernels.cpu.reduction.VectorReduce;
import dev.cairn.kernels.cpu.reduction.VectorSoftmax;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.reduction.CudaArgument;
import dev.cairn.kernels.cuda.reduction.CudaReduce;
import dev.cairn.kernels.cuda.reduction.CudaSoftmax;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reductions over any axes, and what makes distributions of lines. To add one, add a row. */
public final class ReduceKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> SINGLE = EnumSet.of(DType.FLOAT32);
  private static final Set<DType> HALF = EnumSet.of(DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> NUMERIC = DType.NUMBERS;
  private static final Set<DType> UNSIGNED = EnumSet.range(DType.UINT8, DType.UINT64);
  private static final Set<DType> SIGNED = EnumSet.range(DType.FLOAT32, DType.INT64);
  private static final Set<DType> EVERY = DType.COMPUTED;

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("ReduceSum", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.SUM)),
    row("ReduceMean", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.MEAN)),
    row("ReduceProd", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.PROD)),
    row("ReduceMax", Twin.PORTABLE, EVERY, new CpuReduce(Reduction.MAX)),
    row("ReduceMin", Twin.PORTABLE, EVERY, new CpuReduce(Reduction.MIN)),
    row("ReduceL1", Twin.PORTABLE, SIGNED, new CpuReduce(Reduction.L1)),
    row("ReduceL1", Twin.PORTABLE, UNSIGNED, new CpuReduce(Reduction.SUM)),
    row("ReduceL2", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.L2)),
    row("ReduceLogSum", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.LOG_SUM)),
    row("ReduceLogSumExp", Twin.PORTABLE, REAL, new CpuReduce(Reduction.LOG_SUM_EXP)),
    row("ReduceSumSquare", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.SUM_SQUARE)),
    row("ArgMax", Twin.PORTABLE, NUMERIC, new CpuArgument(true)),
    row("ArgMin", Twin.PORTABLE, NUMERIC, new CpuArgument(false)),
    row("Softmax", Twin.PORTABLE, REAL, CpuLineFunction.SOFTMAX),
    row("LogSoftmax", Twin.PORTABLE, REAL, CpuLineFunction.LOG_SOFTMAX),
    row("Hardmax", Twin.PORTABLE, REAL, CpuLineFunction.HARDMAX).withoutCuda(KernelRow.NO_CUDA_YET),
    row("LpNormalization", Twin.PORTABLE, REAL, CpuLineFunction.LP_NORMALIZATION).withoutCuda(KernelRow.NO_CUDA_YET)),
    () -> List.of(row("ReduceSum", Twin.VECTOR, SINGLE, VectorReduce.sum()),
      row("ReduceSum", Twin.VECTOR, HALF, VectorHalf.storage(VectorReduce.sum())),
      row("ReduceMean", Twin.VECTOR, SINGLE, VectorReduce.mean()),
      row("ReduceMean", Twin.VECTOR, HALF, VectorHalf.storage(VectorReduce.mean())),
      row("ReduceSumSquare", Twin.VECTOR, SINGLE, VectorReduce.sumOfSquares()),
      row("ReduceMax", Twin.VECTOR, SINGLE, new VectorExtreme(true)),
      row("ReduceMax", Twin.VECTOR, HALF, VectorHalf.storage(new VectorExtreme(true))),
      row("ReduceMin", Twin.VECTOR, SINGLE, new VectorExtreme(false)),
      row("ReduceMin", Twin.VECTOR, HALF, VectorHalf.storage(new VectorExtreme(false))),
      row("ArgMax", Twin.VECTOR, SINGLE, new VectorArgument(true)),
      row("ArgMax", Twin.VECTOR, HALF, VectorHalf.storage(new VectorArgument(true))),
      row("ArgMin", Twin.VECTOR, SINGLE, new VectorArgument(false)),
      row("ArgMin", Twin.VECTOR, HALF, VectorHalf.storage(new VectorArgument(false))),
      row("Softmax", Twin.VECTOR, SINGLE, VectorSoftmax.SHARES),
      row("Softmax", Twin.VECTOR, HALF, VectorHalf.storage(VectorSoftmax.SHARES)),
      row("LogSoftmax", Twin.VECTOR, SINGLE, VectorSoftmax.LOGARITHMS),
      row("LogSoftmax", Twin.VECTOR, HALF, VectorHalf.storage(VectorSoftmax.LOGARITHMS))));

  private ReduceKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("ReduceSum", NUMERIC, new CudaReduce(library, "sum")),
      KernelRow.cuda("ReduceMean", NUMERIC, new CudaReduce(library, "mean")),
      KernelRow.cuda("ReduceProd", NUMERIC, new CudaReduce(library, "product")),
      KernelRow.cuda("ReduceMax", EVERY, new CudaReduce(library, "maximum")),
      KernelRow.cuda("ReduceMin", EVERY, new CudaReduce(library, "minimum")),
      KernelRow.cuda("ReduceL1", NUMERIC, new CudaReduce(library, "l1")),
      KernelRow.cuda("ReduceL2", NUMERIC, new CudaReduce(library, "l2")),
      KernelRow.cuda("ReduceLogSum", NUMERIC, new CudaReduce(library, "log_sum")),
      KernelRow.cuda("ReduceLogSumExp", REAL, new CudaReduce(library, "log_sum_exp")),
      KernelRow.cuda("ReduceSumSquare", NUMERIC, new CudaReduce(library, "sum_square")),
      KernelRow.cuda("ArgMax", NUMERIC, new CudaArgument(library, true)),
      KernelRow.cuda("ArgMin", NUMERIC, new CudaArgument(library, false)),
      KernelRow.cuda("Softmax", REAL, new CudaSoftmax(library, "softmax")),
      KernelRow.cuda("LogSoftmax", REAL, new CudaSoftmax(library, "log_softmax")));
  }

  private static KernelRow row(String operator, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
