package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.ModelFiles;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.cli.option.TrainingOption;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.PlanRemedy;
import dev.cairn.runtime.symbol.PartialType;
import dev.cairn.runtime.train.IterationPlan;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.train.data.Batch;
import dev.cairn.runtime.train.data.Batches;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A network, its data, and how far its training is. Every fifth row is for testing. */
final class TrainedModel implements AutoCloseable {
  static final String MLP = "mlp";
  private static final int TEST_PART = 5;
  private static final String EPOCH = "epoch";
  /** The output of an iteration that the loss is of. */
  private static final String SCORES = "output";
  private static final int ROWS_NAMED = 8;

  private final String title;
  private final Trainer trainer;
  private final SessionOptions session;
  private final Batches batches;
  private final ArrayDataset all;
  private final ArrayDataset test;
  private final Map<String, String> settings;
  private long epoch;

  /** Of one epoch: the mean loss of its batches, the accuracy on test rows after it, and its speed. */
  record Figures(double loss, double accuracy, double rowsPerSecond) {}

  private TrainedModel(String title, Trainer trainer, SessionOptions session, ArrayDataset all, TrainingOption how) {
    this.title = title;
    this.trainer = trainer;
    this.session = session;
    this.all = all;
    this.test = all.where(row -> row % TEST_PART == 0);
    this.batches = Batches.of(all.where(row -> row % TEST_PART != 0), how.batch()).shuffled(how.seed()).withLast(
      Batches.Last.DISCARD);
    this.settings = Map.of("data.batch", Integer.toString(how.batch()), "data.seed", Long.toString(how.seed()));
  }

  static TrainedModel of(String model, TrainingOption how, SessionOptions session) throws IOException {
    ArrayDataset data = how.dataset();
    int rows = data.rows() - Math.ceilDiv(data.rows(), TEST_PART);
    if (rows < how.batch()) {
      throw new IllegalArgumentException("fewer rows to train than a batch: rows=%d batch=%d".formatted(rows, how
        .batch()));
    }
    TrainerOptions options = TrainerOptions.DEFAULT.withSeed(how.seed()).withSession(session);
    return model.equals(MLP) ? mlp(data, how, options) : ofFile(Path.of(model), data, how, options);
  }

