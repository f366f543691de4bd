package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/** Numbers of trees, which attributes hold as lists or as tensors. */
final class TreeTensors {
  private static final String AS_TENSOR = "_as_tensor";

  private TreeTensors() {}

  /** Real numbers, one for each of {@code count}; in a tensor if the attribute of that name is there. */
  static double[] numbers(Attributes attributes, String name, int count) {
    double[] values = numbers(attributes, name);
    if (values.length != count) {
      throw new IllegalArgumentException(
        "one value for each entry is needed: attribute=%s values=%d wanted=%d".formatted(name,
          values.length, count));
    }
    return values;
  }

  /** Real numbers; in a tensor if the attribute of that name is there. */
  static double[] numbers(Attributes attributes, String name) {
    if (attributes.find(name + AS_TENSOR).orElse(null) instanceof AttributeValue.Tensor(TensorView view)) {
      return numbers(view);
    }
    List<Float> values = attributes.getFloats(name);
    double[] numbers = new double[values.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values.get(i);
    }
    return numbers;
  }

  /** The numbers of an attribute that is a tensor. */
  static double[] tensor(Attributes attributes, String name, int count) {
    if (attributes.find(name).orElse(null) instanceof AttributeValue.Tensor(TensorView view) && view
      .elementCount() == count) {
      return numbers(view);
    }
    throw new IllegalArgumentException("one value for each entry is needed: attribute=%s wanted=%d".formatted(name,
      count));
  }

  private static double[] numbers(TensorView view) {
    double[] numbers = new double[Math.toIntExact(view.elementCount())];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = view.doubleAt(i);
    }
    return numbers;
  }
}
