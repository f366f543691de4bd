package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.zoo.VisionLayers.Convolution;
import java.util.List;

/** MobileNetV2, width 1 (Sandler and others: Inverted Residuals and Linear Bottlenecks, 2018). */
final class MobilenetV2 implements ZooModel {

  /** Blocks in a row: how much each widens inside, channels that come out, how many, and the stride of the first. */
  private record Stage(int expansion, int outputs, int blocks, int stride) {}

  private static final List<Stage> STAGES = List.of(
    new Stage(1, 16, 1, 1),
    new Stage(6, 24, 2, 2),
    new Stage(6, 32, 3, 2),
    new Stage(6, 64, 4, 2),
    new Stage(6, 96, 3, 1),
    new Stage(6, 160, 3, 2),
    new Stage(6, 320, 1, 1));
  private static final int LAST = 1280;

  @Override
  public String name() {
    return "mobilenet_v2";
  }

  @Override
  public String description() {
    return "MobileNetV2, width 1, 3.5 M parameters; input float32[Nx3x224x224] -> logits float32[Nx1000]";
  }

  @Override
  public Graph build(ZooOptions options) {
    ModelScope scope = ModelScope.of(name(), options);
    GraphExpression x = scope.input("input", DType.FLOAT32, 3, 224, 224);
    ModelScope features = scope.within("features");
    x = rectified(features.within(0), new Convolution(3, 32, 3, 2, 1, 1), x);
    int channels = 32;
    int index = 1;
    for (Stage stage : STAGES) {
      for (int block = 0; block < stage.blocks; block++) {
        int stride = block == 0 ? stage.stride : 1;
        x = block(features.within(index), x, channels, stage, stride);
        channels = stage.outputs;
        index++;
      }
    }
    x = rectified(features.within(index), new Convolution(channels, LAST, 1, 1, 1, 1), x);
    scope.output("logits", VisionLayers.classifier(scope.within("classifier"), x, LAST, 1000));
    return scope.build();
  }

  /** Widen, look around within each channel, narrow without a rectifier, and add what came in where shapes allow. */
  private static GraphExpression block(ModelScope scope, GraphExpression x, int inputs, Stage stage, int stride) {
    int width = inputs * stage.expansion;
    GraphExpression y = x;
    if (stage.expansion != 1) {
      y = rectified(scope.within("expand"), new Convolution(inputs, width, 1, 1, 1, 1), y);
    }
    y = rectified(scope.within("depthwise"), new Convolution(width, width, 3, stride, width, 2), y);
    ModelScope project = scope.within("project");
    y = new Convolution(width, stage.outputs, 1, 1).on(project.within("conv"), y);
    boolean residual = stride == 1 && inputs == stage.outputs;
    y = VisionLayers.batchNormalization(project.within("bn"), y, stage.outputs, residual ? 0.5 : 1);
    return residual ? scope.on(x).add(y) : y;
  }

  private static GraphExpression rectified(ModelScope scope, Convolution convolution, GraphExpression x) {
    GraphExpression y = convolution.on(scope.within("conv"), x);
    return VisionLayers.relu6(scope, VisionLayers.batchNormalization(scope.within("bn"), y, convolution.outputs(), 1));
  }
}
