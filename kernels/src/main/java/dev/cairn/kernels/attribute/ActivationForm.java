package dev.cairn.kernels.attribute;

import java.util.List;

/** The numbers that elementwise operators of one operand take of attributes: at most two. */
public enum ActivationForm {
  NONE,
  CELU(new Number("alpha", 1)),
  ELU(new Number("alpha", 1)),
  HARD_SIGMOID(new Number("alpha", 0.2f), new Number("beta", 0.5f)),
  LEAKY_RELU(new Number("alpha", 0.01f)),
  SELU(new Number("alpha", 1.6732632f), new Number("gamma", 1.050701f)),
  SHRINK(new Number("bias", 0), new Number("lambd", 0.5f)),
  SWISH(new Number("alpha", 1)),
  THRESHOLDED_RELU(new Number("alpha", 1));

  private final List<Number> numbers;

  /**
   * One of them.
   *
   * @param otherwise its value where a node does not have the attribute
   */
  private record Number(String attribute, float otherwise) {}

  ActivationForm(Number... numbers) {
    this.numbers = List.of(numbers);
  }

  /** The names of the attributes. */
  public List<String> attributes() {
    return numbers.stream().map(Number::attribute).toList();
  }

  /** A number of a node with these attributes; 0 for one that the operator does not take. */
  public float of(Attributes attributes, int index) {
    if (index >= numbers.size()) {
      return 0;
    }
    Number number = numbers.get(index);
    return attributes.getFloat(number.attribute, number.otherwise);
  }
}
