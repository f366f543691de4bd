package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.BOOL;
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
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** CUDA: elementwise operators. docs/howto/kernel.md says how to add one. */
final class CudaElementwiseKernels {
  private static final Set<DType> REAL = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);
  private static final Set<DType> BOOLEAN = EnumSet.of(BOOL);
  private static final Set<DType> EVERY = DType.COMPUTED;
  private static final Set<DType> NUMERIC = DType.NUMBERS;

  private CudaElementwiseKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    List<KernelRow> all = new ArrayList<>();
    ElementFunction.ALL.forEach(it -> all.add(row(it.operator(), it.dtypes(), new CudaElementwiseUnary(library, it))));
    all.add(row("IsNaN", REAL, new CudaIsNaN(library)));
    all.add(row("Clip", NUMERIC, new CudaElementwiseClip(library)));
    all.addAll(binary(library));
    if (library.compilesGenerated()) {
      all.add(new KernelRow(PointwiseProgram.OPERATOR, Twin.CUDA, Decides.FIRST_OUTPUT, EVERY, new CudaFusedPointwise(
        library)));
    }
    return all;
  }

  private static List<KernelRow> binary(KernelLibrary library) {
    return List.of(row("Add", NUMERIC, new CudaElementwiseBinary(library, "add")),
      row("Sum", NUMERIC, new CudaElementwiseBinary(library, "add")),
      row("Sub", NUMERIC, new CudaElementwiseBinary(library, "sub")),
      row("Mul", NUMERIC, new CudaElementwiseBinary(library, "mul")),
      row("Div", NUMERIC, new CudaElementwiseBinary(library, "divide")),
      row("Min", NUMERIC, new CudaElementwiseBinary(library, "minimum")),
      row("Max", NUMERIC, new CudaElementwiseBinary(library, "maximum")),
      row("And", BOOLEAN, new CudaElementwiseBinary(library, "logical_and")),
      row("Or", BOOLEAN, new CudaElementwiseBinary(library, "logical_or")),
      row("Xor", BOOLEAN, new CudaElementwiseBinary(library, "logical_xor")),
      row("Equal", EVERY, new CudaElementwiseBinary(library, "equal")),
      row("Less", NUMERIC, new CudaElementwiseBinary(library, "less")),
      row("LessOrEqual", NUMERIC, new CudaElementwiseBinary(library, "less_or_equal")),
      row("Greater", NUMERIC, new CudaElementwiseBinary(library, "greater")),
      row("GreaterOrEqual", NUMERIC, new CudaElementwiseBinary(library, "greater_or_equal")),
      new KernelRow("Where", Twin.CUDA, Decides.SECOND_INPUT, EVERY, new CudaElementwiseWhere(library)));
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
