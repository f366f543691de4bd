package dev.cairn.kernels.cuda.elementwise;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;

import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GeluForm;
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
 * @param form the numbers that the function takes after the element
 */
public record ElementFunction(String operator, Set<DType> dtypes, String function, ActivationForm form) {
  private static final Set<DType> REAL = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);
  private static final Set<DType> SIGNED = EnumSet.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, DType.INT8, DType.INT16,
    DType.INT32, DType.INT64);

  /** Every operator of this kind that CUDA has, by name. */
  public static final List<ElementFunction> ALL = List.of(
    of("Abs", DType.NUMBERS, "absolute"),
    of("Ceil", REAL, "round_up"),
    of("Celu", REAL, "celu", ActivationForm.CELU),
    of("Cos", REAL, "cosine"),
    of("Elu", REAL, "elu", ActivationForm.ELU),
    of("Erf", REAL, "error_function"),
    of("Exp", REAL, "exponential"),
    of("Floor", REAL, "round_down"),
    of("Gelu", REAL, "gelu"),
    of("HardSigmoid", REAL, "hard_sigmoid", ActivationForm.HARD_SIGMOID),
    of("HardSwish", REAL, "hard_swish"),
    of("LeakyRelu", REAL, "leaky_relu", ActivationForm.LEAKY_RELU),
    of("Log", REAL, "logarithm"),
    of("Mish", REAL, "mish"),
    of("Neg", SIGNED, "negate"),
    of("Not", EnumSet.of(DType.BOOL), "logical_not"),
    of("Reciprocal", REAL, "reciprocal"),
    of("Relu", SIGNED, "relu"),
    of("Round", REAL, "round_to_even"),
    of("Selu", REAL, "selu", ActivationForm.SELU),
    of("Shrink", REAL, "shrink", ActivationForm.SHRINK),
    of("Sigmoid", REAL, "sigmoid"),
    of("Sign", DType.NUMBERS, "sign"),
    of("Sin", REAL, "sine"),
    of("Softplus", REAL, "softplus"),
    of("Softsign", REAL, "softsign"),
    of("Sqrt", REAL, "square_root"),
    of("Swish", REAL, "swish", ActivationForm.SWISH),
    of("Tanh", REAL, "hyperbolic_tangent"),
    of("ThresholdedRelu", REAL, "thresholded_relu", ActivationForm.THRESHOLDED_RELU));

  private static ElementFunction of(String operator, Set<DType> dtypes, String function) {
    return of(operator, dtypes, function, ActivationForm.NONE);
  }

  private static ElementFunction of(String operator, Set<DType> dtypes, String function, ActivationForm form) {
    return new ElementFunction(operator, Set.copyOf(dtypes), function, form);
  }

  /** The function for these attributes; empty if there is none for their {@code approximate}. */
  Optional<String> function(Attributes attributes) {
    return switch (GeluForm.of(attributes).approximation()) {
      case "none" -> Optional.of(function);
      case "tanh" -> Optional.of(function + "_by_tanh");
      default -> Optional.empty();
    };
  }
}
