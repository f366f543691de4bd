package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.train.layer.Layer;

/** A reference model that gives the class of an image. */
abstract class ImageClassifier extends LayeredModel {
  private final int classes;

  ImageClassifier(int classes) {
    this.classes = classes;
  }

  /** The layers, without values, for as many classes. */
  abstract Layer network(int numberOfClasses);

  @Override
  final Layer network() {
    return network(classes);
  }

  @Override
  final DType inputType() {
    return DType.FLOAT32;
  }
}
