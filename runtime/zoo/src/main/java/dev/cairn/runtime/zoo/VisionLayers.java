package dev.cairn.runtime.zoo;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import java.util.List;

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

    GraphExpression on(ModelScope scope, GraphExpression x) {
      int fanIn = inputs / groups * kernel * kernel;
      GraphExpression weight = scope.normal("weight", 0, Math.sqrt(gain / fanIn), outputs, inputs / groups, kernel,
        kernel);
      return scope.on(x).conv(window(kernel, stride, kernel / 2).with("dilations", AttributeValue.Ints.of(1, 1)).with(
        "group", groups), List.of(weight));
    }
  }

  private VisionLayers() {}

  /** Normalisation by running statistics that are not those of the data, with gains about {@code gain}. */
  static GraphExpression batchNormalization(ModelScope scope, GraphExpression x, int channels, double gain) {
    var attributes = Attributes.NONE.with("epsilon", new AttributeValue.Real(1e-5f))
      .with("momentum", new AttributeValue.Real(0.9f));
    return scope.on(x).batchNorm(attributes, 1, List.of(scope.normal("weight", gain, 0.1 * gain, channels), scope
      .normal("bias", 0, 0.1, channels), scope.normal("running_mean", 0, 0.1, channels),
      scope.uniform("running_var",
        0.75, 1.25, channels)))
      .getFirst();
  }

  static GraphExpression relu(ModelScope scope, GraphExpression x) {
    return scope.on(x).relu();
  }

  /** Rectifier that stops at 6. */
  static GraphExpression relu6(ModelScope scope, GraphExpression x) {
    return scope.on(x).clip(scope.scalar("min", 0), scope.scalar("max", 6));
  }

  /** The largest of each 3 by 3 window, every second row and column. */
  static GraphExpression maxPool(ModelScope scope, GraphExpression x) {
    return scope.on(x).maxPool(window(3, 2, 1));
  }

  /** The mean of each channel, then one number for each class. */
  static GraphExpression classifier(ModelScope scope, GraphExpression x, int channels, int classes) {
    GraphExpression pooled = scope.on(x).globalAvgPool().flatten(1);
    return linear(scope.within("fc"), pooled, channels, classes, 4);
  }

  /** Rows times a matrix stored as {@code outputs,inputs}, and a bias. */
  static GraphExpression linear(ModelScope scope, GraphExpression x, int inputs, int outputs, double gain) {
    return scope.on(x).linear(scope.normal("weight", 0, Math.sqrt(gain / inputs), outputs, inputs), scope.normal("bias",
      0, 0.1, outputs));
  }

  private static Attributes window(int kernel, int stride, int padding) {
    return Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(kernel, kernel))
      .with("strides", AttributeValue.Ints.of(stride, stride))
      .with("pads", AttributeValue.Ints.of(padding, padding, padding, padding));
  }
}
