package dev.cairn.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Dropout;
import dev.cairn.runtime.train.layer.Embedding;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Rnn;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.layer.TransformerEncoderLayer;
import dev.cairn.runtime.train.loss.Loss;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import org.junit.jupiter.api.Test;

/** Networks of all kinds of layers learn a few items by heart: gradients reach every parameter through each layer. */
class NetworksLearnTest {
  private static final int ITEMS = 4;

  private static void assertLearns(Layer net, Loss loss, Tensor data, Tensor labels, int iterations) {
    net.initialize(Initializers.xavier(), 1, PartialType.of(data.type()));
    try (data;
      labels;
      var trainer = Trainer.of(net, loss, Optimizers.adam().rate(0.01), TrainerOptions.DEFAULT.withSeed(1))) {
      double first = trainer.iterate(data, labels);
      double last = first;
      for (int i = 1; i < iterations; i++) {
        last = trainer.iterate(data, labels);
      }
      assertThat(last).as("from %s", first).isLessThan(first / 2);
    }
  }

  private static float[] pixels(int count) {
    float[] pixels = new float[count];
    for (int i = 0; i < count; i++) {
      pixels[i] = (float) Math.sin(0.7 * i);
    }
    return pixels;
  }

  @Test
  void convolutionsAndPools() {
    assertLearns(Zoo.network("lenet"), Losses.softmaxCrossEntropy(), Tensor.of(pixels(ITEMS * 784), ITEMS, 1, 28, 28),
      Tensor.of(new long[] {3, 1, 4, 5}, ITEMS), 15);
  }

  @Test
  void residualBlocksWithBatchNormalisation() {
    Layer net = Sequential.of(new BasicBlock(4, true), new BasicBlock(4, false), Flatten.of(), Dense.of(3));
    assertLearns(net, Losses.softmaxCrossEntropy(), Tensor.of(pixels(ITEMS * 2 * 64), ITEMS, 2, 8, 8), Tensor.of(
      new long[] {0, 2, 1, 0}, ITEMS), 15);
  }

  @Test
  void recurrentLayersOverWords() {
    Layer net = Sequential.of(Embedding.of(7, 6), Dropout.of(0.1), Rnn.lstm(8).batchFirst(), Rnn.gru(8)
      .batchFirst(), Dense.of(7));
    assertLearns(net, Losses.softmaxCrossEntropy().alongLastAxis(), Tensor.of(new long[] {0, 1, 2, 3, 4, 5}, 2, 3),
      Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, 2, 3), 60);
  }

  @Test
  void encodersWithAttention() {
    Layer net = Sequential.of(Embedding.of(7, 8), TransformerEncoderLayer.of(8, 2, 16), Activation.gelu(), Dense.of(7));
    assertLearns(net, Losses.softmaxCrossEntropy().alongLastAxis(), Tensor.of(new long[] {0, 1, 2, 3, 4, 5}, 2, 3),
      Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, 2, 3), 60);
  }

  @Test
  void rowsWithBatchNormalisation() {
    Layer net = Sequential.of(Dense.of(8), BatchNorm.of(), Activation.relu(), Dense.of(1));
    assertLearns(net, Losses.l2(), Tensor.of(pixels(ITEMS * 3), ITEMS, 3), Tensor.of(new float[] {1, -1, 2, 0}, ITEMS,
      1), 100);
  }
}
