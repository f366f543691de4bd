package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.zoo.VisionLayers.Convolution;

/**
 * ResNet-50 (He, Zhang, Ren and Sun: Deep Residual Learning for Image Recognition, 2015) in the form called v1.5, in
 * which the 3 by 3 convolution of a bottleneck halves the image, not the 1 by 1 before it.
 */
final class Resnet50 implements ZooModel {
  private static final int[] BLOCKS = {3, 4, 6, 3};
  private static final int EXPANSION = 4;

  @Override
  public String name() {
    return "resnet50";
  }

  @Override
  public String description() {
    return "ResNet-50 v1.5, 25.6 M parameters; input float32[Nx3x224x224] -> logits float32[Nx1000]";
  }

  @Override
  public Graph build(ZooOptions options) {
    ModelScope scope = ModelScope.of(name(), options);
    GraphExpression x = scope.input("input", DType.FLOAT32, 3, 224, 224);
    x = new Convolution(3, 64, 7, 2, 1, 1).on(scope.within("conv1"), x);
    x = VisionLayers.relu(scope, VisionLayers.batchNormalization(scope.within("bn1"), x, 64, 1));
    x = VisionLayers.maxPool(scope, x);
    int channels = 64;
    for (int stage = 0; stage < BLOCKS.length; stage++) {
      int width = 64 << stage;
      for (int block = 0; block < BLOCKS[stage]; block++) {
        int stride = stage > 0 && block == 0 ? 2 : 1;
        x = bottleneck(scope.within("layer" + (stage + 1)).within(block), x, channels, width, stride);
        channels = width * EXPANSION;
      }
    }
    scope.output("logits", VisionLayers.classifier(scope, x, channels, 1000));
    return scope.build();
  }

  /** Narrows, convolves, widens, and adds the input, which is brought to the same shape where it differs. */
  private static GraphExpression bottleneck(ModelScope scope, GraphExpression x, int inputs, int width, int stride) {
    int outputs = width * EXPANSION;
    GraphExpression y = new Convolution(inputs, width, 1, 1).on(scope.within("conv1"), x);
    y = VisionLayers.relu(scope, VisionLayers.batchNormalization(scope.within("bn1"), y, width, 1));
    y = new Convolution(width, width, 3, stride).on(scope.within("conv2"), y);
    y = VisionLayers.relu(scope, VisionLayers.batchNormalization(scope.within("bn2"), y, width, 1));
    y = new Convolution(width, outputs, 1, 1).on(scope.within("conv3"), y);
    y = VisionLayers.batchNormalization(scope.within("bn3"), y, outputs, 0.25);
    GraphExpression shortcut = x;
    if (stride != 1 || inputs != outputs) {
      ModelScope down = scope.within("downsample");
      shortcut = new Convolution(inputs, outputs, 1, stride).on(down.within(0), x);
      shortcut = VisionLayers.batchNormalization(down.within(1), shortcut, outputs, 1);
    }
    return VisionLayers.relu(scope, scope.on(y).add(shortcut));
  }
}
