package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GeluForm;
import dev.cairn.kernels.onednn.PostOperations.Function;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An elementwise operator with one operand, and oneDNN's function for it. To add an operator, add its row here.
 *
 * @param function for a node's attributes
 */
record OneDnnFunction(String operator, java.util.function.Function<Attributes, Function> function) {
  static final int RELU = 0x20;
  private static final int TANH = 0x21;
  private static final int HARD_SIGMOID = 0x28;
  private static final int LOGISTIC = 0x29;
  private static final int GELU_TANH = 0x2b;
  private static final int SWISH_NUMBER = 0x2c;
  /** The product of an element and its {@code Sigmoid}. */
  static final Function SWISH = new Function(SWISH_NUMBER, 1, 0);
  private static final int GELU_ERF = 0x31;
  private static final int HARD_SWISH = 0x34;

  private static final Map<String, OneDnnFunction> ROWS = List.of(
    new OneDnnFunction("Gelu", it -> new Function(GeluForm.of(it).isByTanh() ? GELU_TANH : GELU_ERF, 0, 0)),
    row("HardSigmoid", HARD_SIGMOID, ActivationForm.HARD_SIGMOID),
    new OneDnnFunction("HardSwish", _ -> new Function(HARD_SWISH, 1f / 6, 0.5f)),
    row("LeakyRelu", RELU, ActivationForm.LEAKY_RELU),
    row("Relu", RELU, ActivationForm.NONE),
    row("Sigmoid", LOGISTIC, ActivationForm.NONE),
    row("Swish", SWISH_NUMBER, ActivationForm.SWISH),
    row("Tanh", TANH, ActivationForm.NONE)).stream().collect(Collectors.toMap(OneDnnFunction::operator,
      java.util.function.Function.identity()));

  private static OneDnnFunction row(String operator, int algorithm, ActivationForm form) {
    return new OneDnnFunction(operator, it -> new Function(algorithm, form.of(it, 0), form.of(it, 1)));
  }

  /** Empty when oneDNN has no function for the operator. */
  static Optional<Function> of(String operator, Attributes attributes) {
    return Optional.ofNullable(ROWS.get(operator)).map(row -> row.function.apply(attributes));
  }
}
