package dev.cairn.kernels.attribute;

import java.util.List;

/**
 * The numbers that an elementwise operator of one operand takes of attributes.
 *
 * @param parameters at most two
 */
public record ActivationForm(List<Parameter> parameters) {
  public static final ActivationForm NONE = new ActivationForm(List.of());
  public static final ActivationForm CELU = of("alpha", 1);
  public static final ActivationForm ELU = of("alpha", 1);
  public static final ActivationForm HARD_SIGMOID = new ActivationForm(List.of(new Parameter("alpha", 0.2f),
    new Parameter("beta", 0.5f)));
  public static final ActivationForm LEAKY_RELU = of("alpha", 0.01f);
  public static final ActivationForm SELU = new ActivationForm(List.of(new Parameter("alpha", 1.6732632f),
    new Parameter("gamma", 1.050701f)));
  public static final ActivationForm SHRINK = new ActivationForm(List.of(new Parameter("bias", 0), new Parameter(
    "lambd", 0.5f)));
  public static final ActivationForm SWISH = of("alpha", 1);
  public static final ActivationForm THRESHOLDED_RELU = of("alpha", 1);

  /**
   * One of them.
   *
   * @param otherwise its value where a node does not have the attribute
   */
  public record Parameter(String attribute, float otherwise) {}

  private static ActivationForm of(String attribute, float otherwise) {
    return new ActivationForm(List.of(new Parameter(attribute, otherwise)));
  }

  /** A number of a node with these attributes; 0 for one that the operator does not take. */
  public float of(Attributes attributes, int index) {
    if (index >= parameters.size()) {
      return 0;
    }
    Parameter parameter = parameters.get(index);
    return attributes.getFloat(parameter.attribute, parameter.otherwise);
  }
}
