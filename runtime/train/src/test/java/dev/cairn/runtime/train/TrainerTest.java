package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.train.schedule.Schedule;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

/** P-1, P-2, P-4 and P-7: one planned iteration, its memory, and what may fail. */
class TrainerTest {
  private static final int ROWS = 8;

  private static Trainer trainer(Optimizer optimizer, TrainerOptions options) {
    return Trainer.of(LinearTask.net(), Losses.l2(), optimizer, options);
  }

  private static Trainer trainer() {
    return trainer(Optimizers.adam().rate(0.01), TrainerOptions.DEFAULT);
  }

  static Map<String, byte[]> bytes(Trainer trainer) {
    Map<String, byte[]> all = new HashMap<>();
    for (String name : trainer.variables()) {
      try (Tensor tensor = trainer.variable(name)) {
        all.put(name, tensor.toByteArray());
      }
    }
    return all;
  }

  static void assertSameBytes(Trainer trainer, Map<String, byte[]> wanted) {
    Map<String, byte[]> found = bytes(trainer);
    assertThat(found.keySet()).isEqualTo(wanted.keySet());
    wanted.forEach((name, value) -> assertThat(found.get(name)).as(name).isEqualTo(value));
  }

  @Test
  void learnsALinearFunctionWithAnyBatchSize() {
    try (Trainer trainer = trainer()) {
      double first = LinearTask.run(trainer, 0, 1, ROWS);
      LinearTask.run(trainer, 1, 150, ROWS);
      double last = LinearTask.run(trainer, 150, 300, 2 * ROWS);
      assertThat(last).isLessThan(first / 100);
      assertThat(trainer.iterations()).isEqualTo(300);
    }
  }

  @Test
  void aMultiplierForNoParameterIsRefused() {
    Optimizer misspelt = Optimizers.adam().rateMultiplier("0.wieght", 2).decayMultiplier("bias", 0);
    assertThatThrownBy(() -> {
      try (Trainer trainer = trainer(misspelt, TrainerOptions.DEFAULT)) {
        LinearTask.run(trainer, 0, 1, ROWS);
      }
    }).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("[0.wieght, bias]", "parameters=[");
  }

  @Test
  void aThousandIterationsTakeNoMoreMemoryThanTheFirst() {
    try (Trainer trainer = trainer()) {
      LinearTask.run(trainer, 0, 2, ROWS);
      AllocatorStats before = trainer.memoryStats();
      LinearTask.run(trainer, 2, 1_000, ROWS);
      AllocatorStats after = trainer.memoryStats();
      assertThat(after.pool()).isEqualTo(before.pool());
      assertThat(after.regions()).isEqualTo(before.regions());
      assertThat(after.liveCount()).isEqualTo(before.liveCount());
    }
  }

  @Test
  void thePlanIsKnownBeforeTheFirstIteration() {
    try (Trainer trainer = trainer()) {
      IterationPlan before = trainer.plan(LinearTask.dataType(ROWS), LinearTask.labelsType(ROWS));
      assertThatThrownBy(trainer::plan).isInstanceOf(IllegalStateException.class);
      LinearTask.run(trainer, 0, 1, ROWS);
      IterationPlan after = trainer.plan();
      assertThat(before.peakBytes()).isEqualTo(after.peakBytes()).isGreaterThanOrEqualTo(before.boundBytes());
      assertThat(before.totalBytes()).isEqualTo(after.totalBytes());
      assertThat(before.unsharedBytes()).isGreaterThan(before.peakBytes());
      long parameters = 4L * (4 * 16 + 16 + 16 * 3 + 3);
      assertThat(before.parameterBytes()).isEqualTo(parameters);
      assertThat(before.stateBytes()).isEqualTo(2 * parameters);
      assertThat(before.gradientBytes()).isPositive();
      assertThat(before.toString()).contains("parameters", "states", "bound", "unshared");
    }
  }

