package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.cli.option.TrainingOption;
import dev.cairn.runtime.compile.FittingModes;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.PlanRemedy;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.IterationPlan;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.data.Batch;
import dev.cairn.runtime.train.data.Batches;
import dev.cairn.runtime.train.data.SplitDataset;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A network, its data, and how far its training is. */
final class TrainedModel implements AutoCloseable {
  private static final String EPOCH = "epoch";
  /** The output of an iteration that the loss is of. */
  private static final String SCORES = "output";
  private static final int ROWS_NAMED = 8;

  private final String title;
  private final Trainer trainer;
  private final SessionOptions session;
  private final Batches batches;
  private final SplitDataset data;
  private final Map<String, String> settings;
  private final LossWatch watch = new LossWatch();
  private long epoch;

  /** The figures of one epoch: the mean loss of its batches, the accuracy on test rows after it, and its speed. */
  record Figures(double loss, double accuracy, double rowsPerSecond) {}

  private TrainedModel(ModelAndData made, SessionOptions session, TrainingOption how) {
    this.title = made.title();
    this.trainer = made.trainer();
    this.session = session;
    this.data = made.data();
    this.batches = Batches.of(data.train(), how.batch()).shuffled(how.seed()).withLast(Batches.Last.DISCARD);
    this.settings = Map.of("data.batch", Integer.toString(how.batch()), "data.seed", Long.toString(how.seed()));
  }

  static TrainedModel of(String model, TrainingOption how, SessionOptions session) throws IOException {
    ModelAndData made = ModelAndData.of(model, how, TrainerOptions.DEFAULT.withSeed(how.seed()).withSession(session)
      .withPrecision(session.compile().precision()));
    return new TrainedModel(made, session, how);
  }

  String title() {
    return title;
  }

  String rows() {
    return "%d rows to train in batches of %d, %d to test".formatted(data.train().rows(), batches.size(), data
      .test().rows());
  }

  /** @throws IllegalArgumentException when a label is no class of the model; names its row */
  IterationPlan plan() {
    IterationPlan plan = plan(batches.size());
    TensorType scores = plan.compiled().outputTypes().get(SCORES);
    if (scores != null && scores.shape().rank() > 1) {
      data.requireClasses(Math.toIntExact(scores.shape().extent(1)));
    }
    return plan;
  }

  private IterationPlan plan(long rows) {
    return trainer.plan(new TensorType(DType.FLOAT32, data.train().features().shape().with(0, rows)),
      new TensorType(DType.INT64,
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
    verdict = fitting.items() == 0 ? verdict : verdict.with(fitting);
    for (PlanRemedy remedy : otherModes(plan, limitBytes)) {
      verdict = verdict.with(remedy);
    }
    throw new RemedyWords("--memory-limit", "another --planner",
      it -> "--batch %d, the largest that fits, which needs %s"
        .formatted(it.items(), StatsText.bytes(it.neededBytes())),
      StatsText::bytes).text(verdict).failure("an iteration does not fit the limit", "limit");
  }

  private List<PlanRemedy> otherModes(IterationPlan plan, long limitBytes) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    plan.compiled().graph().graph().inputs().forEach(it -> types.put(it.name(), plan.compiled().types().type(it
      .entry())));
    Graph iteration = trainer.graph(types);
    try (ModelCompiler compiler = ModelCompiler.open(session)) {
      return new FittingModes(session.compile(), options -> compiler.compile(iteration, types, options), compiler
        .isHost()).remedies(plan.compiled(), limitBytes);
    }
  }

  /** How many epochs are done. */
  long epoch() {
    return epoch;
  }

  /** @param warning takes what there is to say before the epoch is over */
  Figures runEpoch(Consumer<String> warning) {
    long started = System.nanoTime();
    double sum = 0;
    for (Batch batch : batches.epoch(epoch)) {
      try (Tensor features = Tensor.copyOf(batch.features()); Tensor labels = Tensor.copyOf(batch.labels())) {
        double rate = trainer.rate();
        double loss = trainer.iterate(features, labels);
        requireFinite(loss, batch);
        watch.warning(loss, "iteration=%d epoch=%d batch=%d".formatted(trainer.iterations(), epoch + 1, batch.number()),
          rate).ifPresent(warning);
        sum += loss;
      }
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    epoch++;
    return new Figures(sum / batches.count(), accuracy(), (double) batches.count() * batches.size() / seconds);
  }

  private void requireFinite(double loss, Batch batch) {
    if (!Double.isFinite(loss)) {
      List<Integer> rows = Arrays.stream(batch.rows()).limit(ROWS_NAMED).map(data::placeOf).boxed().toList();
      throw new Failure.Known(ExitCode.OTHER, "the loss is not finite", "loss=%s epoch=%d batch=%d firstRows=%s"
        .formatted(loss, epoch + 1, batch.number(), rows),
        "lower --rate, or look at these rows of the data, counted from 0");
    }
  }

  /** In batches as large as those of the training, so that it fits where an iteration fits. */
  private double accuracy() {
    int right = 0;
    try (Session inference = Session.of(trainer.toGraph(), session)) {
      String input = inference.info().inputs().keySet().iterator().next();
      for (Batch batch : Batches.of(data.test(), batches.size()).withLast(Batches.Last.PAD).epoch(0)) {
        try (Tensor features = Tensor.copyOf(batch.features());
          Result result = inference.run(Map.of(input, features))) {
          right += right(result.get(result.names().iterator().next()).view(), batch);
        }
      }
    }
    return (double) right / data.test().rows();
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

  /** The updates that were left out; empty when none was. */
  String skipped() {
    return trainer.skippedUpdates() == 0
      ? ""
      : "%nskipped  %d of %d updates, whose gradients were not finite; the loss is scaled by %s now".formatted(trainer
        .skippedUpdates(), trainer.skippedUpdates() + trainer.updates(), Double.toString(trainer.lossScale()));
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
