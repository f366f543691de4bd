package dev.cairn.runtime.expression;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Activations, and layers of neural networks without their parameters. */
public interface NetworkFunctions<T extends NetworkFunctions<T>> extends OperatorCalls<T> {
  default T celu() {
    return call("Celu", Attributes.NONE);
  }

  default T elu() {
    return call("Elu", Attributes.NONE);
  }

  default T gelu() {
    return call("Gelu", Attributes.NONE);
  }

  /** {@link #gelu}, approximated by a hyperbolic tangent. */
  default T geluByTanh() {
    return call("Gelu", Attributes.NONE.with("approximate", new AttributeValue.Text("tanh")));
  }

  default T hardsigmoid() {
    return call("HardSigmoid", Attributes.NONE);
  }

  default T hardswish() {
    return call("HardSwish", Attributes.NONE);
  }

  default T mish() {
    return call("Mish", Attributes.NONE);
  }

  default T relu() {
    return call("Relu", Attributes.NONE);
  }

  default T selu() {
    return call("Selu", Attributes.NONE);
  }

  default T sigmoid() {
    return call("Sigmoid", Attributes.NONE);
  }

  default T silu() {
    return call("Swish", Attributes.NONE);
  }

  default T softplus() {
    return call("Softplus", Attributes.NONE);
  }

  default T softsign() {
    return call("Softsign", Attributes.NONE);
  }

  /** Multiplies negative elements by a slope. */
  default T leakyRelu(float slope) {
    return leakyRelu(Attributes.NONE.with("alpha", new AttributeValue.Real(slope)));
  }

  /** @param attributes of {@code LeakyRelu} */
  default T leakyRelu(Attributes attributes) {
    return call("LeakyRelu", attributes);
  }

  /** Exponentials that sum to 1 along an axis. */
  default T softmax(int axis) {
    return call("Softmax", Attributes.NONE.with("axis", axis));
  }

  /** The logarithm of {@link #softmax}. */
  default T logSoftmax(int axis) {
    return call("LogSoftmax", Attributes.NONE.with("axis", axis));
  }

  /** The matrix product, batch by batch. */
  default T matmul(T other) {
    return call("MatMul", Attributes.NONE, other);
  }

  /** {@code x · weightᵀ + bias}, with a weight {@code [out, in]}. */
  default T linear(T weight, T bias) {
    return gemm(Attributes.NONE.with("transB", 1), List.of(weight, bias));
  }

  /**
   * The product of two matrices, perhaps with a sum.
   *
   * @param attributes of {@code Gemm}
   * @param others the second matrix, and perhaps what is added
   */
  default T gemm(Attributes attributes, List<T> others) {
    return callAll("Gemm", attributes, 1, others).get(0);
  }

  /**
   * The convolution of images {@code N,C,spatial...}.
   *
   * @param bias one number for each channel; null for none
   * @param strides one for each spatial axis
   * @param pads before each spatial axis, then behind each
   */
  default T conv(T weight, @Nullable T bias, long[] strides, long[] pads) {
    Attributes attributes = Attributes.NONE.with("strides", AttributeValue.Ints.of(strides))
      .with("pads", AttributeValue.Ints.of(pads));
    return conv(attributes, bias == null ? List.of(weight) : List.of(weight, bias));
  }

  /**
   * The convolution of images {@code N,C,spatial...}.
   *
   * @param attributes of {@code Conv}
   * @param parameters weight, and perhaps bias
   */
  default T conv(Attributes attributes, List<T> parameters) {
    return callAll("Conv", attributes, 1, parameters).get(0);
  }

  /**
   * The transposed convolution of images {@code N,C,spatial...}.
   *
   * @param attributes of {@code ConvTranspose}
   * @param parameters weight, and perhaps bias
   */
  default T convTranspose(Attributes attributes, List<T> parameters) {
    return callAll("ConvTranspose", attributes, 1, parameters).get(0);
  }

  /** The largest element of each window of images {@code N,C,spatial...}. */
  default T maxPool(long[] kernel, long[] strides) {
    return maxPool(window(kernel, strides));
  }

  /** @param window attributes of {@code MaxPool} */
  default T maxPool(Attributes window) {
    return call("MaxPool", window);
  }

  /** The mean of each window of images {@code N,C,spatial...}. */
  default T avgPool(long[] kernel, long[] strides) {
    return avgPool(window(kernel, strides));
  }

  /** @param window attributes of {@code AveragePool} */
  default T avgPool(Attributes window) {
    return call("AveragePool", window);
  }

  /** The mean of each channel of images {@code N,C,spatial...}; spatial axes stay with extent 1. */
  default T globalAvgPool() {
    return call("GlobalAveragePool", Attributes.NONE);
  }

  private static Attributes window(long[] kernel, long[] strides) {
    return Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(kernel))
      .with("strides", AttributeValue.Ints.of(strides));
  }

  /** This expression, normalised by mean and variance over the last axes, from this axis on. */
  default T layerNorm(int axis, T scale, @Nullable T bias, float epsilon) {
    return callAll("LayerNormalization", Attributes.NONE.with("axis", axis).with("epsilon", new AttributeValue.Real(
      epsilon)), 1, Arrays.asList(scale, bias)).get(0);
  }

  /**
   * Divided by the root of the mean of squares.
   *
   * @param attributes of {@code RMSNormalization}
   */
  default T rmsNorm(Attributes attributes, T scale) {
    return call("RMSNormalization", attributes, scale);
  }

  /** This expression, normalised by given statistics of each channel. */
  default T batchNorm(T scale, T bias, T mean, T variance, float epsilon) {
    return batchNorm(Attributes.NONE.with("epsilon", new AttributeValue.Real(epsilon)), 1, List.of(scale, bias, mean,
      variance)).get(0);
  }

  /**
   * Normalised by statistics of each channel.
   *
   * @param attributes of {@code BatchNormalization}
   * @param results 1, or in training the new running statistics, too
   * @param parameters scale, bias, running mean and running variance
   */
  default List<T> batchNorm(Attributes attributes, int results, List<T> parameters) {
    return callAll("BatchNormalization", attributes, results, parameters);
  }
}
