package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.FiguresPage;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.PageOptions;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.symbol.PartialType;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.data.Batch;
import dev.cairn.runtime.train.data.Batches;
import dev.cairn.runtime.train.data.CsvFile;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code convergence}: what networks learn from the digits (N13). */
public final class ConvergenceBenchmark implements Benchmark {
  private static final double LEAST_ACCURACY = 0.97;
  private static final int EPOCHS = 20;
  private static final int SEEDS = 3;
  private static final int BATCH = 32;
  private static final long FEATURES = 64;

  /** Of the last epoch, and of the test rows after it. */
  private record Learned(double loss, double accuracy, double seconds) {}

  @Override
  public String name() {
    return "convergence";
  }

  @Override
  public String description() {
    return "accuracy of a network of two layers on handwritten digits, by seed";
  }

  @Override
  public String options() {
    return PageOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    PageOptions options = PageOptions.parse(arguments, List.of());
    Path digits = places.data("digits/digits.csv.gz");
    if (!Files.exists(digits)) {
      return new Outcome("skipped-no-data=digits", "none", false);
    }
    ArrayDataset data = CsvFile.read(digits).scaled(1 / 16.0);
    var table = new MarkdownTable("seed", "loss", "accuracy", "s");
    double least = 1;
    for (int seed = 1; seed <= (options.quick() ? 1 : SEEDS); seed++) {
      System.err.printf("convergence      seed %d%n", seed);
      Learned learned = learn(data, seed, options.quick() ? 5 : EPOCHS);
      least = Math.min(least, learned.accuracy);
      table.row("%d".formatted(seed), number(4, learned.loss), number(4, learned.accuracy), number(1, learned.seconds));
    }
    return new FiguresPage(name(), "Convergence: what is learned", TrainingBenchmark.ABOUT, options).print(
      List.of(new Section("Digits",
        """
          64-128-10 with relu, SGD 0.1 with momentum 0.9, batches of 32, 20 epochs; every fifth of the 1,797 images
          tests. The worst accuracy is judged.""",
        table, List.of(Figure.judged("accuracy", least, 4, Goal.atLeast(
          LEAST_ACCURACY))))),
      List.of(), arguments, places);
  }

  private static Learned learn(ArrayDataset data, int seed, int epochs) {
    Sequential net = Sequential.of(Dense.of(128), Activation.relu(), Dense.of(10));
    net.initialize(Initializers.xavier(), seed, PartialType.of(DType.FLOAT32, 1, FEATURES));
    Batches batches = Batches.of(data.where(row -> row % 5 != 0), BATCH).shuffled(seed).withLast(Batches.Last.DISCARD);
    long started = System.nanoTime();
    try (Trainer trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), Optimizers.sgd(0.9).rate(0.1),
      TrainerOptions.DEFAULT)) {
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
      return new Learned(sum / batches.count(), accuracy(trainer, data.where(row -> row % 5 == 0)), seconds);
    }
  }

  private static double accuracy(Trainer trainer, ArrayDataset test) {
    try (Session session = Session.of(trainer.toGraph(), SessionOptions.DEFAULT);
      Tensor features = Tensor.copyOf(test
        .features());
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
