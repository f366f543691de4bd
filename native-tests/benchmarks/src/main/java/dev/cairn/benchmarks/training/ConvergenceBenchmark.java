package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Arguments;
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
import dev.cairn.runtime.symbol.PartialType;
import dev.cairn.runtime.train.data.CsvFile;
import dev.cairn.runtime.train.data.SplitDataset;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.optimizer.Optimizers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code convergence}: what networks learn from the digits and from Fashion-MNIST (N13). */
public final class ConvergenceBenchmark implements Benchmark {
  private static final double LEAST_ACCURACY = 0.97;
  private static final int EPOCHS = 20;
  private static final int SEEDS = 3;
  private static final int FASHION_EPOCHS = 5;
  /** Where Debian's package dataset-fashion-mnist puts the data. */
  private static final Path DEBIANS = Path.of("/usr/share/datasets/fashion-mnist");
  private static final long FEATURES = 64;

  @Override
  public String name() {
    return "convergence";
  }

  @Override
  public String description() {
    return "accuracy on handwritten digits, by seed, and on Fashion-MNIST beside PyTorch";
  }

  @Override
  public String options() {
    return PageOptions.USAGE + " [--data FOLDER of Fashion-MNIST]";
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    Path fashion = DEBIANS;
    List<String> others = new ArrayList<>();
    var given = new Arguments(arguments);
    while (given.hasNext()) {
      String option = given.next();
      if (option.equals("--data")) {
        fashion = Path.of(given.value());
      } else {
        others.add(option);
      }
    }
    PageOptions options = PageOptions.parse(others, List.of());
    List<Section> sections = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    Path digits = places.data("digits/digits.csv.gz");
    if (Files.exists(digits)) {
      sections.add(digits(SplitDataset.of(CsvFile.read(digits).scaled(1 / 16.0), 5), options.quick()));
    } else {
      skipped.add("digits");
    }
    if (Files.isDirectory(fashion)) {
      sections.add(FashionTable.section(SplitDataset.ofIdx(fashion), fashion, options.quick() ? 1 : FASHION_EPOCHS));
    } else {
      skipped.add("fashion-mnist");
    }
    return new FiguresPage(name(), "Convergence: what is learned", TrainingBenchmark.ABOUT, options).print(sections,
      skipped, arguments, places);
  }

  private static Section digits(SplitDataset data, boolean quick) {
    var table = new MarkdownTable("seed", "loss", "accuracy", "s");
    double least = 1;
    for (int seed = 1; seed <= (quick ? 1 : SEEDS); seed++) {
      System.err.printf("convergence      seed %d%n", seed);
      Sequential net = Sequential.of(Dense.of(128), Activation.relu(), Dense.of(10));
      net.initialize(Initializers.xavier(), seed, PartialType.of(DType.FLOAT32, 1, FEATURES));
      Learned learned = Learned.of(net, Optimizers.sgd(0.9).rate(0.1), data, seed, quick ? 5 : EPOCHS);
      least = Math.min(least, learned.accuracy());
      table.row("%d".formatted(seed), number(4, learned.loss()), number(4, learned.accuracy()), number(1, learned
        .seconds()));
    }
    return new Section("Digits", """
      64-128-10 with relu, SGD 0.1 with momentum 0.9, batches of 32, 20 epochs; every fifth of the 1,797 images
      tests. The worst accuracy is judged.""", table, List.of(Figure.judged("accuracy", least, 4, Goal.atLeast(
      LEAST_ACCURACY))));
  }
}
