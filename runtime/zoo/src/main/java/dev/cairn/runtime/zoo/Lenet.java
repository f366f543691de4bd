package dev.cairn.runtime.zoo;

import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Conv;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.MaxPool;
import dev.cairn.runtime.train.layer.Sequential;

/** LeNet-5 (LeCun, Bottou, Bengio and Haffner, 1998), with rectifiers and the largest of each window. */
final class Lenet extends ImageClassifier {
  private static final int CLASSES = 10;

  Lenet() {
    super(CLASSES);
  }

  @Override
  public String name() {
    return "lenet";
  }

  @Override
  public String description() {
    return "LeNet-5, 0.06 M parameters, as layers; input float32[Nx1x28x28] -> logits float32[Nx10]";
  }

  @Override
  Layer network(int numberOfClasses) {
    return Sequential.of().add("conv1", Conv.conv2d(6, 5).padding(2)).add("relu1", Activation.relu()) //
      .add("pool1", MaxPool.window(2, 2)) //
      .add("conv2", Conv.conv2d(16, 5)).add("relu2", Activation.relu()).add("pool2", MaxPool.window(2, 2)) //
      .add("flatten", Flatten.of()).add("fc1", Dense.of(120)).add("relu3", Activation.relu()) //
      .add("fc2", Dense.of(84)).add("relu4", Activation.relu()).add("fc3", Dense.of(numberOfClasses));
  }

  @Override
  long[] extentsOfOne(ZooOptions options) {
    return new long[] {1, 28, 28};
  }
}
