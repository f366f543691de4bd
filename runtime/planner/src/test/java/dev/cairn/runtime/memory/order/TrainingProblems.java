package dev.cairn.runtime.memory.order;

import java.util.List;
import java.util.TreeSet;

/** Training graphs as problems: forward, backward, and the update of every weight last, as programs define them. */
final class TrainingProblems {
  private final OrderProblem.Builder builder;
  private final int layers;

  private TrainingProblems(int layers) {
    this.layers = layers;
    this.builder = OrderProblem.builder(4 * layers);
  }

  /**
   * A chain of layers. Each step back reads the layer's result and the gradient from above; each update ends the life
   * of a gradient of weights.
   *
   * @param results bytes of each layer's result
   * @param weights bytes of each layer's weights, 0 for none
   * @param newWeights whether updates make new weights, which are kept, or write over the old ones, which come from
   *   outside
   */
  static OrderProblem chain(long[] results, long[] weights, boolean newWeights) {
    var it = new TrainingProblems(results.length);
    for (int layer = 0; layer < results.length; layer++) {
      it.forward(layer, results[layer]);
    }
    for (int layer = results.length - 1; layer >= 0; layer--) {
      it.backward(layer, layer == 0 ? 0 : results[layer - 1], weights[layer]);
    }
    for (int layer = 0; newWeights && layer < results.length; layer++) {
      it.builder.value(3 * it.layers + layer, weights[layer], true);
    }
    return it.builder.build();
  }

  private int gradientOfInput(int layer) {
    return layers + 2 * (layers - 1 - layer);
  }

  private int gradientOfWeights(int layer) {
    return gradientOfInput(layer) + 1;
  }

  private void forward(int layer, long bytes) {
    var readers = new TreeSet<>(List.of(gradientOfInput(layer)));
    if (layer + 1 < layers) {
      readers.addAll(List.of(layer + 1, gradientOfWeights(layer + 1)));
    }
    builder.value(layer, bytes, false, readers.stream().mapToInt(Integer::intValue).toArray());
  }

  private void backward(int layer, long gradientBytes, long weightBytes) {
    if (layer > 0) {
      builder.value(gradientOfInput(layer), gradientBytes, false, gradientOfInput(layer - 1),
        gradientOfWeights(layer - 1));
    }
    builder.value(gradientOfWeights(layer), weightBytes, false, 3 * layers + layer);
  }

  /** AlexNet of one tower on 224 pixels: convolutions, rectifiers, pools and three dense layers, in {@code float32}. */
  static OrderProblem alexNet(long batch) {
    long[] results = {64 * 55 * 55, 64 * 55 * 55, 64 * 27 * 27, 192 * 27 * 27, 192 * 27 * 27, 192 * 13 * 13,
      384 * 13 * 13,
      384 * 13 * 13, 256 * 13 * 13, 256 * 13 * 13, 256 * 13 * 13, 256 * 13 * 13, 256 * 6 * 6, 4096, 4096, 4096, 4096,
      1000};
    long[] weights = {64 * 3 * 11 * 11, 0, 0, 192 * 64 * 5 * 5, 0, 0, 384 * 192 * 3 * 3, 0, 256 * 384 * 3 * 3, 0,
      256 * 256 * 3 * 3, 0, 0, 9216 * 4096, 0, 4096 * 4096, 0, 4096 * 1000};
    for (int layer = 0; layer < results.length; layer++) {
      results[layer] *= batch * Float.BYTES;
      weights[layer] *= Float.BYTES;
    }
    return chain(results, weights, true);
  }
}
