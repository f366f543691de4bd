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
  private static final int SEED = 1;
  private static final double LEAST_ACCURACY = 0.88;
  private static final double MOST_BEHIND = 0.005;

  private FashionTable() {}

  /**
   * @param folder has the data as files, for PyTorch
   * @param skipped gets a line where there is no PyTorch
   */
  static Section section(SplitDataset data, Path folder, int epochs, List<String> skipped) throws IOException {
    System.err.println("convergence      fashion-mnist");
    Layer net = Zoo.classifier("lenet", 10);
    net.initialize(Initializers.xavier(), SEED, PartialType.of(DType.FLOAT32, 1, 1, 28, 28));
    Path start = Files.createTempFile("cairn-lenet", ".safetensors");
    start.toFile().deleteOnExit();
    StateDict.save(net, start);
    Learned learned = Learned.of(net, Optimizers.adam().rate(1e-3), data.map(ArrayDataset::asImages), SEED, epochs);
    var table = new MarkdownTable("", "loss", "accuracy", "s");
    table.row("Cairn", number(4, learned.loss()), number(4, learned.accuracy()), number(1, learned.seconds()));
    List<Figure> figures = new ArrayList<>(List.of(Figure.judged("fashion-accuracy", learned.accuracy(), 4, Goal
      .atLeast(LEAST_ACCURACY))));
    System.err.println("convergence      fashion-mnist, PyTorch");
    Optional<String> answer = PythonScript.of(FashionTable.class, "torch_lenet.py").line(folder.toString(), start
      .toString(), Integer.toString(epochs), Integer.toString(Learned.BATCH));
    answer.ifPresentOrElse(it -> {
      String[] words = it.split(" ", -1);
      table.row("PyTorch " + words[0], number(4, Double.parseDouble(words[1])), number(4, Double.parseDouble(words[2])),
        number(1, Double.parseDouble(words[3])));
      figures.add(Figure.judged("points-behind-pytorch", Double.parseDouble(words[2]) - learned.accuracy(), 4, Goal
        .atMost(MOST_BEHIND)));
    }, () -> skipped.add("fashion:PyTorch"));
    return new Section("Fashion-MNIST", """
      `lenet`, Adam 1e-3, batches of %d, %d epochs of 60,000 images; 10,000 others test. %s.""".formatted(Learned.BATCH,
      epochs, answer.isPresent()
        ? "PyTorch starts from the same values, and shuffles in its own way"
        : "Without PyTorch: it is not installed"),
      table, figures);
  }
}
