package dev.cairn.kernels.cpu.normalization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.row.NormalizationKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CpuNormalizationTest implements Rounds {
  private static final List<DType> TYPES = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  private static TensorView run(String operator, Attributes attributes, long length, TensorView x,
    @Nullable TensorView... more) {
    @Nullable
    TensorView[] inputs = new @Nullable TensorView[more.length + 1];
    inputs[0] = x;
    System.arraycopy(more, 0, inputs, 1, more.length);
    return KernelRunner
      .checkTwins(NormalizationKernels.ROWS, operator, attributes, List.of(x.type()), length, inputs).getFirst();
  }

  private static TensorView positive(DType dtype, Shape shape, Random random) {
    var view = TestTensors.zeros(new TensorType(dtype, shape));
    for (long i = 0; i < view.elementCount(); i++) {
      TestTensors.set(view, i, 0.5 + random.nextDouble());
    }
    return view;
  }

  private static TensorView doubles(double... values) {
    return TestTensors.of(DType.FLOAT64, Shape.of(values.length), values);
  }

  @Test
  void batchByHand() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8);
    var y = run("BatchNormalization", Attributes.NONE.with("epsilon", new AttributeValue.Real(0)), 1, x, doubles(1, 2),
      doubles(10, 20), doubles(1, 3), doubles(4, 16));
    assertThat(TestTensors.doubles(y)).containsExactly(10, 10.5, 20, 20.5, 12, 12.5, 22, 22.5);
  }

  @Test
  void layerByHand() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(2, 2), 1, 3, 10, 30);
    var none = Attributes.NONE.with("epsilon", new AttributeValue.Real(0));
    assertThat(TestTensors.doubles(run("LayerNormalization", none, 1, x, doubles(1, 2), doubles(5, 6))))
      .containsExactly(4, 8, 4, 8);
    assertThat(TestTensors.doubles(run("LayerNormalization", none, 1, x, doubles(1, 2)))).containsExactly(-1, 2, -1, 2);
    assertThat(TestTensors.doubles(run("LayerNormalization", none, 1, x, doubles(3)))).containsExactly(-3, 3, -3, 3);
  }

  /** Scale and bias broadcast to the data: also along axes before those of a row. */
  @Test
  void scaleAndBiasWithFurtherAxesByHand() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(2, 2, 2), 1, 3, 10, 30, -1, 1, 0, 4);
    var none = Attributes.NONE.with("epsilon", new AttributeValue.Real(0));
    var row = TestTensors.of(DType.FLOAT64, Shape.of(1, 1, 2), 1, 2);
    var ofRows = TestTensors.of(DType.FLOAT64, Shape.of(2, 1), 1, 10);
    var ofImages = TestTensors.of(DType.FLOAT64, Shape.of(2, 1, 1), 0, 5);
    assertThat(TestTensors.doubles(run("LayerNormalization", none, 1, x, row, row))).containsExactly(0, 4, 0, 4, 0, 4,
      0,
      4);
    assertThat(TestTensors.doubles(run("LayerNormalization", none, 1, x, ofRows, ofImages))).containsExactly(-1, 1, -10,
      10, 4, 6, -5, 15);
    // Scales, one for each row, though there are as many as a row has elements.
    assertThat(
      TestTensors.doubles(run("LayerNormalization", none, 1, x, TestTensors.of(DType.FLOAT64, Shape.of(2, 1, 1),
        1, 2))))
      .containsExactly(-1, 1, -1, 1, -2, 2, -2, 2);
    var y = run("RMSNormalization", none, 1, TestTensors.of(DType.FLOAT64, Shape.of(2, 2), 3, -3, 5, 5), TestTensors.of(
      DType.FLOAT64, Shape.of(2, 1), 1, 7));
    Tolerance.of(DType.FLOAT64, 2).check("mean squares", new double[] {1, -1, 7, 7}, y);
  }

  @Test
  void scaleAndBiasWithFurtherAxesInAllKernels() {
    var random = new Random(43);
    for (DType dtype : TYPES) {
      var x = TestTensors.random(dtype, Shape.of(3, 4, 35), random);
      for (Shape shape : List.of(Shape.of(1, 1, 35), Shape.of(1, 4, 35), Shape.of(3, 1, 35), Shape.of(3, 4, 1),
        Shape.of(
          3, 4, 35),
        Shape.of(35))) {
        var scale = TestTensors.random(dtype, shape, random);
        var bias = TestTensors.random(dtype, Shape.of(3, 1, 1), random);
        run("LayerNormalization", Attributes.NONE, 100, x, scale);
        run("LayerNormalization", Attributes.NONE, 100, x, scale, bias);
        run("LayerNormalization", Attributes.NONE, 100, x, bias, scale);
        run("LayerNormalization", Attributes.NONE.with("axis", 1), 200, x, scale, bias);
        run("RMSNormalization", Attributes.NONE, 100, x, scale);
      }
    }
  }

  @Test
  void layerGivesMeanAndInverseDeviation() {
    var random = new Random(41);
    for (DType dtype : TYPES) {
      var x = TestTensors.random(dtype, Shape.of(3, 4, 50), random);
      var scale = TestTensors.random(dtype, Shape.of(4, 50), random);
      var further = TensorType.of(DType.FLOAT32, 3, 1, 1);
      var results = KernelRunner.checkTwins(NormalizationKernels.ROWS, "LayerNormalization",
        Attributes.NONE.with("axis", 1), List.of(x.type(), further, further), 200, x, scale);
      for (int row = 0; row < 3; row++) {
        double[] values = Arrays.copyOfRange(TestTensors.doubles(x), row * 200, row * 200 + 200);
        double mean = Arrays.stream(values).average().orElseThrow();
        double variance = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).average().orElseThrow();
        assertThat(Tolerance.of(DType.FLOAT32, 8).allows(mean, results.get(1).doubleAt(row))).isTrue();
        double inverse = 1 / Math.sqrt(variance + 1e-5f);
        assertThat(Tolerance.of(DType.FLOAT32, 8).allows(inverse, results.get(2).doubleAt(row))).isTrue();
      }
    }
  }

  @Test
  void instanceByHand() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(1, 2, 2), 1, 3, 10, 30);
    var y = run("InstanceNormalization", Attributes.NONE.with("epsilon", new AttributeValue.Real(0)), 1, x,
      doubles(2, 3), doubles(1, -1));
    Tolerance.of(DType.FLOAT64, 1).check("instance", new double[] {-1, 3, -4, 2}, y);
  }

  /** Three channels around each, then four: the even one reaches further behind. */
  @Test
  void neighbouringChannelsByHand() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(1, 4, 1, 1), 1, 2, 3, 4);
    var attributes = Attributes.NONE.with("alpha", new AttributeValue.Real(3)).with("beta", new AttributeValue.Real(1))
      .with("bias", new AttributeValue.Real(2));
    Tolerance.of(DType.FLOAT64, 4).check("three", new double[] {1 / 7.0, 2 / 16.0, 3 / 31.0, 4 / 27.0},
      run("LRN", attributes.with("size", 3), 1, x));
    Tolerance.of(DType.FLOAT64, 4).check("four",
      new double[] {1 / 12.5, 2 / (2 + 0.75 * 30), 3 / (2 + 0.75 * 29), 4 / (2 + 0.75 * 25)},
      run("LRN", attributes.with("size", 4), 1, x));
  }

  @Test
  void everyLengthAndType() {
    for (long length : some(0L, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 4097)) {
      everyType(length);
    }
  }

  private static void everyType(long length) {
    var random = new Random(42);
    for (DType dtype : TYPES) {
      var images = TestTensors.random(dtype, Shape.of(2, 6, length), random);
      var channels = Shape.of(6);
      var scale = TestTensors.random(dtype, channels, random);
      var bias = TestTensors.random(dtype, channels, random);
      run("BatchNormalization", Attributes.NONE, 8, images, scale, bias, TestTensors.random(dtype, channels, random),
        positive(dtype, channels, random));
      run("LRN", Attributes.NONE.with("size", 5).with("alpha", new AttributeValue.Real(1)), 8, images);
      run("LRN", Attributes.NONE.with("size", 2).with("alpha", new AttributeValue.Real(1)).with("beta",
        new AttributeValue.Real(0.6f)), 8, images);
      if (length != 1) {
        run("InstanceNormalization", Attributes.NONE, 64 + length, images, scale, bias);
        run("GroupNormalization", Attributes.NONE.with("num_groups", 2), 64 + 3 * length, images, scale, bias);
      }
      var row = Shape.of(length);
      if (length > 2) {
        var rows = TestTensors.random(dtype, Shape.of(3, length), random);
        run("LayerNormalization", Attributes.NONE, 64 + length, rows, TestTensors.random(dtype, row, random),
          TestTensors.random(dtype, row, random));
        run("LayerNormalization", Attributes.NONE, 64 + length, rows, TestTensors.random(dtype, row, random));
      }
      var flat = TestTensors.random(dtype, Shape.of(3, length), random);
      run("BatchNormalization", Attributes.NONE, 8, flat, TestTensors.random(dtype, row, random),
        TestTensors.random(dtype, row, random), TestTensors.random(dtype, row, random), positive(dtype, row, random));
    }
  }

  /** A large mean must not swallow the variance. */
  @Test
  void aLargeMeanIsTakenOffFirst() {
    var x = TestTensors.zeros(TensorType.of(DType.FLOAT32, 1, 1, 1000));
    for (long i = 0; i < 1000; i++) {
      TestTensors.set(x, i, 10_000 + (i % 2 == 0 ? 1.0 : -1.0));
    }
    var one = TestTensors.of(DType.FLOAT32, Shape.of(1), 1);
    var zero = TestTensors.of(DType.FLOAT32, Shape.of(1), 0);
    var y = KernelRunner.checkTwins(NormalizationKernels.ROWS, "InstanceNormalization", Attributes.NONE,
      List.of(x.type()), 50_000, x, one, zero).getFirst();
    assertThat(y.doubleAt(0)).isCloseTo(1, Offset.offset(1e-4));
  }

  @Test
  void aBatchOfMixedTypesIsLeftToThePortableTwin() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(1, 2, 2), 1, 2, 3, 4);
    var y = run("BatchNormalization", Attributes.NONE.with("epsilon", new AttributeValue.Real(0)), 1, x, doubles(1, 2),
      doubles(10, 20), doubles(1, 3), doubles(4, 16));
    assertThat(TestTensors.doubles(y)).containsExactly(10, 10.5, 20, 20.5);
  }

  private static TensorView pixels(TensorView plain) {
    TensorView last = TestTensors.zeros(plain.type().withShape(ChannelsLast.of(plain.shape())));
    long channels = plain.shape().extent(1);
    long plane = plain.shape().elementCount(2, 4);
    for (long i = 0; i < plain.elementCount(); i++) {
      long image = i / (channels * plane);
      TestTensors.set(last, image * channels * plane + i % plane * channels + i / plane % channels, plain.doubleAt(i));
    }
    return last;
  }

  /** Images, channels, rows, columns and groups: with and without whole vectors, with one chunk of pixels and more. */
  @ParameterizedTest
  @CsvSource({"1,4,1,2,2", "2,6,3,5,3", "1,16,32,32,4", "3,17,7,9,1", "2,48,20,21,48", "1,320,9,11,32", "1,9000,2,3,9",
    "2,33,40,41,11", "0,4,3,3,2", "2,8,0,3,2"})
  void groupsOfChannelsLast(long images, long channels, long rows, long columns, long groups) {
    var random = new Random(43);
    var x = TestTensors.random(DType.FLOAT32, Shape.of(images, channels, rows, columns), random);
    var scale = TestTensors.random(DType.FLOAT32, Shape.of(channels), random);
    var bias = TestTensors.random(DType.FLOAT32, Shape.of(channels), random);
    Attributes attributes = Attributes.NONE.with("num_groups", groups);
    TensorView last = pixels(x);
    try (var portable = new KernelRunner(KernelRunner.portable(NormalizationKernels.ROWS), 1);
      var one = new KernelRunner(NormalizationKernels.ROWS, 1);
      var three = new KernelRunner(NormalizationKernels.ROWS,
        3)) {
      TensorView truth = pixels(portable.run("GroupNormalization", attributes, x.type(), x, scale, bias));
      TensorView alone = one.run("GroupNormalizationNhwc", attributes, last.type(), last, scale, bias);
      long terms = 64 + channels / groups * rows * columns;
      Tolerance.of(DType.FLOAT32, terms).check("channels last", TestTensors.doubles(truth), alone);
      KernelRunner.checkBits("on 1 and 3 threads", alone, three.run("GroupNormalizationNhwc", attributes, last.type(),
        last, scale, bias));
    }
  }

  /** What is left of many equal elements is rounding: their mean is themselves, and their deviation is 0. */
  @ParameterizedTest
  @CsvSource({"GroupNormalization,1,512", "GroupNormalization,4,512", "InstanceNormalization,4,512",
    "GroupNormalizationNhwc,1,512", "GroupNormalizationNhwc,8,256", "GroupNormalizationNhwc,32,128"})
  void equalElementsAreAllTheirMean(String operator, int channels, int side) {
    boolean last = operator.endsWith("Nhwc");
    Shape shape = last ? Shape.of(1, side, side, channels) : Shape.of(1, channels, side, side);
    TensorView x = TestTensors.zeros(new TensorType(DType.FLOAT32, shape));
    for (long i = 0; i < x.elementCount(); i++) {
      TestTensors.set(x, i, 10.1);
    }
    TensorView ones = TestTensors.zeros(TensorType.of(DType.FLOAT32, channels));
    for (int c = 0; c < channels; c++) {
      TestTensors.set(ones, c, 1);
    }
    try (var runner = new KernelRunner(NormalizationKernels.ROWS, 1)) {
      TensorView y = runner.run(operator, Attributes.NONE.with("num_groups", 1), x.type(), x, ones, ones);
      assertThat(TestTensors.doubles(y)[0]).isCloseTo(1, Offset.offset(0.02));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void groupsOf16BitsWithChannelsLast(DType half) {
    var random = new Random(44);
    var x = TestTensors.random(half, Shape.of(2, 33, 12, 13), random);
    var scale = TestTensors.random(half, Shape.of(33), random);
    var bias = TestTensors.random(half, Shape.of(33), random);
    Attributes attributes = Attributes.NONE.with("num_groups", 11);
    TensorView last = pixels(x);
    try (var portable = new KernelRunner(KernelRunner.portable(NormalizationKernels.ROWS), 1);
      var three = new KernelRunner(NormalizationKernels.ROWS, 3)) {
      TensorView truth = pixels(portable.run("GroupNormalization", attributes, x.type(), x, scale, bias));
      Tolerance.of(half, 64).check(half.toString(), TestTensors.doubles(truth), three.run("GroupNormalizationNhwc",
        attributes, last.type(), last, scale, bias));
    }
  }
}
