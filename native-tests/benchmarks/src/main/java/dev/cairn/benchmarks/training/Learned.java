package dev.cairn.benchmarks.training;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.data.Batch;
import dev.cairn.runtime.train.data.Batches;
import dev.cairn.runtime.train.data.SplitDataset;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;

/**
 * What a network has learned.
 *
 * @param loss the mean of the last epoch
 * @param accuracy of the test rows after it
 * @param seconds that all epochs took
 */
record Learned(double loss, double accuracy, double seconds) {
  static final int BATCH = 32;

  /** Trains a network that has its first values. */
  static Learned of(Layer net, Optimizer optimizer, SplitDataset data, long seed, int epochs) {
    Batches batches = Batches.of(data.train(), BATCH).shuffled(seed).withLast(Batches.Last.DISCARD);
    long started = System.nanoTime();
    try (Trainer trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), optimizer, TrainerOptions.DEFAULT)) {
      double sum = 0;
      for (int epoch = 0; epoch < epochs; epoch++) {
        sum = 0;
        for (Batch batch : batches.epoch(epoch)) {
          try (Tensor features = Tensor.copyOf(batch.features()); Tensor labels = Tensor.copyOf(batch.labels())) {
            sum += trainer.iterate(features, labels);
          }
        }
      }
      double seconds = (System.nanoTime() - started) / 1e9;
      return new Learned(sum / batches.count(), accuracy(trainer, data.test()), seconds);
    }
  }

  private static double accuracy(Trainer trainer, ArrayDataset test) {
    try (Session session = Session.of(trainer.toGraph(), SessionOptions.DEFAULT);
      Tensor features = Tensor.copyOf(test.features());
      Result result = session.run(Map.of(Trainer.DATA, features))) {
      TensorView scores = result.get(result.names().iterator().next()).view();
      int classes = Math.toIntExact(scores.shape().extent(1));
      int right = 0;
      for (int row = 0; row < test.rows(); row++) {
        int best = 0;
        for (int i = 1; i < classes; i++) {
          best = scores.doubleAt((long) row * classes + i) > scores.doubleAt((long) row * classes + best) ? i : best;
        }
        right += best == test.labels().longAt(row) ? 1 : 0;
      }
      return (double) right / test.rows();
    }
  }
}
