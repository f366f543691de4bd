package dev.cairn.runtime.zoo;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;

/** The layers of convolutional networks, as exporters write them. Images are {@code N,C,H,W}. */
final class VisionLayers {

  /**
   * A convolution without bias, padded so that stride 1 keeps the extent.
   *
   * @param outputs channels that come out
   * @param groups 1, or as many as the channels for a depthwise convolution
   * @param gain variance of the result over the mean square of what goes in: 2 keeps the scale after a rectifier, 1
   * otherwise
   */
  record Convolution(int inputs, int outputs, int kernel, int stride, int groups, double gain) {
    Convolution(int inputs, int outputs, int kernel, int stride) {
      this(inputs, outputs, kernel, stride, 1, 2);
    }

    NodeEntry on(ModelScope scope, NodeEntry x) {
      int fanIn = inputs / groups * kernel * kernel;
      NodeEntry weight = scope.normal("weight", 0, Math.sqrt(gain / fanIn), outputs, inputs / groups, kernel, kernel);
      return scope.apply("Conv", window(kernel, stride, kernel / 2)
        .with("dilations", AttributeValue.Ints.of(1, 1)).with("group", groups), x, weight);
    }
  }

  private VisionLayers() {}

  /** Normalisation by running statistics that are not those of the data, with gains about {@code gain}. */
  static NodeEntry batchNormalization(ModelScope scope, NodeEntry x, int channels, double gain) {
    var attributes = Attributes.NONE.with("epsilon", new AttributeValue.Real(1e-5f))
      .with("momentum", new AttributeValue.Real(0.9f));
    return scope.apply("BatchNormalization", attributes, x,
      scope.normal("weight", gain, 0.1 * gain, channels),
      scope.normal("bias", 0, 0.1, channels),
      scope.normal("running_mean", 0, 0.1, channels),
      scope.uniform("running_var", 0.75, 1.25, channels));
  }

  static NodeEntry relu(ModelScope scope, NodeEntry x) {
    return scope.apply("Relu", x);
  }

  /** Rectifier that stops at 6. */
  static NodeEntry relu6(ModelScope scope, NodeEntry x) {
    return scope.apply("Clip", x, scope.scalar("min", 0), scope.scalar("max", 6));
  }

  /** The largest of each 3 by 3 window, every second row and column. */
  static NodeEntry maxPool(ModelScope scope, NodeEntry x) {
    return scope.apply("MaxPool", window(3, 2, 1), x);
  }

  /** The mean of each channel, then one number for each class. */
  static NodeEntry classifier(ModelScope scope, NodeEntry x, int channels, int classes) {
    NodeEntry pooled = scope.apply("Flatten", Attributes.NONE.with("axis", 1), scope.apply("GlobalAveragePool", x));
    return linear(scope.within("fc"), pooled, channels, classes, 4);
  }

  /** Rows times a matrix stored as {@code outputs,inputs}, and a bias. */
  static NodeEntry linear(ModelScope scope, NodeEntry x, int inputs, int outputs, double gain) {
    return scope.apply("Gemm", Attributes.NONE.with("transB", 1), x,
      scope.normal("weight", 0, Math.sqrt(gain / inputs), outputs, inputs), scope.normal("bias", 0, 0.1, outputs));
  }

  private static Attributes window(int kernel, int stride, int padding) {
    return Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(kernel, kernel))
      .with("strides", AttributeValue.Ints.of(stride, stride))
      .with("pads", AttributeValue.Ints.of(padding, padding, padding, padding));
  }
}
