package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.LossScale;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Conv;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.MaxPool;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** P-5 on a GPU: iterations in 16 bits follow those of the processor, and an overflow is left out without the host. */
@Tag("long")
class MixedTrainingOnCudaTest {
  private static final int ROWS = 4;
  private static final int SIDE = 6;
  private static final LossScale SCALE = LossScale.DYNAMIC.withInitial(1024).withInterval(3);

  @BeforeEach
  void findDevice() {
    CudaUnderTest.device();
  }

  private static Trainer trainer(Precision precision, boolean onCuda) {
    SessionOptions session = SessionOptions.DEFAULT.withThreads(1);
    TrainerOptions options = TrainerOptions.DEFAULT.withSession(onCuda
      ? session.withDevice(CudaUnderTest.device())
      : session).withPrecision(precision);
    return Trainer.of(Sequential.of(Conv.of(3, 3, 3).padding(1, 1), BatchNorm.of(), Activation.relu(), MaxPool.window(2,
      2), Conv.of(4, 3, 3), Activation.relu(), Flatten.of(), Dense.of(3)), Losses.softmaxCrossEntropy(), Optimizers
        .adam().rate(3e-3),
      precision == Precision.FLOAT16 ? options.withLossScale(SCALE) : options);
  }

  private static double iterate(Trainer trainer, int number, float largest) {
    float[] x = new float[ROWS * SIDE * SIDE];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) Math.sin(7 * number + i);
    }
    x[0] = largest;
    long[] classes = new long[ROWS];
    for (int row = 0; row < ROWS; row++) {
      classes[row] = x[row * SIDE * SIDE + 1] > 0 ? 1 : 2;
    }
    try (Tensor data = Tensor.of(x, ROWS, 1, SIDE, SIDE); Tensor labels = Tensor.of(classes, ROWS)) {
      return trainer.iterate(data, labels);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void iterationsFollowThoseOfTheProcessor(Precision precision) {
    List<Double> wide = new ArrayList<>();
    List<Double> halves = new ArrayList<>();
    try (Trainer host = trainer(Precision.AS_WRITTEN, false); Trainer device = trainer(precision, true)) {
      for (int i = 0; i < 12; i++) {
        wide.add(iterate(host, i % 3, 0));
        halves.add(iterate(device, i % 3, 0));
      }
      assertThat(device.skippedUpdates()).isZero();
      assertThat(device.lossScale()).isEqualTo(precision == Precision.FLOAT16 ? 1024 * 16 : 1);
    }
    assertThat(wide.getLast()).isLessThan(wide.getFirst());
    for (int i = 0; i < wide.size(); i++) {
      assertThat(Math.abs(halves.get(i) - wide.get(i))).as("iteration=%d half=%s wide=%s", i, halves.get(i), wide.get(
        i)).isLessThan(precision == Precision.FLOAT16 ? 0.01 : 0.06);
    }
    assertThat(halves).isNotEqualTo(wide);
  }

  @Test
  void anOverflowIsLeftOutAndAResumedTrainingHasTheSameBits() {
    try (Trainer unbroken = trainer(Precision.FLOAT16, true);
      Trainer begun = trainer(Precision.FLOAT16, true);
      Trainer resumed = trainer(Precision.FLOAT16, true)) {
      for (int i = 0; i < 8; i++) {
        iterate(unbroken, i, i == 3 ? Float.NaN : 0);
      }
      assertThat(unbroken.skippedUpdates()).isEqualTo(1);
      assertThat(unbroken.updates()).isEqualTo(7);
      for (int i = 0; i < 5; i++) {
        iterate(begun, i, i == 3 ? Float.NaN : 0);
      }
      resumed.restore(begun.checkpoint());
      for (int i = 5; i < 8; i++) {
        iterate(resumed, i, 0);
      }
      var wanted = unbroken.checkpoint();
      assertThat(resumed.checkpoint().metadata()).isEqualTo(wanted.metadata());
      wanted.tensors().forEach((name, value) -> assertThat(value.segment().mismatch(tensor(resumed, name).segment()))
        .as(name).isEqualTo(-1));
      assertThat(tensor(unbroken, "7.weight").doubleAt(0)).isFinite();
    }
  }

  private static TensorView tensor(Trainer trainer, String name) {
    return Objects.requireNonNull(trainer.checkpoint().tensors().get(name));
  }
}
