package dev.cairn.runtime.zoo;

import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.AvgPool;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Conv;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.MaxPool;
import dev.cairn.runtime.train.layer.Sequential;

/** ResNet-18 (He, Zhang, Ren and Sun, 2015). A state dict of torchvision's loads by name. */
final class Resnet18 extends ImageClassifier {
  private static final int STAGES = 4;
  private static final int WIDTH = 64;
  private static final int CLASSES = 1000;

  Resnet18() {
    super(CLASSES);
  }

  @Override
  public String name() {
    return "resnet18";
  }

  @Override
  public String description() {
    return "ResNet-18, 11.7 M parameters, as layers; input float32[Nx3x224x224] -> logits float32[Nx1000]";
  }

  @Override
  Layer network(int numberOfClasses) {
    Sequential all = Sequential.of().add("conv1", Conv.conv2d(WIDTH, 7).stride(2).padding(3).withoutBias())
      .add("bn1", BatchNorm.of()).add("relu", Activation.relu())
      .add("maxpool", MaxPool.window(3, 3).stride(2).padding(1));
    for (int stage = 0; stage < STAGES; stage++) {
      long channels = (long) WIDTH << stage;
      all.add("layer" + (stage + 1), Sequential.of(new BasicBlock(channels, stage > 0), new BasicBlock(channels,
        false)));
    }
    return all.add("avgpool", AvgPool.global()).add("flatten", Flatten.of()).add("fc", Dense.of(numberOfClasses));
  }

  @Override
  long[] extentsOfOne(ZooOptions options) {
    return new long[] {3, 224, 224};
  }
}
