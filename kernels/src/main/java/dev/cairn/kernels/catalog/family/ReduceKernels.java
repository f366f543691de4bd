package dev.cairn.kernels.catalog.family;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.CpuReduce;
import dev.cairn.kernels.cpu.CpuSoftmax;
import dev.cairn.kernels.cpu.HalfStorage;
import dev.cairn.kernels.cpu.Reduction;
import dev.cairn.kernels.cpu.vector.VectorReduce;
import dev.cairn.kernels.cpu.vector.VectorSoftmax;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reductions over any axes, and softmax. To add one, add a row. */
public final class ReduceKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> SINGLE = EnumSet.of(DType.FLOAT32);
  private static final Set<DType> HALF = EnumSet.of(DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> NUMERIC = EnumSet.complementOf(EnumSet.of(DType.BOOL));
  private static final Set<DType> EVERY = EnumSet.allOf(DType.class);

  public static final List<KernelRow> ROWS = List.of(
    row("ReduceSum", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.SUM)),
    row("ReduceMean", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.MEAN)),
    row("ReduceProd", Twin.PORTABLE, NUMERIC, new CpuReduce(Reduction.PROD)),
    row("ReduceMax", Twin.PORTABLE, EVERY, new CpuReduce(Reduction.MAX)),
    row("ReduceMin", Twin.PORTABLE, EVERY, new CpuReduce(Reduction.MIN)),
    row("Softmax", Twin.PORTABLE, REAL, new CpuSoftmax()),
    row("ReduceSum", Twin.VECTOR, SINGLE, VectorReduce.sum()),
    row("ReduceSum", Twin.VECTOR, HALF, new HalfStorage(VectorReduce.sum())),
    row("ReduceMean", Twin.VECTOR, SINGLE, VectorReduce.mean()),
    row("ReduceMean", Twin.VECTOR, HALF, new HalfStorage(VectorReduce.mean())),
    row("Softmax", Twin.VECTOR, SINGLE, new VectorSoftmax()),
    row("Softmax", Twin.VECTOR, HALF, new HalfStorage(new VectorSoftmax())));

  private ReduceKernels() {}

  private static KernelRow row(String operator, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
