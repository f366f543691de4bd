package dev.cairn.benchmarks.training;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.PythonScript;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.symbol.PartialType;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.zoo.Zoo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** N14: losses of single iterations beside PyTorch's, from the same first values over the same batches. */
final class CurveTable {
  private static final int SEED = 1;
  private static final int BATCH = 32;
  private static final int JUDGED = 100;
  private static final int ALL = 500;
  private static final int LENET_SIDE = 28;
  private static final String TEXT = """
    Networks on the digits from the same first values over the same batches of %d rows: how far the loss of an iteration
    is from PyTorch's, relative, at most, in the first %d iterations and in all %d. The first is judged.""".formatted(
    BATCH, JUDGED, ALL);

  private CurveTable() {}

  private record Subject(String name, ArrayDataset data, Optimizer optimizer) {
    Layer network() {
      return name.equals("lenet")
        ? Zoo.classifier(name, 10)
        : Sequential.of().add("fc1", Dense.of(128)).add("relu", Activation.relu()).add("fc2", Dense.of(10));
    }
  }

  /**
   * Empty without PyTorch.
   *
   * @param digits rows of 64 numbers
   */
  static Optional<Section> section(ArrayDataset digits, boolean quick) throws IOException {
    PythonScript script = PythonScript.of(CurveTable.class, "torch_losses.py");
    List<Subject> subjects = List.of(new Subject("mlp", digits, Optimizers.sgd(0.9).rate(0.1)), new Subject("lenet",
      digits.asImages().resized(LENET_SIDE, LENET_SIDE), Optimizers.adam().rate(1e-3)));
    var table = new MarkdownTable("network", "type", "first %d".formatted(JUDGED), "all %d".formatted(ALL), "goal");
    List<Figure> figures = new ArrayList<>();
    String version = "";
    for (Subject subject : quick ? subjects.subList(0, 1) : subjects) {
      Map<String, TensorView> start = start(subject);
      Path file = file(subject, start);
      for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
        System.err.printf("convergence      losses of %s in %s%n", subject.name, dtype);
        Optional<String> answer = script.line(subject.name, file.toString(), dtype.toString(), Integer.toString(ALL),
          Integer.toString(BATCH));
        if (answer.isEmpty()) {
          return Optional.empty();
        }
        String[] words = answer.get().split(" ", -1);
        version = words[0];
        double[] differences = differences(subject, start, dtype, words);
        Goal goal = Goal.atMost(dtype == DType.FLOAT32 ? 1e-4 : 1e-9);
        double judged = most(differences, JUDGED);
        table.row(subject.name, dtype.toString(), scientific(judged), scientific(most(differences, ALL)), goal
          .toString());
        figures.add(Figure.judged("loss-of-%s-%s".formatted(subject.name, dtype), judged, 12, goal));
      }
    }
    return Optional.of(new Section("Loss curves", TEXT + " PyTorch " + version + ".", table, figures));
  }

  private static String scientific(double number) {
    return "%.1e".formatted(number);
  }

  private static double most(double[] differences, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, differences[i]);
    }
    return most;
  }

  private static Map<String, TensorView> start(Subject subject) {
    Layer net = subject.network();
    long[] extents = subject.data.features().shape().extents();
    extents[0] = 1;
    net.initialize(Initializers.xavier(), SEED, PartialType.of(DType.FLOAT32, extents));
    Map<String, TensorView> start = new LinkedHashMap<>();
    net.parameters().forEach((path, it) -> start.put(path, it.value()));
    return start;
  }

  /** The first values, and the data, for PyTorch. */
  private static Path file(Subject subject, Map<String, TensorView> start) throws IOException {
    Path file = Files.createTempFile("cairn-losses", ".safetensors");
    file.toFile().deleteOnExit();
    Map<String, TensorView> all = new LinkedHashMap<>(start);
    all.put("features", subject.data.features());
    all.put("labels", subject.data.labels());
    new SafetensorsFile(all, Map.of()).write(file);
    return file;
  }

  /** @param words the losses of PyTorch, from the second on */
  private static double[] differences(Subject subject, Map<String, TensorView> start, DType dtype, String[] words) {
    Layer net = subject.network();
    net.astype(dtype);
    net.parameters()
      .forEach((path, it) -> it.set(ConsecutiveRows.as(dtype, Objects.requireNonNull(start.get(path), path))));
    var rows = new ConsecutiveRows(subject.data, BATCH, dtype);
    double[] differences = new double[ALL];
    try (var trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), subject.optimizer, TrainerOptions.DEFAULT)) {
      for (int i = 0; i < ALL; i++) {
        double expected = Double.parseDouble(words[i + 1]);
        double loss = rows.iterate(trainer, i);
        differences[i] = Math.abs(loss - expected) / Math.abs(expected);
        if (!Double.isFinite(differences[i])) {
          throw new IllegalStateException("a loss is not finite: network=%s iteration=%d loss=%s PyTorch=%s".formatted(
            subject.name, i, loss, expected));
        }
      }
    }
    return differences;
  }
}
