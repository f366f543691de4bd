package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.PythonScript;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.symbol.PartialType;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.data.SplitDataset;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.StateDict;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.zoo.Zoo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** LeNet on Fashion-MNIST, and PyTorch's from the same first values. */
final class FashionTable {
  private static final double LEAST_ACCURACY = 0.88;
  private static final double MOST_BEHIND = 0.005;

  private FashionTable() {}

  /** What PyTorch has learned, and its version. */
  private record Other(String version, Learned learned) {
    static Other of(String line) {
      String[] words = line.split(" ", -1);
      return new Other(words[0], new Learned(Double.parseDouble(words[1]), Double.parseDouble(words[2]), Double
        .parseDouble(words[3])));
    }
  }

  /**
   * @param folder has the data as files, for PyTorch
   * @param starts how many first values to train from
   * @param skipped gets a line where there is no PyTorch
   */
  static Section section(SplitDataset data, Path folder, int epochs, int starts, List<String> skipped)
    throws IOException {
    SplitDataset images = data.map(ArrayDataset::asImages);
    var table = new MarkdownTable("", "start", "loss", "accuracy", "s");
    double least = 1;
    double behind = 0;
    Optional<Other> other = Optional.empty();
    for (int seed = 1; seed <= starts; seed++) {
      System.err.printf("convergence      fashion-mnist %d%n", seed);
      Layer net = Zoo.classifier("lenet", 10);
      net.initialize(Initializers.xavier(), seed, PartialType.of(DType.FLOAT32, 1, 1, 28, 28));
      Path start = Files.createTempFile("cairn-lenet", ".safetensors");
      start.toFile().deleteOnExit();
      StateDict.save(net, start);
      Learned learned = Learned.of(net, Optimizers.adam().rate(1e-3), images, seed, epochs);
      row(table, "Cairn", seed, learned);
      least = Math.min(least, learned.accuracy());
      other = PythonScript.of(FashionTable.class, "torch_lenet.py").line(folder.toString(), start.toString(), Integer
        .toString(epochs), Integer.toString(Learned.BATCH), Integer.toString(seed)).map(Other::of);
      if (other.isPresent()) {
        row(table, "PyTorch " + other.get().version, seed, other.get().learned);
        behind += (other.get().learned.accuracy() - learned.accuracy()) / starts;
      }
    }
    List<Figure> figures = new ArrayList<>(List.of(Figure.judged("fashion-accuracy", least, 4, Goal.atLeast(
      LEAST_ACCURACY))));
    if (other.isPresent()) {
      figures.add(Figure.judged("points-behind-pytorch", behind, 4, Goal.atMost(MOST_BEHIND)));
    } else {
      skipped.add("fashion:PyTorch");
    }
    return new Section("Fashion-MNIST",
      """
        `lenet`, Adam 1e-3, batches of %d, %d epochs of 60,000 images; 10,000 others test. %s. The worst accuracy is
        judged, and how far Cairn is behind on average."""
        .formatted(Learned.BATCH, epochs, other.isPresent()
          ? "PyTorch starts from the same values, and shuffles in its own way"
          : "Without PyTorch: it is not installed"),
      table, figures);
  }

  private static void row(MarkdownTable table, String who, int seed, Learned learned) {
    table.row(who, Integer.toString(seed), number(4, learned.loss()), number(4, learned.accuracy()), number(1, learned
      .seconds()));
  }
}
