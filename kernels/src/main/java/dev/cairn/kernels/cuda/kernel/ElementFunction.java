package dev.cairn.kernels.cuda.kernel;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An elementwise operator with one operand, and its function in {@code pointwise.cuh}. Kernels of one operator and
 * fused programs call the same function. To add an operator, add its line here, and its formula and its entry there.
 *
 * @param dtypes element types for which CUDA has the operator
 * @param parameters attributes that the function takes after the element, at most two
 */
public record ElementFunction(String operator, Set<DType> dtypes, String function, List<Parameter> parameters) {
  private static final Set<DType> REAL = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);
  private static final Set<DType> SIGNED = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, DType.INT8, DType.INT16,
    DType.INT32, DType.INT64);

  /** Every operator of this kind that CUDA has, by name. */
  public static final List<ElementFunction> ALL = List.of(
    of("Abs", DType.NUMBERS, "absolute"),
    of("Ceil", REAL, "round_up"),
    of("Celu", REAL, "celu", new Parameter("alpha", 1)),
    of("Cos", REAL, "cosine"),
    of("Elu", REAL, "elu", new Parameter("alpha", 1)),
    of("Erf", REAL, "error_function"),
    of("Exp", REAL, "exponential"),
    of("Floor", REAL, "round_down"),
    of("Gelu", REAL, "gelu"),
    of("HardSigmoid", REAL, "hard_sigmoid", new Parameter("alpha", 0.2f), new Parameter("beta", 0.5f)),
    of("HardSwish", REAL, "hard_swish"),
    of("LeakyRelu", REAL, "leaky_relu", new Parameter("alpha", 0.01f)),
    of("Log", REAL, "logarithm"),
    of("Mish", REAL, "mish"),
    of("Neg", SIGNED, "negate"),
    of("Not", EnumSet.of(DType.BOOL), "logical_not"),
    of("Reciprocal", REAL, "reciprocal"),
    of("Relu", SIGNED, "relu"),
    of("Round", REAL, "round_to_even"),
    of("Selu", REAL, "selu", new Parameter("alpha", 1.6732632f), new Parameter("gamma", 1.050701f)),
    of("Shrink", REAL, "shrink", new Parameter("bias", 0), new Parameter("lambd", 0.5f)),
    of("Sigmoid", REAL, "sigmoid"),
    of("Sign", DType.NUMBERS, "sign"),
    of("Sin", REAL, "sine"),
    of("Softplus", REAL, "softplus"),
    of("Softsign", REAL, "softsign"),
    of("Sqrt", REAL, "square_root"),
    of("Swish", REAL, "swish", new Parameter("alpha", 1)),
    of("Tanh", REAL, "hyperbolic_tangent"),
    of("ThresholdedRelu", REAL, "thresholded_relu", new Parameter("alpha", 1)));

  /**
   * An attribute that the function takes.
   *
   * @param otherwise its value where a node does not have it
   */
  public record Parameter(String attribute, float otherwise) {
    float of(Attributes attributes) {
      return attributes.getFloat(attribute, otherwise);
    }
  }

  private static ElementFunction of(String operator, Set<DType> dtypes, String function, Parameter... parameters) {
    return new ElementFunction(operator, Set.copyOf(dtypes), function, List.of(parameters));
  }

  /** The function for these attributes; empty if there is none for their {@code approximate}. */
  Optional<String> function(Attributes attributes) {
    return switch (attributes.getText("approximate", "none")) {
      case "none" -> Optional.of(function);
      case "tanh" -> Optional.of(function + "_by_tanh");
      default -> Optional.empty();
    };
  }
}
