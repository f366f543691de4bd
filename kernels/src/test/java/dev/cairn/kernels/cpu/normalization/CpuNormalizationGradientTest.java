package dev.cairn.kernels.cpu.normalization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.CentralDifferences;
import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.row.NormalizationKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batch normalisation in training (G-18), and the gradients of normalisations. */
class CpuNormalizationGradientTest {
  private static final Attributes TRAINING = Attributes.NONE.with("training_mode", 1).with("momentum",
    new AttributeValue.Real(0.75f));

  private final Random random = new Random(23);

  private TensorView random(DType dtype, Shape shape) {
    return TestTensors.random(dtype, shape, random);
  }

  private static List<TensorView> run(String operator, Attributes attributes, List<TensorType> results,
    @Nullable TensorView... inputs) {
    return KernelRunner.checkTwins(NormalizationKernels.ROWS, operator, attributes, results, 64, inputs);
  }

  private static List<TensorView> batch(Attributes attributes, TensorView x, TensorView... channels) {
    TensorType statistic = channels[2].type();
    return run("BatchNormalization", attributes, List.of(x.type(), statistic, statistic, statistic, statistic), x,
      channels[0], channels[1], channels[2], channels[3]);
  }

  @Test
  void g18TrainingByHand() {
    TensorView x = TestTensors.of(DType.FLOAT64, Shape.of(2, 2, 1), 1, 10, 3, 20);
    TensorView one = TestTensors.of(DType.FLOAT64, Shape.of(2), 2, 1);
    TensorView five = TestTensors.of(DType.FLOAT64, Shape.of(2), 5, 0);
    TensorView before = TestTensors.of(DType.FLOAT64, Shape.of(2), 4, 8);
    List<TensorView> results = batch(TRAINING.with("epsilon", new AttributeValue.Real(0)), x, one, five, before,
      before);
    assertThat(TestTensors.doubles(results.get(0))).containsExactly(3, -1, 7, 1);
    assertThat(TestTensors.doubles(results.get(1))).containsExactly(0.75 * 4 + 0.25 * 2, 0.75 * 8 + 0.25 * 15);
    assertThat(TestTensors.doubles(results.get(2))).containsExactly(0.75 * 4 + 0.25, 0.75 * 8 + 0.25 * 25);
    assertThat(TestTensors.doubles(results.get(3))).containsExactly(2, 15);
    assertThat(TestTensors.doubles(results.get(4))).containsExactly(1, 0.2);
  }

