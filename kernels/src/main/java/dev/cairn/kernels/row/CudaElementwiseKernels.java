package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseBinary;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseClip;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseUnary;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseWhere;
import dev.cairn.kernels.cuda.elementwise.CudaFusedPointwise;
import dev.cairn.kernels.cuda.elementwise.CudaIsNaN;
import dev.cairn.kernels.cuda.elementwise.ElementFunction;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.elementwise.PairFunction;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** CUDA: elementwise operators. docs/howto/kernel.md says how to add one. */
final class CudaElementwiseKernels {
  private static final Set<DType> REAL = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);
  private static final Set<DType> EVERY = DType.COMPUTED;
  private static final Set<DType> NUMERIC = DType.NUMBERS;

  private CudaElementwiseKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    List<KernelRow> all = new ArrayList<>();
    ElementFunction.ALL.forEach(it -> all.add(row(it.operator(), it.dtypes(), new CudaElementwiseUnary(library, it))));
    all.add(row("IsNaN", REAL, new CudaIsNaN(library)));
    all.add(row("Clip", NUMERIC, new CudaElementwiseClip(library)));
    PairFunction.ALL.forEach(it -> all.add(row(it.operator(), it.dtypes(), new CudaElementwiseBinary(library, it
      .function()))));
    all.add(new KernelRow("Where", Twin.CUDA, Decides.SECOND_INPUT, EVERY, new CudaElementwiseWhere(library)));
    if (library.compilesGenerated()) {
      all.add(new KernelRow(PointwiseProgram.OPERATOR, Twin.CUDA, Decides.FIRST_OUTPUT, EVERY, new CudaFusedPointwise(
        library)));
    }
    return all;
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
