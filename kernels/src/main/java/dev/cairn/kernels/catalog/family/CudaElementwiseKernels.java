package dev.cairn.kernels.catalog.family;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.BOOL;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.kernel.CudaElementwiseBinary;
import dev.cairn.kernels.cuda.kernel.CudaElementwiseClip;
import dev.cairn.kernels.cuda.kernel.CudaElementwiseUnary;
import dev.cairn.kernels.cuda.kernel.CudaElementwiseUnary.Parameters;
import dev.cairn.kernels.cuda.kernel.CudaElementwiseWhere;
import dev.cairn.kernels.cuda.kernel.CudaFusedPointwise;
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
  private static final Set<DType> SIGNED = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, DType.INT8, DType.INT16,
    DType.INT32, DType.INT64);
  private static final List<String> REAL_FUNCTIONS = List.of("Ceil", "Cos", "Erf", "Exp", "Floor", "HardSwish", "Log",
    "Mish", "Reciprocal", "Round", "Sigmoid", "Sin", "Softplus", "Softsign", "Sqrt", "Tanh");

  private CudaElementwiseKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    List<KernelRow> all = new ArrayList<>();
    REAL_FUNCTIONS.forEach(it -> all.add(row(it, REAL, CudaElementwiseUnary.of(library, it))));
    all.add(row("Neg", SIGNED, CudaElementwiseUnary.of(library, "Neg")));
    all.add(row("Abs", NUMERIC, CudaElementwiseUnary.of(library, "Abs")));
    all.add(row("Relu", SIGNED, CudaElementwiseUnary.of(library, "Relu")));
    all.add(row("Not", BOOLEAN, CudaElementwiseUnary.of(library, "Not")));
    all.add(row("LeakyRelu", REAL, CudaElementwiseUnary.of(library, attributes -> new Parameters("leaky_relu",
      attributes.getFloat("alpha", 0.01f), 0))));
    all.add(row("HardSigmoid", REAL, CudaElementwiseUnary.of(library, attributes -> new Parameters("hard_sigmoid",
      attributes.getFloat("alpha", 0.2f), attributes.getFloat("beta", 0.5f)))));
    all.addAll(activations(library));
    all.add(row("Sign", NUMERIC, CudaElementwiseUnary.of(library, "Sign")));
    all.add(row("IsNaN", REAL, CudaElementwiseUnary.of(library, _ -> new Parameters("not_a_number", 0, 0))));
    all.add(row("Gelu", REAL, CudaElementwiseUnary.of(library, CudaElementwiseKernels::gelu)));
    all.add(row("Clip", NUMERIC, new CudaElementwiseClip(library)));
    all.addAll(binary(library));
    if (library.compilesGenerated()) {
      all.add(new KernelRow(PointwiseProgram.OPERATOR, Twin.CUDA, Decides.FIRST_OUTPUT, EVERY, new CudaFusedPointwise(
        library)));
    }
    return all;
  }

  private static List<KernelRow> activations(KernelLibrary library) {
    return List.of(row("Elu", REAL, CudaElementwiseUnary.of(library, it -> new Parameters("elu", it.getFloat("alpha",
      1), 0))),
      row("Selu", REAL, CudaElementwiseUnary.of(library, it -> new Parameters("selu", it.getFloat("alpha", 1.6732632f),
        it.getFloat("gamma", 1.050701f)))),
      row("Celu", REAL, CudaElementwiseUnary.of(library, it -> new Parameters("celu", it.getFloat("alpha", 1), 0))),
      row("Swish", REAL, CudaElementwiseUnary.of(library, it -> new Parameters("swish", it.getFloat("alpha", 1), 0))),
      row("ThresholdedRelu", REAL, CudaElementwiseUnary.of(library, it -> new Parameters("thresholded_relu", it
        .getFloat("alpha", 1), 0))),
      row("Shrink", REAL, CudaElementwiseUnary.of(library, it -> new Parameters("shrink", it.getFloat("bias", 0), it
        .getFloat("lambd", 0.5f)))));
  }

  private static Parameters gelu(Attributes attributes) {
    String approximate = attributes.getText("approximate", "none");
    return switch (approximate) {
      case "none" -> new Parameters("gelu", 0, 0);
      case "tanh" -> new Parameters("gelu_by_tanh", 0, 0);
      default -> throw new IllegalArgumentException("no such approximation: approximate=" + approximate);
    };
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
