package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GeluForm;
import java.util.function.DoubleUnaryOperator;

/** The functions of neural networks, as ONNX defines them, in {@code double}. NaN stays NaN. */
public final class CpuActivations {
  private static final double ROOT_HALF = Math.sqrt(0.5);
  private static final double ROOT_TWO_OVER_PI = Math.sqrt(2 / Math.PI);

  private CpuActivations() {}

  public static double erf(double x) {
    return ErrorFunction.erf(x);
  }

  public static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  public static double relu(double x) {
    return x < 0 ? 0 : x;
  }

  public static double hardSwish(double x) {
    return x * unit(x / 6 + 0.5);
  }

  public static DoubleUnaryOperator leakyRelu(Attributes attributes) {
    double slope = ActivationForm.LEAKY_RELU.of(attributes, 0);
    return x -> x < 0 ? slope * x : x;
  }

  public static DoubleUnaryOperator hardSigmoid(Attributes attributes) {
    double slope = ActivationForm.HARD_SIGMOID.of(attributes, 0);
    double offset = ActivationForm.HARD_SIGMOID.of(attributes, 1);
    return x -> unit(slope * x + offset);
  }

  public static DoubleUnaryOperator elu(Attributes attributes) {
    double alpha = ActivationForm.ELU.of(attributes, 0);
    return x -> x < 0 ? alpha * Math.expm1(x) : x;
  }

  public static DoubleUnaryOperator selu(Attributes attributes) {
    double alpha = ActivationForm.SELU.of(attributes, 0);
    double gamma = ActivationForm.SELU.of(attributes, 1);
    return x -> gamma * (x <= 0 ? alpha * Math.expm1(x) : x);
  }

  public static DoubleUnaryOperator celu(Attributes attributes) {
    double alpha = ActivationForm.CELU.of(attributes, 0);
    return x -> x < 0 ? alpha * Math.expm1(x / alpha) : x;
  }

  /** The logarithm of {@code 1 + e^x}, which does not overflow. */
  public static double softplus(double x) {
    return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
  }

  public static double softsign(double x) {
    return Double.isInfinite(x) ? Math.signum(x) : x / (1 + Math.abs(x));
  }

  public static double mish(double x) {
    return x * Math.tanh(softplus(x));
  }

  public static DoubleUnaryOperator swish(Attributes attributes) {
    double alpha = ActivationForm.SWISH.of(attributes, 0);
    return x -> x * sigmoid(alpha * x);
  }

  public static DoubleUnaryOperator thresholdedRelu(Attributes attributes) {
    double alpha = ActivationForm.THRESHOLDED_RELU.of(attributes, 0);
    return x -> x <= alpha ? 0 : x;
  }

  /** Moves elements towards zero by {@code bias}; those within {@code lambd} of zero become 0. */
  public static DoubleUnaryOperator shrink(Attributes attributes) {
    double bias = ActivationForm.SHRINK.of(attributes, 0);
    double threshold = ActivationForm.SHRINK.of(attributes, 1);
    return x -> x < -threshold ? x + bias : x <= threshold ? 0 : x - bias;
  }

  /** {@code x} times the normal distribution's probability of at most {@code x}, or its approximation by tanh. */
  public static DoubleUnaryOperator gelu(Attributes attributes) {
    String approximate = GeluForm.of(attributes).approximation();
    return switch (approximate) {
      case "none" -> x -> 0.5 * x * ErrorFunction.erfc(-x * ROOT_HALF);
      case "tanh" -> x -> 0.5 * x * (1 + Math.tanh(ROOT_TWO_OVER_PI * (x + 0.044715 * x * x * x)));
      default -> throw new IllegalArgumentException("no such approximation: approximate=" + approximate);
    };
  }

  private static double unit(double x) {
    return Math.max(0, Math.min(1, x));
  }
}
