package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** P-5: the scale of the loss against a model of PyTorch's {@code GradScaler}, and what an overflow leaves alone. */
class LossScaleTest {
  private static final int ROWS = 4;
  private static final LossScale QUICK = LossScale.DYNAMIC.withInterval(3);

  /** What {@code GradScaler} does, as far as its documentation says. */
  private static final class NaiveScaler {
    private float scale = (float) QUICK.initial();
    private int good;

    void update(boolean overflow) {
      good = overflow ? 0 : good + 1;
      if (overflow) {
        scale *= 0.5f;
      } else if (good == QUICK.interval()) {
        scale *= 2;
        good = 0;
      }
    }
  }

  private static Trainer trainer(TrainerOptions options) {
    return Trainer.of(LinearTask.net(), Losses.l2(), Optimizers.adam().rate(0.01).weightDecay(0.1), options);
  }

  /** An iteration on a batch of its own, or on numbers so large that gradients are infinite or no numbers. */
  private static void run(Trainer trainer, int number, boolean overflows) {
    float[] x = LinearTask.values(number, ROWS * LinearTask.INPUTS);
    if (overflows) {
      x[number % x.length] = number % 2 == 0 ? Float.MAX_VALUE : Float.NaN;
    }
    try (Tensor data = Tensor.of(x, ROWS, LinearTask.INPUTS); Tensor labels = LinearTask.labels(number, ROWS)) {
      trainer.iterate(data, labels);
    }
  }

  @Test
  void theScaleFollowsTheRuleAndSkippedBatchesLeaveNoTrace() {
    var random = new Random(5);
    var naive = new NaiveScaler();
    try (Trainer scaled = trainer(TrainerOptions.DEFAULT.withLossScale(QUICK));
      Trainer plain = trainer(TrainerOptions.DEFAULT)) {
      int skipped = 0;
      for (int i = 0; i < 60; i++) {
        boolean overflows = i > 0 && random.nextInt(4) == 0;
        run(scaled, i, overflows);
        naive.update(overflows);
        if (!overflows) {
          run(plain, i, false);
        }
        skipped += overflows ? 1 : 0;
        assertThat(scaled.lossScale()).as("iteration=%d", i).isEqualTo(naive.scale);
        assertThat(scaled.variable("scaler.good").view().doubleAt(0)).isEqualTo(naive.good);
        assertThat(scaled.skippedUpdates()).isEqualTo(skipped);
        assertThat(scaled.updates()).isEqualTo(plain.updates());
        requireSameBits(scaled, plain);
      }
      assertThat(skipped).isBetween(5, 30);
      assertThat(scaled.iterations()).isEqualTo(60);
    }
  }

  /** A power of two changes no bit of what it multiplies and divides. */
  private static void requireSameBits(Trainer scaled, Trainer plain) {
    Map<String, TensorView> found = scaled.checkpoint().tensors();
    plain.checkpoint().tensors().forEach((name, value) -> assertThat(Objects.requireNonNull(found.get(name)).segment()
      .mismatch(value.segment())).as(name).isEqualTo(-1));
  }

  @Test
  void aSumOfGradientsWithAnOverflowIsLeftOutAsAWhole() {
    TrainerOptions sums = TrainerOptions.DEFAULT.withAccumulate(3).withClipGlobalNorm(0.5);
    try (Trainer scaled = trainer(sums.withLossScale(QUICK)); Trainer plain = trainer(sums)) {
      for (int group = 0; group < 12; group++) {
        boolean overflows = group % 4 == 3;
        for (int i = 0; i < 3; i++) {
          run(scaled, 3 * group + i, overflows && i == group % 3);
          if (!overflows) {
            run(plain, 3 * group + i, false);
          }
        }
        requireSameBits(scaled, plain);
      }
      assertThat(scaled.skippedUpdates()).isEqualTo(3);
      assertThat(scaled.updates()).isEqualTo(9);
    }
  }

  @Test
  void aResumedTrainingHasTheScaleAndTheCountOfSkippedUpdates() {
    TrainerOptions options = TrainerOptions.DEFAULT.withLossScale(QUICK);
    List<Integer> bad = List.of(2, 3, 9);
    try (Trainer unbroken = trainer(options); Trainer begun = trainer(options); Trainer resumed = trainer(options)) {
      for (int i = 0; i < 14; i++) {
        run(unbroken, i, bad.contains(i));
      }
      for (int i = 0; i < 7; i++) {
        run(begun, i, bad.contains(i));
      }
      resumed.restore(begun.checkpoint());
      for (int i = 7; i < 14; i++) {
        run(resumed, i, bad.contains(i));
      }
      assertThat(resumed.checkpoint().metadata()).isEqualTo(unbroken.checkpoint().metadata());
      requireSameBits(resumed, unbroken);
      assertThat(resumed.skippedUpdates()).isEqualTo(3);
    }
  }

  @Test
  void anotherScaleIsAnotherTraining() {
    try (Trainer scaled = trainer(TrainerOptions.DEFAULT.withLossScale(QUICK));
      Trainer fixed = trainer(TrainerOptions.DEFAULT.withLossScale(LossScale.fixed(1024)))) {
      run(scaled, 0, false);
      Checkpoint checkpoint = scaled.checkpoint();
      assertThatThrownBy(() -> fixed.restore(checkpoint)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lossScale is");
    }
  }

  @Test
  void aFixedScaleHasTheBitsOfNoneAndSkipsNothing() {
    try (Trainer scaled = trainer(TrainerOptions.DEFAULT.withLossScale(LossScale.fixed(1024)));
      Trainer plain = trainer(TrainerOptions.DEFAULT)) {
      for (int i = 0; i < 5; i++) {
        run(scaled, i, false);
        run(plain, i, false);
      }
      requireSameBits(scaled, plain);
      run(scaled, 7, true);
      assertThat(scaled.skippedUpdates()).isZero();
      assertThat(scaled.lossScale()).isEqualTo(1024);
      assertThat(scaled.variable("2.weight").view().doubleAt(0)).isNaN();
    }
  }

  /** The scale stops before it is infinite. */
  @Test
  void theScaleStaysFinite() {
    LossScale large = new LossScale(0x1p126, 2, 0.5, 1);
    var builder = new GraphBuilder("small");
    builder.output("y", builder.apply("Mul", builder.input("x", TensorType.of(DType.FLOAT32,
      1)), builder.constant("w", TensorView.ofFloats(Shape.of(1), 1))));
    List<Double> scales = new ArrayList<>();
    try (Trainer trainer = Trainer.of(builder.build(), _ -> true, Losses.l2(), Optimizers.sgd(0).rate(1e-6),
      TrainerOptions.DEFAULT.withLossScale(large));
      Tensor x = Tensor.of(new float[] {1e-4f}, 1);
      Tensor y = Tensor.of(new float[] {0}, 1)) {
      for (int i = 0; i < 4; i++) {
        trainer.iterate(x, y);
        scales.add(trainer.lossScale());
      }
    }
    assertThat(scales).containsExactly(0x1p127, 0x1p127, 0x1p127, 0x1p127);
  }

  @Test
  void badScalesAreRefused() {
    for (double initial : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> LossScale.fixed(initial)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("initial=" + initial);
    }
    assertThatThrownBy(() -> new LossScale(1, 0.5, 0.5, 1)).hasMessageContaining("growth=0.5");
    assertThatThrownBy(() -> new LossScale(1, 2, 2, 1)).hasMessageContaining("backoff=2.0");
    assertThatThrownBy(() -> LossScale.DYNAMIC.withInterval(-1)).hasMessageContaining("interval=-1");
  }
}
