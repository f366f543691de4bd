package dev.cairn.kernels.cpu.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.MovementKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** {@code Dropout} in training (W-7). */
class CpuDropoutTest {
  private static final Attributes TRAINING = Attributes.NONE.with("training_mode", 1).with("draw", 3);
  private static final TensorView STATE = TensorView.ofLongs(17, 4);

  private static List<TensorView> run(Attributes attributes, TensorView x, double ratio) {
    return KernelRunner.checkTwins(MovementKernels.ROWS, "Dropout", attributes, List.of(x.type(), x.type().withDType(
      DType.BOOL)), 1, x, TestTensors.of(DType.FLOAT32, Shape.SCALAR, ratio), null, STATE);
  }

  @Test
  void w7KeepsWhereTheNumberIsAtLeastTheRatio() {
    var random = new Random(5);
    for (DType dtype : List.of(DType.FLOAT64, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      TensorView x = TestTensors.random(dtype, Shape.of(7, 201), random);
      double[] numbers = new double[7 * 201];
      new PhiloxGenerator(17, 7).uniform24(0, numbers, numbers.length);
      List<TensorView> results = run(TRAINING, x, 0.25);
      int kept = 0;
      for (int i = 0; i < numbers.length; i++) {
        boolean keeps = numbers[i] >= 0.25;
        kept += keeps ? 1 : 0;
        assertThat(results.get(1).longAt(i)).isEqualTo(keeps ? 1 : 0);
        double wanted = keeps ? x.doubleAt(i) / 0.75 : 0;
        assertThat(results.get(0).doubleAt(i)).isCloseTo(wanted, Offset.offset(Math.abs(wanted) * (dtype.isHalf()
          ? 0.01
          : 1e-6)));
      }
      assertThat(kept).isBetween(1000, 1110);
    }
  }

  @Test
  void w7RatioZeroIsTheIdentityAndOneGivesZeros() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(3), 1, Double.NaN, -2);
    KernelRunner.checkBits("none", x, run(TRAINING, x, 0).getFirst());
    assertThat(TestTensors.doubles(run(TRAINING, x, 1).getFirst())).containsExactly(0, 0, 0);
  }

  @Test
  void w7AxesShareOneMask() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(40, 3, 2), new double[240]);
    TensorView mask = run(TRAINING.with("axes", new AttributeValue.Ints(List.of(1L, -1L))), x, 0.5).get(1);
    TensorView rows = run(TRAINING, TestTensors.zeros(TensorType.of(DType.FLOAT32, 40, 1, 1)), 0.5).get(1);
    for (int i = 0; i < 240; i++) {
      assertThat(mask.longAt(i)).isEqualTo(rows.longAt(i / 6));
    }
  }

  /** Other draws give other masks; without a state, seed and draw are attributes. */
  @Test
  void theDrawDecides() {
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(100), new Random(6));
    assertThat(TestTensors.doubles(run(TRAINING.with("draw", 2), x, 0.5).getFirst())).isNotEqualTo(TestTensors.doubles(
      run(TRAINING, x, 0.5).getFirst()));
    try (var runner = new KernelRunner(MovementKernels.ROWS, 1)) {
      Attributes first = Attributes.NONE.with("training_mode", 1).with("draw", 1);
      TensorView one = runner.run("Dropout", first, x.type(), x);
      assertThat(TestTensors.doubles(runner.run("Dropout", first.with("draw", 2), x.type(), x)))
        .isNotEqualTo(TestTensors
          .doubles(one));
      assertThat(TestTensors.doubles(runner.run("Dropout", first.with("seed", 9), x.type(), x)))
        .isNotEqualTo(TestTensors
          .doubles(one));
    }
  }

  @Test
  void aRatioOutsideOfZeroToOneIsRefused() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1), 1);
    assertThatThrownBy(() -> run(TRAINING, x, 1.5)).hasMessageContaining("ratio=1.5");
    assertThatThrownBy(() -> run(TRAINING, x, Double.NaN)).hasMessageContaining("ratio=NaN");
  }
}
