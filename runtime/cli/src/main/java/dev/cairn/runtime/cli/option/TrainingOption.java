package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.data.CsvFile;
import dev.cairn.runtime.train.data.SplitDataset;
import dev.cairn.runtime.train.optimizer.Optimizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What is trained with which data, how, and where it is kept. */
@HelpSection.In(HelpSection.TRAINING)
public final class TrainingOption {
  private static final double DEFAULT_RATE = 0.1;
  private static final int TEST_PART = 5;

  @HelpSection.Common
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--data", paramLabel = "FILE", required = true, converter = DataPlace.Converter.class,
    description = "Required. Rows of numbers, the class last, with commas between, perhaps gzipped: every fifth row "
      + "tests. Or a folder with MNIST's four files, train-images-idx3-ubyte.gz and so on: t10k tests.")
  private @Nullable DataPlace data;

  @Option(names = "--resize", paramLabel = "HxW", converter = ImageSize.Converter.class, description = "Of reference "
    + "models: scale images to this size. Default: 28x28 for lenet, else the images' own size.")
  private @Nullable ImageSize resize;

  @HelpSection.Common
  @Option(names = "--widths", paramLabel = "N,N,...", split = ",", defaultValue = "64,128,10",
    converter = Bounded.Positive.class,
    description = "Of mlp: numbers of features, of each hidden layer, and of classes. Default: ${DEFAULT-VALUE}.")
  private List<Integer> widths = List.of();

  @HelpSection.Common
  @Option(names = "--epochs", paramLabel = "N", defaultValue = "20", converter = Bounded.Positive.class,
    description = "How often all rows are seen. Default: ${DEFAULT-VALUE}.")
  private int epochs;

  @HelpSection.Common
  @Option(names = "--batch", paramLabel = "N", defaultValue = "32", converter = Bounded.Positive.class,
    description = "Rows of an iteration. Default: ${DEFAULT-VALUE}.")
  private int batch;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
    description = "Seed of first values and of the order of rows. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @HelpSection.Common
  @Option(names = "--optimizer", paramLabel = "OPTIMIZER", defaultValue = "sgd",
    description = "Optimizer: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private OptimizerName optimizer = OptimizerName.SGD;

  @HelpSection.Common
  @Option(names = "--rate", paramLabel = "R", converter = Bounded.Amount.class,
    description = "Learning rate. Default: 0.1 for sgd and nag, else the optimizer's own.")
  private @Nullable Double rate;

  @Option(names = "--momentum", paramLabel = "M", defaultValue = "0.9", converter = Bounded.Amount.class,
    description = "Of sgd and nag. Default: ${DEFAULT-VALUE}.")
  private double momentum;

  @Option(names = "--weight-decay", paramLabel = "D", converter = Bounded.Amount.class,
    description = "Weight decay. Default: the optimizer's own.")
  private @Nullable Double decay;

  @Option(names = "--trainable", paramLabel = "PATTERN", description = "Of a model's file: train the float constants "
    + "whose names fit; * stands for any characters. Default: the weights of layers.")
  private @Nullable String trainable;

  @HelpSection.Common
  @FileUse(value = FileUse.Kind.WRITTEN, mayReplace = "--resume")
  @Option(names = "--checkpoint", paramLabel = "FILE",
    description = "Write all that is needed to continue to this safetensors file, after each epoch.")
  private @Nullable Path checkpoint;

  @HelpSection.Common
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--resume", paramLabel = "FILE",
    description = "Continue from this checkpoint. The bits are those of an unbroken training.")
  private @Nullable Path resume;

  @HelpSection.Common
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = {"-o", "--output"}, paramLabel = "FILE", description = "Write the trained model as ONNX.")
  private @Nullable Path output;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * Where rows come from.
   *
   * @param path a file, or a folder of files
   */
  record DataPlace(Path path) implements FileArgument {
    @Override
    public List<Path> files() {
      return Files.isDirectory(path) ? SplitDataset.idxFiles(path) : List.of(path);
    }

    /** For picocli. */
    static final class Converter implements ITypeConverter<DataPlace> {
      @Override
      public DataPlace convert(String text) {
        return new DataPlace(Path.of(text));
      }
    }
  }

  public Path data() {
    if (data == null) {
      throw new IllegalStateException("--data is required");
    }
    return data.path();
  }

  /**
   * The data, with features divided by the largest of them.
   *
   * @throws IllegalArgumentException when a row is damaged; names file, line and column
   */
  public SplitDataset dataset() throws IOException {
    return Files.isDirectory(data()) ? SplitDataset.ofIdx(data()) : SplitDataset.of(rows(), TEST_PART);
  }

  private ArrayDataset rows() throws IOException {
    ArrayDataset read = CsvFile.read(data());
    TensorView features = read.features();
    double largest = 0;
    for (long i = 0; i < features.elementCount(); i++) {
      largest = Math.max(largest, Math.abs(features.doubleAt(i)));
    }
    return largest == 0 ? read : read.scaled(1 / largest);
  }

  public Optional<ImageSize> resize() {
    return Optional.ofNullable(resize);
  }

  public List<Integer> widths() {
    return List.copyOf(widths);
  }

  public int epochs() {
    return epochs;
  }

  public int batch() {
    return batch;
  }

  public long seed() {
    return seed;
  }

  public Optimizer optimizer() {
    Optimizer chosen = optimizer.optimizer(momentum);
    boolean isPlain = optimizer == OptimizerName.SGD || optimizer == OptimizerName.NAG;
    if (rate != null || isPlain) {
      chosen = chosen.rate(rate == null ? DEFAULT_RATE : rate);
    }
    return decay == null ? chosen : chosen.weightDecay(decay);
  }

  /** Reads a model from a file. */
  public Graph read(Path model) {
    return ModelOption.read(model, command);
  }

  /** Which constants of a model are trained. */
  public Predicate<String> trainable(Graph graph) {
    return PlannedTrainingOption.trainable(graph, trainable);
  }

  public Optional<Path> checkpoint() {
    return Optional.ofNullable(checkpoint);
  }

  public Optional<Path> resume() {
    return Optional.ofNullable(resume);
  }

  public Optional<Path> output() {
    return Optional.ofNullable(output);
  }
}
