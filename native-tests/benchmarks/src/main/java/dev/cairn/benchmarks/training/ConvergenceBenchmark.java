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
import java.util.stream.Stream;

/** {@code convergence}: what networks learn, beside PyTorch and on another device (N13 to N15). */
public final class ConvergenceBenchmark implements Benchmark {
  private static final double LEAST_ACCURACY = 0.97;
  private static final int EPOCHS = 20;
  private static final int SEEDS = 3;
  private static final int FASHION_EPOCHS = 5;
  /** Where Debian's package dataset-fashion-mnist puts the data. */
  private static final Path DEBIANS = Path.of("/usr/share/datasets/fashion-mnist");
  private static final long FEATURES = 64;
  private static final int TEST_EVERY = 5;

  private static final String DIGITS = "digits";
  private static final String FASHION = "fashion";
  private static final String CURVE = "curve";
  private static final String DEVICE = "device";
  private static final List<String> TABLES = List.of(DIGITS, FASHION, CURVE, DEVICE);

  @Override
  public String name() {
    return "convergence";
  }

  @Override
  public String description() {
    return "accuracy on digits and on Fashion-MNIST, and losses beside PyTorch's and the simulator's";
  }

  @Override
  public String options() {
    return PageOptions.USAGE_WITH_TABLES + " [--data FOLDER of Fashion-MNIST]";
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
    PageOptions options = PageOptions.parse(others, TABLES);
    List<Section> sections = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    onDigits(options, places, sections, skipped);
    if (options.wants(FASHION)) {
      if (Files.isDirectory(fashion)) {
        sections.add(FashionTable.section(SplitDataset.ofIdx(fashion), fashion, options.quick() ? 1 : FASHION_EPOCHS,
          options.quick() ? 1 : SEEDS, skipped));
      } else {
        skipped.add("fashion-mnist");
      }
    }
    return new FiguresPage(name(), "Convergence: what is learned", TrainingBenchmark.ABOUT, options).print(sections,
      skipped, arguments, places);
  }

  private static void onDigits(PageOptions options, Places places, List<Section> sections, List<String> skipped)
    throws IOException {
    List<String> wanted = Stream.of(DIGITS, CURVE, DEVICE).filter(options::wants).toList();
    Path file = places.data("digits/digits.csv.gz");
    if (wanted.isEmpty() || !Files.exists(file)) {
      wanted.forEach(it -> skipped.add(it + ":digits"));
      return;
    }
    SplitDataset data = SplitDataset.of(CsvFile.read(file).scaled(1 / 16.0), TEST_EVERY);
    if (options.wants(DIGITS)) {
      sections.add(digits(data, options.quick()));
    }
    if (options.wants(CURVE)) {
      CurveTable.section(data.train(), options.quick()).ifPresentOrElse(sections::add, () -> skipped.add(
        "curve:PyTorch"));
    }
    if (options.wants(DEVICE)) {
      DeviceTable.section(data.train(), places, options.quick()).ifPresentOrElse(sections::add, () -> skipped.add(
        "device:simulator"));
    }
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