  @Test
  void theLeastLimitThatThePlanNamesIsEnough() {
    long needed;
    try (Trainer trainer = trainer()) {
      IterationPlan plan = trainer.plan(LinearTask.dataType(ROWS), LinearTask.labelsType(ROWS));
      needed = plan.totalBytes();
      assertThat(plan.fits(needed).fits()).isTrue();
      assertThat(plan.fits(needed - 1).fits()).isFalse();
      assertThat(plan.fits(needed - 1).shortBytes()).isEqualTo(1);
    }
    try (Trainer trainer = limited(needed)) {
      LinearTask.run(trainer, 0, 3, ROWS);
      assertThat(trainer.memoryStats().pool().peak()).isEqualTo(needed);
    }
    try (Trainer trainer = limited(needed - 256)) {
      assertThatThrownBy(() -> LinearTask.run(trainer, 0, 1, ROWS)).isInstanceOf(OutOfMemory.class);
      assertThat(trainer.iterations()).isZero();
    }
  }

  /** Within a limit, and without steps that run again to fit. */
  private static Trainer limited(long bytes) {
    return trainer(Optimizers.adam().rate(0.01), TrainerOptions.DEFAULT.withSession(SessionOptions.DEFAULT
      .withMemoryLimitBytes(bytes)
      .withCompile(CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withMode(
        RecomputeMode.OFF)))));
  }

  @Test
  void aScheduleChangesTheRateWithoutAnotherPlan() {
    try (Trainer trainer = trainer(Optimizers.sgd().rate(Schedule.factor(0.1, 2, 0.5, 0)), TrainerOptions.DEFAULT)) {
      assertThat(trainer.rate()).isEqualTo(0.1);
      LinearTask.run(trainer, 0, 2, ROWS);
      assertThat(trainer.rate()).isEqualTo(0.05);
    }
    try (Trainer still = trainer(Optimizers.sgd().rate(Schedule.multiFactor(0.1, List.of(1L), 0)),
      TrainerOptions.DEFAULT)) {
      LinearTask.run(still, 0, 1, ROWS);
      Map<String, byte[]> once = bytes(still);
      LinearTask.run(still, 1, 3, ROWS);
      assertSameBytes(still, once);
    }
  }

  @Test
  void accumulatedGradientsUpdateAfterEveryLastIteration() {
    Map<String, byte[]> untouched;
    try (Trainer whole = trainer(Optimizers.sgd(0.9).rate(0.1), TrainerOptions.DEFAULT);
      Trainer parts = trainer(Optimizers.sgd(0.9).rate(0.1).rescale(0.5), TrainerOptions.DEFAULT.withAccumulate(2))) {
      for (int update = 0; update < 3; update++) {
        float[] both = new float[2 * ROWS * LinearTask.INPUTS];
        System.arraycopy(LinearTask.values(2 * update, ROWS * LinearTask.INPUTS), 0, both, 0, both.length / 2);
        System.arraycopy(LinearTask.values(2 * update + 1, ROWS * LinearTask.INPUTS), 0, both, both.length / 2,
          both.length
            / 2);
        try (Tensor x = Tensor.of(both, 2 * ROWS, LinearTask.INPUTS); Tensor y = LinearTask.labelsOf(both)) {
          whole.iterate(x, y);
        }
        LinearTask.run(parts, 2 * update, 2 * update + 1, ROWS);
        untouched = bytes(parts);
        LinearTask.run(parts, 2 * update + 1, 2 * update + 2, ROWS);
        assertThat(bytes(parts).get("0.weight")).isNotEqualTo(untouched.get("0.weight"));
      }
      assertThat(parts.updates()).isEqualTo(3);
      assertThat(floats(parts, "0.weight")).containsExactly(floats(whole, "0.weight"), within(1e-5f));
      assertThat(floats(parts, "sum.0.weight")).containsOnly(0f);
    }
  }

  private static float[] floats(Trainer trainer, String name) {
    try (Tensor tensor = trainer.variable(name)) {
      return tensor.toFloatArray();
    }
  }

  @Test
  void theGlobalNormLimitsAllGradientsTogether() {
    TrainerOptions kept = TrainerOptions.DEFAULT.withKeptGradients();
    try (Trainer plain = trainer(Optimizers.sgd(), kept);
      Trainer clipped = trainer(Optimizers.sgd(), kept
        .withClipGlobalNorm(0.01));
      Trainer loose = trainer(Optimizers.sgd(), kept.withClipGlobalNorm(1e6))) {
      LinearTask.run(plain, 0, 1, ROWS);
      LinearTask.run(clipped, 0, 1, ROWS);
      LinearTask.run(loose, 0, 1, ROWS);
      assertThat(norm(plain)).isGreaterThan(0.02);
      assertThat(norm(clipped)).isCloseTo(0.01, within(1e-5));
      assertThat(norm(loose)).isEqualTo(norm(plain));
      float ratio = (float) (0.01 / norm(plain));
      float[] wanted = floats(plain, "gradient.2.weight");
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] *= ratio;
      }
      assertThat(floats(clipped, "gradient.2.weight")).containsExactly(wanted, within(1e-5f));
    }
  }

  private static double norm(Trainer trainer) {
    double squares = 0;
    for (String name : trainer.variables()) {
      if (name.startsWith("gradient.")) {
        for (float value : floats(trainer, name)) {
          squares += (double) value * value;
        }
      }
    }
    return Math.sqrt(squares);
  }

  @Test
  void frozenParametersStayAndTakeNoStates() {
    Layer net = LinearTask.net();
    net.freeze(path -> path.startsWith("0."));
    try (Trainer trainer = Trainer.of(net, Losses.l2(), Optimizers.adam().rate(0.01), TrainerOptions.DEFAULT)) {
      LinearTask.run(trainer, 0, 1, ROWS);
      float[] before = floats(trainer, "0.weight");
      float[] trained = floats(trainer, "2.weight");
      LinearTask.run(trainer, 1, 3, ROWS);
      assertThat(floats(trainer, "0.weight")).isEqualTo(before);
      assertThat(floats(trainer, "2.weight")).isNotEqualTo(trained);
      assertThat(trainer.variables()).contains("adam.m.2.weight").doesNotContain("adam.m.0.weight");
      assertThat(trainer.plan().compiled().graph().graph().toString()).doesNotContain("transA=1, transB=0}(0.");
    }
  }

  @Test
  void wrongInputsAreNamedAndChangeNothing() {
    try (Trainer trainer = trainer();
      Tensor x = LinearTask.data(1, ROWS);
      Tensor y = LinearTask.labels(1, ROWS);
      Tensor wide = Tensor.of(new float[ROWS * 5], ROWS, 5)) {
      trainer.iterate(x, y);
      Map<String, byte[]> before = bytes(trainer);
      assertThatThrownBy(() -> trainer.iterate(wide, y)).hasMessageContaining("data").hasMessageContaining("8x5");
      assertThatThrownBy(() -> trainer.iterate(Map.of("data", x))).hasMessageContaining("labels");
      assertThatThrownBy(() -> trainer.iterate(Map.of("data", x, "labels", y, "more", y))).hasMessageContaining("more");
      assertSameBytes(trainer, before);
      trainer.iterate(x, y);
      assertThat(trainer.iterations()).isEqualTo(2);
    }
  }

  @Test
  void otherTypesFollowFirstOnesThatWereWrong() {
    try (Trainer trainer = Trainer.of(LinearTask.net(), Losses.softmaxCrossEntropy(), Optimizers.sgd(),
      TrainerOptions.DEFAULT);
      Tensor x = LinearTask.data(1, 2);
      Tensor wrong = Tensor.of(new float[6], 2, 3);
      Tensor right = Tensor.of(new long[] {0, 2}, 2)) {
      assertThatThrownBy(() -> trainer.plan(x.type(), wrong.type())).isInstanceOf(InvalidGraph.class);
      trainer.plan(x.type(), right.type());
    }
    try (Trainer trainer = Trainer.of(LinearTask.net(), Losses.softmaxCrossEntropy(), Optimizers.sgd(),
      TrainerOptions.DEFAULT);
      Tensor x = LinearTask.data(1, 2);
      Tensor wrong = Tensor.of(new float[6], 2, 3);
      Tensor right = Tensor.of(new long[] {0, 2}, 2)) {
      assertThatThrownBy(() -> trainer.iterate(x, wrong)).isInstanceOf(InvalidGraph.class);
      assertThat(trainer.iterate(x, right)).isFinite();
      Tensor closed = LinearTask.data(1, 2);
      closed.close();
      assertThatThrownBy(() -> trainer.iterate(closed, right)).hasMessageContaining("tensor is closed");
      assertThat(trainer.iterate(x, right)).isFinite();
      assertThat(trainer.iterations()).isEqualTo(2);
    }
  }

  /** A checkpoint that was restored before such a failure is not forgotten. */
  @Test
  void whatWasRestoredOutlastsFirstTypesThatWereWrong() {
    try (Trainer first = trainer();
      Trainer second = trainer();
      Tensor x = LinearTask.data(1, 2);
      Tensor wrong = Tensor.of(new long[6], 2, 3);
      Tensor y = LinearTask.labels(1, 2)) {
      first.iterate(x, y);
      second.restore(first.checkpoint());
      assertThatThrownBy(() -> second.iterate(x, wrong)).isInstanceOf(RuntimeException.class);
      assertThat(second.iterate(x, y)).isEqualTo(first.iterate(x, y));
    }
  }

  /** A schedule of a user fails before anything has changed. */
  @Test
  void aScheduleWithoutARateChangesNothing() {
    double[] rate = {Double.NaN};
    try (Trainer trainer = Trainer.of(LinearTask.net(), Losses.l2(), Optimizers.sgd().rate(_ -> rate[0]),
      TrainerOptions.DEFAULT)) {
      assertThatThrownBy(() -> LinearTask.run(trainer, 0, 1, ROWS)).hasMessageContaining("rate=NaN");
      rate[0] = 0.1;
      assertThat(LinearTask.run(trainer, 0, 1, ROWS)).isFinite();
      assertThat(trainer.iterations()).isEqualTo(1);
    }
  }

  @Test
  void resetStartsAnew() {
    try (Trainer trainer = trainer()) {
      double first = LinearTask.run(trainer, 0, 1, ROWS);
      Map<String, byte[]> once = bytes(trainer);
      LinearTask.run(trainer, 1, 5, ROWS);
      trainer.reset();
      assertThat(LinearTask.run(trainer, 0, 1, ROWS)).isEqualTo(first);
      assertSameBytes(trainer, once);
    }
  }

  @Test
  void theTrainedModelRunsInASession() {
    try (Trainer trainer = trainer(); Tensor x = LinearTask.data(400, ROWS); Tensor y = LinearTask.labels(400, ROWS)) {
      LinearTask.run(trainer, 0, 300, ROWS);
      try (Session session = Session.of(trainer.toGraph(), SessionOptions.DEFAULT);
        Result result = session.run(Map.of(
          "data", x))) {
        TensorView found = result.get(result.names().iterator().next()).view();
        for (int i = 0; i < ROWS * LinearTask.OUTPUTS; i++) {
          assertThat(found.doubleAt(i)).isCloseTo(y.view().doubleAt(i), within(0.25));
        }
      }
    }
  }

  /** P-7. */
  @Test
  void afterAFailureInTheMiddleOnlyResetAndRestoreHelp() {
    try (Trainer trainer = Trainer.of(LinearTask.net(), Losses.softmaxCrossEntropy(), Optimizers.sgd(),
      TrainerOptions.DEFAULT);
      Tensor x = LinearTask.data(1, 2);
      Tensor right = Tensor.of(new long[] {0, 2}, 2);
      Tensor wrong = Tensor.of(new long[] {0, 3}, 2)) {
      trainer.iterate(x, right);
      Checkpoint checkpoint = trainer.checkpoint();
      Map<String, byte[]> wanted = bytes(trainer);
      assertThatThrownBy(() -> trainer.iterate(x, wrong)).hasMessageContaining("3");
      assertThatThrownBy(() -> trainer.iterate(x, right)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("restore").hasMessageContaining("reset");
      assertThatThrownBy(trainer::checkpoint).isInstanceOf(IllegalStateException.class);
      trainer.restore(checkpoint);
      assertSameBytes(trainer, wanted);
      trainer.iterate(x, right);
      assertThat(trainer.iterations()).isEqualTo(2);
    }
  }

  /** P-4: a parameter of two layers is one variable, to whose gradient both add. */
  @Test
  void aSharedParameterIsOneVariable() {
    Dense first = Dense.withoutBias(LinearTask.INPUTS);
    Layer net = Sequential.of(first, Dense.tied(first.weight()));
    try (Trainer trainer = Trainer.of(net, Losses.l2(), Optimizers.sgd().rate(1), TrainerOptions.DEFAULT
      .withKeptGradients());
      Tensor x = LinearTask.data(1, 1);
      Tensor y = Tensor.of(new float[LinearTask.INPUTS], 1,
        LinearTask.INPUTS)) {
      trainer.iterate(x, y);
      assertThat(trainer.variables()).containsExactly("0.weight", "gradient.0.weight");
      float[] gradient = floats(trainer, "gradient.0.weight");
      assertThat(gradient).containsExactly(twice(first.weight().value(), x), within(1e-6f));
    }
  }

  /** The gradient of mean((W·W·x)²)/2 with respect to W: both uses of W have a term. */
  private static float[] twice(TensorView weight, Tensor x) {
    int n = LinearTask.INPUTS;
    double[] once = times(weight, x.view()::doubleAt, false);
    double[] head = times(weight, i -> once[(int) i], false);
    double[] back = times(weight, i -> head[(int) i], true);
    float[] gradient = new float[n * n];
    for (int row = 0; row < n; row++) {
      for (int column = 0; column < n; column++) {
        gradient[row * n + column] = (float) ((head[row] * once[column] + back[row] * x.view().doubleAt(column)) / n);
      }
    }
    return gradient;
  }

  private static double[] times(TensorView weight, LongToDoubleFunction vector, boolean isTransposed) {
    int n = LinearTask.INPUTS;
    double[] result = new double[n];
    for (int row = 0; row < n; row++) {
      for (int column = 0; column < n; column++) {
        result[row] += weight.doubleAt(isTransposed ? column * n + row : row * n + column) * vector.applyAsDouble(
          column);
      }
    }
    return result;
  }

  /** P-6: constants of a graph become parameters, before anything is folded, and constants again. */
  @Test
  void constantsOfAGraphAreTuned() {
    var builder = new GraphBuilder("line");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 1));
    NodeEntry scale = builder.constant("scale", TensorView.ofFloats(Shape.of(1, 1), 3));
    NodeEntry fixed = builder.constant("fixed", TensorView.ofFloats(Shape.of(1), 2));
    builder.output("y", builder.apply("Mul", builder.apply("MatMul", x, scale), fixed));
    Graph graph = builder.build();
    assertThat(GraphWeights.of(graph)).containsExactly("scale");
    try (Trainer trainer = Trainer.of(graph, "scale"::equals, Losses.l2(), Optimizers.sgd().rate(0.1),
      TrainerOptions.DEFAULT);
      Tensor given = Tensor.of(new float[] {1, 2}, 2, 1);
      Tensor wanted = Tensor.of(
        new float[] {8, 16}, 2, 1)) {
      for (int i = 0; i < 100; i++) {
        trainer.iterate(given, wanted);
      }
      assertThat(trainer.variables()).containsExactly("scale");
      assertThat(floats(trainer, "scale")[0]).isCloseTo(4, within(1e-3f));
      assertThat(trainer.toGraph().toString()).contains("scale = constant", "fixed = constant");
      try (Session session = Session.of(trainer.toGraph(), SessionOptions.DEFAULT);
        Result result = session.run(Map.of(
          "x", given))) {
        assertThat(result.get("y").toFloatArray()).containsExactly(new float[] {8, 16}, within(0.01f));
      }
    }
    assertThatThrownBy(() -> Trainer.of(graph, "none"::equals, Losses.l2(), Optimizers.sgd(), TrainerOptions.DEFAULT)
      .plan(TensorType.of(DType.FLOAT32, 2, 1), TensorType.of(DType.FLOAT32, 2, 1))).hasMessageContaining("scale");
  }

  @Test
  void aClosedTrainerRefuses() {
    Trainer trainer = trainer();
    trainer.close();
    assertThatThrownBy(() -> LinearTask.run(trainer, 0, 1, ROWS)).hasMessageContaining("closed");
    assertThatThrownBy(() -> TrainerOptions.DEFAULT.withAccumulate(0)).hasMessageContaining(
      "accumulate=0");
  }

  @Test
  void namesThatTheTrainerNeedsAreRefusedInWordsThatHelp() {
    assertThatThrownBy(() -> trainNamed(Trainer.LABELS)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContainingAll("name of the trainer's own input", "rename it in the model", "name=labels");
    assertThatThrownBy(() -> trainNamed("adam.m.w")).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContainingAll("a state of the optimizer", "rename it in the model", "name=adam.m.w");
    trainNamed("b");
  }

  /** One iteration of {@code y = x·w + b}, where the bias has a name of its own. */
  private static void trainNamed(String bias) {
    var builder = new GraphBuilder("named");
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(LinearTask.INPUTS, LinearTask.OUTPUTS), LinearTask
      .values(1, LinearTask.INPUTS * LinearTask.OUTPUTS)));
    NodeEntry product = builder.apply("MatMul", builder.input("x", LinearTask.dataType(ROWS)), w);
    builder.output("y", builder.apply("Add", product, builder.constant(bias, TensorView.ofFloats(Shape.of(
      LinearTask.OUTPUTS), new float[LinearTask.OUTPUTS]))));
    try (Trainer trainer = Trainer.of(builder.build(), _ -> true, Losses.l2(), Optimizers.adam(),
      TrainerOptions.DEFAULT)) {
      LinearTask.run(trainer, 0, 1, ROWS);
    }
  }

  /** Defect 20: fixed weights and biases do not stop running statistics. */
  @Test
  void runningStatisticsFollowBatchesWhoseWeightsAreFrozen() {
    Layer norm = BatchNorm.of();
    Layer net = Sequential.of(Dense.of(5), norm, Dense.of(LinearTask.OUTPUTS));
    net.initialize(Initializers.uniform(0.1), 1, PartialType.of(LinearTask.dataType(ROWS)));
    net.freeze(path -> path.startsWith("1."));
    try (Trainer trainer = Trainer.of(net, Losses.l2(), Optimizers.adam(), TrainerOptions.DEFAULT)) {
      LinearTask.run(trainer, 0, 1, ROWS);
      Map<String, byte[]> before = bytes(trainer);
      LinearTask.run(trainer, 1, 2, ROWS);
      Map<String, byte[]> after = bytes(trainer);
      for (String name : List.of("1.running_mean", "1.running_var")) {
        assertThat(after.get(name)).as(name).isNotEqualTo(before.get(name));
      }
      for (String name : List.of("1.weight", "1.bias")) {
        assertThat(after.get(name)).as(name).isEqualTo(before.get(name));
      }
      assertThat(after.get("0.weight")).isNotEqualTo(before.get("0.weight"));
    }
  }
}
