package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.BOOL;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;

import dev.cairn.kernels.attribute.BinaryForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.elementwise.CpuActivations;
import dev.cairn.kernels.cpu.elementwise.CpuCast;
import dev.cairn.kernels.cpu.elementwise.CpuElementwiseBinary;
import dev.cairn.kernels.cpu.elementwise.CpuElementwiseClip;
import dev.cairn.kernels.cpu.elementwise.CpuElementwiseComparison;
import dev.cairn.kernels.cpu.elementwise.CpuElementwisePow;
import dev.cairn.kernels.cpu.elementwise.CpuElementwisePredicate;
import dev.cairn.kernels.cpu.elementwise.CpuElementwiseUnary;
import dev.cairn.kernels.cpu.elementwise.CpuElementwiseWhere;
import dev.cairn.kernels.cpu.elementwise.InverseHyperbolic;
import dev.cairn.kernels.cpu.elementwise.LaneOperator;
import dev.cairn.kernels.cpu.elementwise.VectorElementwiseBinary;
import dev.cairn.kernels.cpu.elementwise.VectorElementwiseClip;
import dev.cairn.kernels.cpu.elementwise.VectorElementwiseLanes;
import dev.cairn.kernels.cpu.elementwise.VectorElementwisePeriodic;
import dev.cairn.kernels.cpu.elementwise.VectorElementwisePow;
import dev.cairn.kernels.cpu.elementwise.VectorElementwiseUnary;
import dev.cairn.kernels.cpu.elementwise.VectorElementwiseWhere;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cuda.elementwise.CudaConversions;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseBinary;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseClip;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseUnary;
import dev.cairn.kernels.cuda.elementwise.CudaElementwiseWhere;
import dev.cairn.kernels.cuda.elementwise.CudaIsInf;
import dev.cairn.kernels.cuda.elementwise.CudaIsNaN;
import dev.cairn.kernels.cuda.elementwise.ElementFunction;
import dev.cairn.kernels.cuda.elementwise.PairFunction;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Elementwise operators. Their operands broadcast. To add one, add a row. */
public final class ElementwiseKernels {
  private static final Set<DType> REAL = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);
  private static final Set<DType> BOOLEAN = EnumSet.of(BOOL);
  private static final Set<DType> EVERY = EnumSet.allOf(DType.class);
  private static final Set<DType> NUMERIC = DType.NUMBERS;
  private static final Set<DType> SIGNED = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, DType.INT8, DType.INT16,
    DType.INT32, DType.INT64);
  private static final Set<DType> UNSIGNED = EnumSet.of(DType.UINT8, DType.UINT16, DType.UINT32, DType.UINT64);
  private static final Set<DType> INTEGER = EnumSet.range(DType.INT8, DType.UINT64);

  static final KernelRow EQUAL = portable("Equal", DType.COMPUTED, new CpuElementwiseComparison(
    sign -> sign == 0));
  static final KernelRow WHERE = new KernelRow("Where", Twin.PORTABLE, Decides.SECOND_INPUT, DType.COMPUTED,
    new CpuElementwiseWhere());

  /** The portable kernels for all element types, then the vector twins for {@code float32} and the half types. */
  public static final List<KernelRow> ROWS = rows();

  private ElementwiseKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    List<KernelRow> all = new ArrayList<>();
    ElementFunction.ALL.forEach(it -> all.add(KernelRow.cuda(it.operator(), it.dtypes(), new CudaElementwiseUnary(
      library, it))));
    PairFunction.ALL.forEach(it -> all.add(KernelRow.cuda(it.operator(), it.dtypes(), new CudaElementwiseBinary(library,
      it.function()))));
    all.addAll(List.of(
      KernelRow.cuda("IsInf", REAL, new CudaIsInf(library)),
      KernelRow.cuda("IsNaN", REAL, new CudaIsNaN(library)),
      KernelRow.cuda("Clip", NUMERIC, new CudaElementwiseClip(library)),
      KernelRow.cuda("Cast", DType.COMPUTED, CudaConversions.cast(library)),
      KernelRow.cuda("Pow", NUMERIC, CudaConversions.pow(library)),
      new KernelRow("Where", Twin.CUDA, Decides.SECOND_INPUT, DType.COMPUTED, new CudaElementwiseWhere(library))));
    return all;
  }

  private static List<KernelRow> rows() {
    List<KernelRow> all = new ArrayList<>();
    all.addAll(unary());
    all.addAll(furtherActivations());
    all.addAll(mathematics());
    all.addAll(binary());
    all.addAll(comparisons());
    return VectorTwins.with(List.copyOf(all), ElementwiseKernels::vector);
  }

  private static List<KernelRow> unary() {
    return List.of(portable("Neg", SIGNED, CpuElementwiseUnary.of(x -> -x, x -> -x)),
      portable("Abs", SIGNED, CpuElementwiseUnary.of(Math::abs, Math::abs)),
      portable("Abs", UNSIGNED, CpuElementwiseUnary.of(Math::abs, x -> x)),
      portable("Relu", SIGNED, CpuElementwiseUnary.of(CpuActivations::relu, x -> Math.max(x, 0))),
      portable("Sqrt", REAL, CpuElementwiseUnary.ofReals(Math::sqrt)),
      portable("Exp", REAL, CpuElementwiseUnary.ofReals(Math::exp)),
      portable("Log", REAL, CpuElementwiseUnary.ofReals(Math::log)),
      portable("Tanh", REAL, CpuElementwiseUnary.ofReals(Math::tanh)),
      portable("Sin", REAL, CpuElementwiseUnary.ofReals(Math::sin)),
      portable("Cos", REAL, CpuElementwiseUnary.ofReals(Math::cos)),
      portable("Floor", REAL, CpuElementwiseUnary.ofReals(Math::floor)),
      portable("Ceil", REAL, CpuElementwiseUnary.ofReals(Math::ceil)),
      portable("Reciprocal", REAL, CpuElementwiseUnary.ofReals(x -> 1 / x)),
      portable("Erf", REAL, CpuElementwiseUnary.ofReals(CpuActivations::erf)),
      portable("Sigmoid", REAL, CpuElementwiseUnary.ofReals(CpuActivations::sigmoid)),
      portable("HardSwish", REAL, CpuElementwiseUnary.ofReals(CpuActivations::hardSwish)),
      portable("LeakyRelu", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::leakyRelu)),
      portable("HardSigmoid", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::hardSigmoid)),
      portable("Gelu", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::gelu)),
      portable("Clip", NUMERIC, new CpuElementwiseClip()),
      portable("Cast", EVERY, new CpuCast()),
      portable("CastLike", EVERY, new CpuCast()).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Not", BOOLEAN, CpuElementwiseUnary.of(x -> x, x -> 1 - x)),
      portable("BitwiseNot", INTEGER, CpuElementwiseUnary.of(x -> x, x -> ~x)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Sign", SIGNED, CpuElementwiseUnary.of(Math::signum, Long::signum)),
      portable("Sign", UNSIGNED, CpuElementwiseUnary.of(x -> x, x -> x == 0 ? 0 : 1)));
  }

  private static List<KernelRow> furtherActivations() {
    return List.of(portable("Celu", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::celu)),
      portable("Elu", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::elu)),
      portable("Mish", REAL, CpuElementwiseUnary.ofReals(CpuActivations::mish)),
      portable("Selu", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::selu)),
      portable("Shrink", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::shrink)),
      portable("Softplus", REAL, CpuElementwiseUnary.ofReals(CpuActivations::softplus)),
      portable("Softsign", REAL, CpuElementwiseUnary.ofReals(CpuActivations::softsign)),
      portable("Swish", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::swish)),
      portable("ThresholdedRelu", REAL, CpuElementwiseUnary.withAttributes(CpuActivations::thresholdedRelu)));
  }

  private static List<KernelRow> mathematics() {
    return List.of(portable("Acos", REAL, CpuElementwiseUnary.ofReals(Math::acos)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Acosh", REAL, CpuElementwiseUnary.ofReals(InverseHyperbolic::acosh)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Asin", REAL, CpuElementwiseUnary.ofReals(Math::asin)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Asinh", REAL, CpuElementwiseUnary.ofReals(InverseHyperbolic::asinh)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Atan", REAL, CpuElementwiseUnary.ofReals(Math::atan)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Atanh", REAL, CpuElementwiseUnary.ofReals(InverseHyperbolic::atanh)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Cosh", REAL, CpuElementwiseUnary.ofReals(Math::cosh)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("IsInf", REAL, new CpuElementwisePredicate(CpuElementwisePredicate::isInfinite)),
      portable("IsNaN", REAL, new CpuElementwisePredicate(attributes -> Double::isNaN)),
      portable("Round", REAL, CpuElementwiseUnary.ofReals(Math::rint)),
      portable("Sinh", REAL, CpuElementwiseUnary.ofReals(Math::sinh)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Tan", REAL, CpuElementwiseUnary.ofReals(Math::tan)).withoutCuda(KernelRow.NO_CUDA_YET));
  }

  private static List<KernelRow> binary() {
    Kernel add = CpuElementwiseBinary.of((a, b) -> a + b, (a, b) -> a + b);
    Kernel min = CpuElementwiseBinary.of(Math::min, Math::min, (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b);
    Kernel max = CpuElementwiseBinary.of(Math::max, Math::max, (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b);
    return List.of(portable("Add", NUMERIC, add), portable("Sum", NUMERIC, add), portable("Min", NUMERIC, min),
      portable("Max", NUMERIC, max),
      portable("Sub", NUMERIC, CpuElementwiseBinary.of((a, b) -> a - b, (a, b) -> a - b)),
      portable("Mul", NUMERIC, CpuElementwiseBinary.of((a, b) -> a * b, (a, b) -> a * b)),
      portable("Div", NUMERIC,
        CpuElementwiseBinary.of((a, b) -> a / b, CpuElementwiseBinary::divide, CpuElementwiseBinary::divideUnsigned)),
      portable("Pow", NUMERIC, new CpuElementwisePow()),
      portable("And", BOOLEAN, CpuElementwiseBinary.of((a, b) -> a * b, (a, b) -> a & b)),
      portable("Or", BOOLEAN, CpuElementwiseBinary.of((a, b) -> a + b, (a, b) -> a | b)),
      portable("Xor", BOOLEAN, CpuElementwiseBinary.ofWhole((a, b) -> a ^ b)),
      portable("BitwiseAnd", INTEGER, CpuElementwiseBinary.ofWhole((a, b) -> a & b)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("BitwiseOr", INTEGER, CpuElementwiseBinary.ofWhole((a, b) -> a | b)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("BitwiseXor", INTEGER, CpuElementwiseBinary.ofWhole((a, b) -> a ^ b)).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("BitShift", UNSIGNED, shift()).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Mod", NUMERIC, modulus()).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("Mean", REAL, CpuElementwiseBinary.mean()).withoutCuda(KernelRow.NO_CUDA_YET),
      portable("PRelu", NUMERIC,
        CpuElementwiseBinary.of((x, slope) -> x < 0 ? slope * x : x, (x, slope) -> x < 0 ? slope * x : x,
          (x, slope) -> x))
        .withoutCuda(KernelRow.NO_CUDA_YET));
  }

  private static Kernel shift() {
    Kernel left = CpuElementwiseBinary.ofWhole(CpuElementwiseBinary::shiftLeft);
    Kernel right = CpuElementwiseBinary.ofWhole(CpuElementwiseBinary::shiftRight);
    return call -> (BinaryForm.of(call.attributes()).isLeft() ? left : right).run(call);
  }

  private static Kernel modulus() {
    Kernel ofDividend = CpuElementwiseBinary.of((a, b) -> a % b, CpuElementwiseBinary::remainder,
      CpuElementwiseBinary::remainderUnsigned);
    Kernel ofDivisor = CpuElementwiseBinary.of((a, b) -> a % b, CpuElementwiseBinary::modulus,
      CpuElementwiseBinary::remainderUnsigned);
    return call -> (BinaryForm.of(call.attributes()).isOfDividend() ? ofDividend : ofDivisor).run(call);
  }

  private static List<KernelRow> comparisons() {
    return List.of(EQUAL,
      portable("Less", NUMERIC, new CpuElementwiseComparison(sign -> sign < 0)),
      portable("LessOrEqual", NUMERIC, new CpuElementwiseComparison(sign -> sign <= 0)),
      portable("Greater", NUMERIC, new CpuElementwiseComparison(sign -> sign > 0)),
      portable("GreaterOrEqual", NUMERIC, new CpuElementwiseComparison(sign -> sign >= 0)),
      WHERE);
  }

  private static List<KernelRow> vector() {
    List<KernelRow> all = new ArrayList<>();
    vector(all, "Neg", VectorElementwiseUnary.NEG);
    vector(all, "Abs", VectorElementwiseUnary.ABS);
    vector(all, "Relu", VectorElementwiseUnary.RELU);
    vector(all, "Sqrt", VectorElementwiseUnary.SQRT);
    vector(all, "Exp", VectorElementwiseUnary.EXP);
    vector(all, "Log", VectorElementwiseUnary.LOG);
    vector(all, "Tanh", VectorElementwiseUnary.TANH);
    vector(all, "Sin", VectorElementwisePeriodic.SIN);
    vector(all, "Cos", VectorElementwisePeriodic.COS);
    vector(all, "Reciprocal", VectorElementwiseUnary.RECIPROCAL);
    vector(all, "Erf", VectorElementwiseUnary.ERF);
    vector(all, "Sigmoid", VectorElementwiseUnary.SIGMOID);
    vector(all, "HardSwish", VectorElementwiseUnary.HARD_SWISH);
    vector(all, "LeakyRelu", VectorElementwiseUnary.LEAKY_RELU);
    vector(all, "Swish", VectorElementwiseUnary.SWISH);
    vector(all, "HardSigmoid", VectorElementwiseUnary.HARD_SIGMOID);
    vector(all, "Gelu", VectorElementwiseUnary.GELU);
    vector(all, "Gelu", VectorElementwiseUnary.GELU_BY_TANH);
    vector(all, "Clip", new VectorElementwiseClip());
    all.add(new KernelRow("Cast", Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(FLOAT32, BFLOAT16), new VectorHalf()));
    vector(all, "Add", VectorElementwiseBinary.ADD);
    vector(all, "Sum", VectorElementwiseBinary.ADD);
    vector(all, "Sub", VectorElementwiseBinary.SUB);
    vector(all, "Mul", VectorElementwiseBinary.MUL);
    vector(all, "Div", VectorElementwiseBinary.DIV);
    vector(all, "Min", VectorElementwiseBinary.MIN);
    vector(all, "Max", VectorElementwiseBinary.MAX);
    vector(all, "Pow", new VectorElementwisePow());
    all.addAll(lanes());
    all.add(new KernelRow("Where", Twin.VECTOR, Decides.SECOND_INPUT, DType.COMPUTED, new VectorElementwiseWhere()));
    return all;
  }

  /** Functions of two operands that a vector of other elements than {@code float32} has, and comparisons. */
  private static List<KernelRow> lanes() {
    Set<DType> wholeOr64 = EnumSet.copyOf(INTEGER);
    wholeOr64.add(FLOAT64);
    Set<DType> compared = EnumSet.copyOf(wholeOr64);
    compared.add(FLOAT32);
    Set<DType> equal = EnumSet.copyOf(compared);
    equal.add(BOOL);
    List<KernelRow> all = new ArrayList<>();
    lanes(all, "Add", wholeOr64, LaneOperator.ADD);
    lanes(all, "Sub", wholeOr64, LaneOperator.SUB);
    lanes(all, "Mul", wholeOr64, LaneOperator.MUL);
    lanes(all, "Div", EnumSet.of(FLOAT64), LaneOperator.DIV);
    lanes(all, "Min", wholeOr64, LaneOperator.MIN);
    lanes(all, "Max", wholeOr64, LaneOperator.MAX);
    lanes(all, "And", BOOLEAN, LaneOperator.AND);
    lanes(all, "Or", BOOLEAN, LaneOperator.OR);
    lanes(all, "Xor", BOOLEAN, LaneOperator.XOR);
    lanes(all, "BitwiseAnd", INTEGER, LaneOperator.AND);
    lanes(all, "BitwiseOr", INTEGER, LaneOperator.OR);
    lanes(all, "BitwiseXor", INTEGER, LaneOperator.XOR);
    lanes(all, "Equal", equal, LaneOperator.EQUAL);
    lanes(all, "Less", compared, LaneOperator.LESS);
    lanes(all, "LessOrEqual", compared, LaneOperator.LESS_OR_EQUAL);
    lanes(all, "Greater", compared, LaneOperator.GREATER);
    lanes(all, "GreaterOrEqual", compared, LaneOperator.GREATER_OR_EQUAL);
    return all;
  }

  private static void lanes(List<KernelRow> all, String operator, Set<DType> dtypes, LaneOperator function) {
    Kernel portable = Stream.concat(binary().stream(), comparisons().stream()).filter(row -> row.operator().equals(
      operator)).findFirst().orElseThrow().kernel();
    Kernel kernel = new VectorElementwiseLanes(function, portable);
    all.add(new KernelRow(operator, Twin.VECTOR, Decides.FIRST_INPUT, dtypes, kernel));
    if (dtypes.contains(FLOAT32)) {
      all.add(new KernelRow(operator, Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(FLOAT16, BFLOAT16), VectorHalf
        .storage(kernel)));
    }
  }

  private static KernelRow portable(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }

  private static void vector(List<KernelRow> all, String operator, Kernel kernel) {
    all.add(new KernelRow(operator, Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(FLOAT32), kernel));
    all.add(new KernelRow(operator, Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(FLOAT16, BFLOAT16),
      VectorHalf.storage(kernel)));
  }
}