  private static TrainedModel mlp(ArrayDataset data, TrainingOption how, TrainerOptions options) {
    List<Integer> widths = how.widths();
    long features = data.features().shape().extent(1);
    if (widths.size() < 2 || widths.getFirst() != features) {
      throw new IllegalArgumentException("the first of --widths is the number of features: widths=%s features=%d"
        .formatted(widths, features));
    }
    data.requireClasses(widths.getLast());
    Sequential net = Sequential.of();
    for (int i = 1; i < widths.size(); i++) {
      net.add(Dense.of(widths.get(i)));
      if (i < widths.size() - 1) {
        net.add(Activation.relu());
      }
    }
    net.initialize(Initializers.xavier(), how.seed(), PartialType.of(DType.FLOAT32, 1, features));
    Trainer trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), how.optimizer(), options);
    return new TrainedModel("mlp " + widths.stream().map(String::valueOf).collect(Collectors.joining("-")), trainer,
      options.session(), data, how);
  }

  private static TrainedModel ofFile(Path file, ArrayDataset data, TrainingOption how, TrainerOptions options) {
    Graph graph = ModelFiles.read(file);
    if (graph.inputs().size() == 1 && graph.inputs().getFirst().kind() instanceof NodeKind.Input(DeclaredType type)) {
      long[] extents = type.dimensions().stream().skip(1).mapToLong(it -> it instanceof Dimension.Fixed(long extent)
        ? extent
        : -1).toArray();
      boolean isFixed = Arrays.stream(extents).allMatch(it -> it >= 0);
      ArrayDataset shaped = isFixed ? data.reshaped(extents) : data;
      Trainer trainer = Trainer.of(graph, how.trainable(graph), Losses.softmaxCrossEntropy(), how.optimizer(), options);
      return new TrainedModel(file.toString(), trainer, options.session(), shaped, how);
    }
    throw new IllegalArgumentException("a model of one input is wanted: inputs=" + graph.inputs());
  }

  String title() {
    return title;
  }

  String rows() {
    return "%d rows to train in batches of %d, %d to test".formatted(all.rows() - test.rows(), batches.size(), test
      .rows());
  }

  /** @throws IllegalArgumentException when a label is no class of the model; names its row */
  IterationPlan plan() {
    IterationPlan plan = plan(batches.size());
    TensorType scores = plan.compiled().outputTypes().get(SCORES);
    if (scores != null && scores.shape().rank() > 1) {
      all.requireClasses(Math.toIntExact(scores.shape().extent(1)));
    }
    return plan;
  }

  private IterationPlan plan(long rows) {
    return trainer.plan(new TensorType(DType.FLOAT32, all.features().shape().with(0, rows)), new TensorType(DType.INT64,
      Shape.of(rows)));
  }

  /** @throws Failure.Known when an iteration does not fit the limit; says what would */
  void requireFits(IterationPlan plan, long limitBytes) {
    FitVerdict verdict = plan.fits(limitBytes);
    if (verdict.fits()) {
      return;
    }
    var fitting = new PlanRemedy.SmallerBatch(0, 0);
    long failing = batches.size();
    while (failing - fitting.items() > 1) {
      long middle = (fitting.items() + failing) >>> 1;
      long bytes = plan(middle).totalBytes();
      if (bytes <= limitBytes) {
        fitting = new PlanRemedy.SmallerBatch(middle, bytes);
      } else {
        failing = middle;
      }
    }
    throw new RemedyWords("--memory-limit", "another --planner",
      it -> "--batch %d, the largest that fits, which needs %s"
        .formatted(it.items(), StatsText.bytes(it.neededBytes())),
      StatsText::bytes).text(
        fitting.items() == 0
          ? verdict
          : verdict.with(fitting))
      .failure("an iteration does not fit the limit", "limit");
  }

  /** How many epochs are done. */
  long epoch() {
    return epoch;
  }

  Figures runEpoch() {
    long started = System.nanoTime();
    double sum = 0;
    for (Batch batch : batches.epoch(epoch)) {
      try (Tensor data = Tensor.copyOf(batch.features()); Tensor labels = Tensor.copyOf(batch.labels())) {
        double loss = trainer.iterate(data, labels);
        requireFinite(loss, batch);
        sum += loss;
      }
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    epoch++;
    return new Figures(sum / batches.count(), accuracy(), (double) batches.count() * batches.size() / seconds);
  }

  private void requireFinite(double loss, Batch batch) {
    if (!Double.isFinite(loss)) {
      List<Integer> rows = Arrays.stream(batch.rows()).limit(ROWS_NAMED).boxed().toList();
      throw new Failure.Known(ExitCode.OTHER, "the loss is not finite", "loss=%s epoch=%d batch=%d firstRows=%s"
        .formatted(loss, epoch + 1, batch.number(), rows),
        "lower --rate, or look at these rows of the data; rows for testing are not counted");
    }
  }

  /** In batches as large as those of the training, so that it fits where an iteration fits. */
  private double accuracy() {
    int right = 0;
    try (Session inference = Session.of(trainer.toGraph(), session)) {
      String input = inference.info().inputs().keySet().iterator().next();
      for (Batch batch : Batches.of(test, batches.size()).withLast(Batches.Last.PAD).epoch(0)) {
        try (Tensor data = Tensor.copyOf(batch.features()); Result result = inference.run(Map.of(input, data))) {
          right += right(result.get(result.names().iterator().next()).view(), batch);
        }
      }
    }
    return (double) right / test.rows();
  }

  /** How many rows of a batch have their largest score at their label. */
  private static int right(TensorView scores, Batch batch) {
    long classes = scores.elementCount() / batch.rows().length;
    int right = 0;
    for (int row = 0; row < batch.valid(); row++) {
      long best = 0;
      for (long i = 1; i < classes; i++) {
        best = scores.doubleAt(row * classes + i) > scores.doubleAt(row * classes + best) ? i : best;
      }
      right += best == batch.labels().longAt(row) ? 1 : 0;
    }
    return right;
  }

  Checkpoint checkpoint() {
    Checkpoint made = trainer.checkpoint().with(EPOCH, Long.toString(epoch));
    for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
      made = made.with(setting.getKey(), setting.getValue());
    }
    return made;
  }

  void restore(Checkpoint checkpoint) {
    checkpoint.requireSettings(settings);
    trainer.restore(checkpoint);
    epoch = checkpoint.number(EPOCH);
  }

  /** The trained model. */
  Graph graph() {
    return trainer.toGraph();
  }

  /** The most bytes that the training has taken. */
  long peakBytes() {
    return trainer.memoryStats().pool().peak();
  }

  @Override
  public void close() {
    trainer.close();
  }
}