  /** Channels, images and blocks that end in the middle of a plane; types of data and statistics that differ. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 17, 85, 256, 300})
  void trainingIsInferenceWithTheBatchsStatistics(long plane) {
    for (DType dtype : List.of(DType.FLOAT64, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      DType other = dtype == DType.FLOAT64 ? dtype : DType.FLOAT32;
      TensorView x = random(dtype, plane == 0 ? Shape.of(5, 3) : Shape.of(5, 3, plane));
      TensorView scale = random(dtype, Shape.of(3));
      TensorView bias = random(dtype, Shape.of(3));
      TensorView mean = random(other, Shape.of(3));
      List<TensorView> results = batch(TRAINING, x, scale, bias, mean, mean);
      TensorView variance = TestTensors.zeros(mean.type());
      for (int c = 0; c < 3; c++) {
        double inverse = results.get(4).doubleAt(c);
        TestTensors.set(variance, c, 1 / (inverse * inverse) - 1e-5f);
      }
      TensorView same = run("BatchNormalization", Attributes.NONE, List.of(x.type()), x, scale, bias, results.get(3),
        variance).getFirst();
      Tolerance.of(dtype, 512).check("training", same, results.getFirst());
    }
  }

  @Test
  void aChannelOfRankOneIsTheWhole() {
    TensorView x = random(DType.FLOAT64, Shape.of(7));
    TensorView one = TestTensors.of(DType.FLOAT64, Shape.of(1), 1);
    TensorView y = batch(TRAINING, x, one, TestTensors.zeros(one.type()), one, one).getFirst();
    double sum = 0;
    for (double value : TestTensors.doubles(y)) {
      sum += value;
    }
    assertThat(Math.abs(sum)).isLessThan(1e-12);
  }

  @Test
  void batchGradientIsTheDerivative() {
    for (Shape shape : List.of(Shape.of(4, 3), Shape.of(2, 3, 5), Shape.of(3, 2, 2, 3), Shape.of(6))) {
      long channels = shape.rank() == 1 ? 1 : shape.extent(1);
      TensorView x = random(DType.FLOAT64, shape);
      TensorView h = random(DType.FLOAT64, shape);
      TensorView scale = random(DType.FLOAT64, Shape.of(channels));
      TensorView bias = random(DType.FLOAT64, Shape.of(channels));
      List<TensorView> forward = batch(TRAINING, x, scale, bias, bias, bias);
      List<TensorType> types = List.of(x.type(), scale.type(), scale.type());
      List<TensorView> g = run("BatchNormalizationGradient", Attributes.NONE, types, h, x, scale, forward.get(3),
        forward.get(4));
      CentralDifferences.check("x", x, h, at -> batch(TRAINING, at, scale, bias, bias, bias).getFirst(), g.get(0));
      CentralDifferences.check("scale", scale, h, at -> batch(TRAINING, x, at, bias, bias, bias).getFirst(), g.get(1));
      CentralDifferences.check("bias", bias, h, at -> batch(TRAINING, x, scale, at, bias, bias).getFirst(), g.get(2));
      List<TensorView> again = run("BatchNormalizationGradient", Attributes.NONE, types, h, x, scale);
      for (int i = 0; i < 3; i++) {
        KernelRunner.checkBits("statistics computed again", g.get(i), again.get(i));
      }
    }
  }

  @Test
  void layerGradientIsTheDerivative() {
    for (Shape shape : List.of(Shape.of(4, 6), Shape.of(2, 3, 5), Shape.of(70, 3), Shape.of(1, 9))) {
      layerGradient(shape, -1);
      layerGradient(shape, 0);
      layerGradient(shape, 1);
    }
  }

  private void layerGradient(Shape shape, int axis) {
    Attributes attributes = Attributes.NONE.with("axis", axis);
    Shape row = NormalizedRows.of(attributes, shape).row();
    TensorView x = random(DType.FLOAT64, shape);
    TensorView h = random(DType.FLOAT64, shape);
    TensorView scale = random(DType.FLOAT64, row);
    TensorView bias = random(DType.FLOAT64, row);
    List<TensorView> g = run("LayerNormalizationGradient", attributes, List.of(x.type(), scale.type(), scale.type()), h,
      x, scale);
    CentralDifferences.check("x", x, h, at -> layer(attributes, at, scale, bias), g.get(0));
    CentralDifferences.check("scale", scale, h, at -> layer(attributes, x, at, bias), g.get(1));
    CentralDifferences.check("bias", bias, h, at -> layer(attributes, x, scale, at), g.get(2));
  }

  private static TensorView layer(Attributes attributes, TensorView x, TensorView scale, TensorView bias) {
    return run("LayerNormalization", attributes, List.of(x.type()), x, scale, bias).getFirst();
  }

  /** Saved statistics, stretched scales, and every element type, beside the gradient in {@code float64}. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 31, 256, 1000})
  void layerGradientOfEveryTypeAndLength(long length) {
    for (DType dtype : List.of(DType.FLOAT64, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      TensorView x = random(dtype, Shape.of(19, length));
      TensorView h = random(dtype, x.shape());
      TensorView one = random(dtype, Shape.of(1));
      TensorView scale = TestTensors.zeros(TensorType.of(dtype, length));
      for (long i = 0; i < length; i++) {
        TestTensors.set(scale, i, one.doubleAt(0));
      }
      TensorType statistic = TensorType.of(dtype == DType.FLOAT64 ? dtype : DType.FLOAT32, 19, 1);
      List<TensorView> forward = run("LayerNormalization", Attributes.NONE, List.of(x.type(), statistic, statistic), x,
        scale);
      List<TensorType> types = List.of(x.type(), scale.type(), scale.type());
      List<TensorView> saved = run("LayerNormalizationGradient", Attributes.NONE, types, h, x, one, forward.get(1),
        forward.get(2));
      List<TensorView> again = run("LayerNormalizationGradient", Attributes.NONE, types, h, x, scale);
      for (int i = 0; i < 3 && length > 2; i++) {
        Tolerance.of(dtype, 64).check("saved", again.get(i), saved.get(i));
      }
    }
  }

  @Test
  void noRowsGiveNoGradientOfScaleAndBias() {
    TensorView x = random(DType.FLOAT32, Shape.of(0, 3));
    TensorType row = TensorType.of(DType.FLOAT32, 3);
    List<TensorView> g = run("LayerNormalizationGradient", Attributes.NONE, List.of(x.type(), row, row), x, x, random(
      DType.FLOAT32, Shape.of(3)));
    assertThat(TestTensors.doubles(g.get(1))).containsExactly(0, 0, 0);
    assertThat(TestTensors.doubles(g.get(2))).containsExactly(0, 0, 0);
  }
}
