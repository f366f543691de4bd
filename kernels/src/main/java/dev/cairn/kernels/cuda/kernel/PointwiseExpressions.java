package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Steps of fused programs as expressions of CUDA C, with functions of {@code pointwise.cuh}. Operands and results have
 * the types in which elements are stored, so each step rounds as if it ran alone. To add an operator, add its line.
 */
final class PointwiseExpressions {
  private static final Map<String, String> FUNCTIONS = Map.ofEntries(Map.entry("Sqrt", "square_root"),
    Map.entry("Exp", "exponential"), Map.entry("Log", "logarithm"), Map.entry("Tanh", "hyperbolic_tangent"),
    Map.entry("Sin", "sine"), Map.entry("Cos", "cosine"), Map.entry("Floor", "round_down"),
    Map.entry("Ceil", "round_up"), Map.entry("Reciprocal", "reciprocal"), Map.entry("Erf", "error_function"),
    Map.entry("Sigmoid", "sigmoid"), Map.entry("HardSwish", "hard_swish"), Map.entry("Neg", "negate"),
    Map.entry("Abs", "absolute"), Map.entry("Relu", "relu"), Map.entry("Not", "logical_not"),
    Map.entry("Sub", "sub"), Map.entry("Mul", "mul"), Map.entry("Div", "divide"), Map.entry("Pow", "power"),
    Map.entry("And", "logical_and"), Map.entry("Or", "logical_or"), Map.entry("Xor", "logical_xor"),
    Map.entry("Sign", "sign"), Map.entry("Round", "round_to_even"), Map.entry("Softplus", "softplus"),
    Map.entry("Softsign", "softsign"), Map.entry("Mish", "mish"));
  private static final Map<String, String> FOLDS = Map.of("Add", "add", "Sum", "add", "Min", "minimum", "Max",
    "maximum");
  private static final Map<String, String> COMPARISONS = Map.of("Equal", "==", "Less", "<", "LessOrEqual", "<=",
    "Greater", ">", "GreaterOrEqual", ">=");

  private PointwiseExpressions() {}

  /**
   * The name of the function for an operator without attributes. {@code elementwise.cu} also has a function with this
   * name.
   *
   * @throws IllegalArgumentException if the operator is not supported
   */
  static String function(String operator) {
    String function = FUNCTIONS.get(operator);
    if (function == null) {
      throw new IllegalArgumentException("no function is named for it: operator=" + operator);
    }
    return function;
  }

  /**
   * The expression for a step's result; empty if the operator is not supported.
   *
   * @param operands names of variables; an empty string for an absent operand
   */
  static Optional<String> of(Step step, List<String> operands) {
    String stored = CudaElementTypes.stored(step.dtype());
    String operator = step.operator();
    if (FUNCTIONS.containsKey(operator)) {
      return Optional.of(narrowed(stored, call(function(operator), operands)));
    }
    if (FOLDS.containsKey(operator)) {
      return Optional.of(folded(stored, FOLDS.getOrDefault(operator, ""), operands));
    }
    if (COMPARISONS.containsKey(operator)) {
      return Optional.of("widen(%s) %s widen(%s) ? 1 : 0".formatted(operands.get(0), COMPARISONS.get(operator),
        operands.get(1)));
    }
    return switch (operator) {
      case "Where" -> Optional.of("%s ? %s : %s".formatted(operands.get(0), operands.get(1), operands.get(2)));
      case "Cast" -> Optional.of(step.dtype() == DType.BOOL
        ? "element::cast_to_bool(widen(%s))".formatted(operands.get(0))
        : "element::cast<%s>(widen(%s))".formatted(stored, operands.get(0)));
      case "Clip" -> Optional.of(narrowed(stored, clip(operands)));
      case "IsNaN" -> Optional.of("widen(%s) != widen(%s) ? 1 : 0".formatted(operands.get(0), operands.get(0)));
      case "Celu", "Elu", "Gelu", "HardSigmoid", "LeakyRelu", "Selu", "Shrink", "Swish", "ThresholdedRelu" ->
        activation(operator, step.attributes(), operands.get(0)).map(
          it -> narrowed(stored, it));
      default -> Optional.empty();
    };
  }

  private static String narrowed(String stored, String wide) {
    return "narrow<%s>(%s)".formatted(stored, wide);
  }

  private static String call(String function, List<String> operands) {
    return operands.stream().map("widen(%s)"::formatted).collect(Collectors.joining(", ", "element::" + function + "(",
      ")"));
  }

  /** Combines operands from the left and rounds each result. A single operand stays unchanged. */
  private static String folded(String stored, String function, List<String> operands) {
    String all = operands.getFirst();
    for (String next : operands.subList(1, operands.size())) {
      all = narrowed(stored, call(function, List.of(all, next)));
    }
    return all;
  }

  private static String clip(List<String> operands) {
    String bounded = "widen(%s)".formatted(operands.get(0));
    List<String> functions = List.of("", "element::at_least(%s, widen(%s))", "element::at_most(%s, widen(%s))");
    for (int i = 1; i < operands.size(); i++) {
      bounded = operands.get(i).isEmpty() ? bounded : functions.get(i).formatted(bounded, operands.get(i));
    }
    return bounded;
  }

  private static Optional<String> activation(String operator, Attributes attributes, String x) {
    return switch (operator) {
      case "LeakyRelu" -> one("leaky_relu", x, attributes, 0.01f);
      case "Celu" -> one("celu", x, attributes, 1);
      case "Elu" -> one("elu", x, attributes, 1);
      case "Swish" -> one("swish", x, attributes, 1);
      case "ThresholdedRelu" -> one("thresholded_relu", x, attributes, 1);
      case "HardSigmoid" -> two("hard_sigmoid", x, attributes.getFloat("alpha", 0.2f), attributes.getFloat("beta",
        0.5f));
      case "Selu" -> two("selu", x, attributes.getFloat("alpha", 1.6732632f), attributes.getFloat("gamma", 1.050701f));
      case "Shrink" -> two("shrink", x, attributes.getFloat("bias", 0), attributes.getFloat("lambd", 0.5f));
      default -> switch (attributes.getText("approximate", "none")) {
        case "none" -> Optional.of("element::gelu(widen(%s))".formatted(x));
        case "tanh" -> Optional.of("element::gelu_by_tanh(widen(%s))".formatted(x));
        default -> Optional.empty();
      };
    };
  }

  private static Optional<String> one(String function, String x, Attributes attributes, float alpha) {
    return Optional.of("element::%s(widen(%s), %s)".formatted(function, x, literal(attributes.getFloat("alpha",
      alpha))));
  }

  private static Optional<String> two(String function, String x, float first, float second) {
    return Optional.of("element::%s(widen(%s), %s, %s)".formatted(function, x, literal(first), literal(second)));
  }

  /** The exact number. NaN and infinities are written as bits. */
  private static String literal(float value) {
    return Float.isFinite(value)
      ? Float.toHexString(value) + "f"
      : "__uint_as_float(0x%08xu)".formatted(Float.floatToRawIntBits(value));
  }
}
