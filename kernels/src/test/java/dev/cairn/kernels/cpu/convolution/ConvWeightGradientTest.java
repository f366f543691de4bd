package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.TestTensors.random;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.WindowReference;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.row.ConvolutionKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code ConvWeightGradient} in all twins, against a sum over every tap of every window. */
class ConvWeightGradientTest implements Rounds {
  private final Random random = new Random(41);

  private static Attributes with(String name, long... values) {
    return Attributes.NONE.with(name, AttributeValue.Ints.of(values));
  }

  private static AttributeValue ints(long... values) {
    return AttributeValue.Ints.of(values);
  }

  private void check(Attributes given, DType dtype, Shape input, Shape weights) {
    long[] kernel = new long[weights.rank() - 2];
    System.arraycopy(weights.extents(), 2, kernel, 0, kernel.length);
    Attributes attributes = given.with("kernel_shape", ints(kernel));
    SlidingWindow window = SlidingWindow.ofWeights(attributes, input, weights);
    TensorView x = random(dtype, input, random);
    TensorView h = random(dtype, window.outputShape(input.extent(0), weights.extent(0)), random);
    // Terms are products of two numbers up to 4.
    long terms = 16 * h.elementCount() / Math.max(1, weights.extent(0));
    TensorView gradient = KernelRunner.checkTwins(ConvolutionKernels.ROWS, "ConvWeightGradient", attributes,
      List.of(new TensorType(dtype, weights)), terms, x, h).getFirst();
    Tolerance.of(dtype, terms).check("%s %s %s".formatted(attributes, input, weights),
      reference(window, x, h, weights, (int) attributes.getLong("group", 1)), gradient);
  }

  private static double[] reference(SlidingWindow window, TensorView x, TensorView h, Shape weights, int groups) {
    var walk = new WindowReference(window, x.shape());
    int outputs = (int) weights.extent(0);
    int inputs = (int) weights.extent(1);
    long plane = x.shape().elementCount(2, x.shape().rank());
    double[] sums = new double[(int) weights.elementCount()];
    for (int i = 0; i < h.elementCount(); i++) {
      double head = h.doubleAt(i);
      int output = i / walk.outputs() % outputs;
      long image = i / walk.outputs() / outputs;
      for (int c = 0; c < inputs; c++) {
        long from = ((image * groups + output / (outputs / groups)) * inputs + c) * plane;
        int at = (output * inputs + c) * walk.taps();
        walk.forTaps(i % walk.outputs(),
          (tap, position) -> sums[at + tap] += position < 0 ? 0 : head * x.doubleAt(from + position));
      }
    }
    return sums;
  }

  @Test
  void sumsByHand() {
    TensorView x = TestTensors.counting(DType.FLOAT32, Shape.of(1, 1, 3));
    TensorView h = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 2), 1, 10);
    TensorView gradient = KernelRunner
      .checkTwins(ConvolutionKernels.ROWS, "ConvWeightGradient", with("kernel_shape", 2),
        List.of(TensorType.of(DType.FLOAT32, 1, 1, 2)), 2, x, h)
      .getFirst();
    double first = x.doubleAt(0);
    assertArrayEquals(new double[] {first + 10 * (first + 1), first + 1 + 10 * (first + 2)}, TestTensors.doubles(
      gradient));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16"})
  void agreesForRandomWindows(DType dtype) {
    for (int round = 0; round < rounds(40); round++) {
      int groups = 1 + random.nextInt(3);
      int inputs = 1 + random.nextInt(3);
      int outputs = 1 + random.nextInt(9);
      Attributes attributes = with("strides", 1 + random.nextInt(3), 1 + random.nextInt(3))
        .with("dilations", ints(1 + random.nextInt(2), 1 + random.nextInt(3)))
        .with("pads", ints(random.nextInt(4), random.nextInt(4), random.nextInt(4), random.nextInt(4)))
        .with("group", groups);
      check(attributes, dtype, Shape.of(1 + random.nextInt(3), (long) inputs * groups, 7 + random.nextInt(6), 10
        + random.nextInt(12)), Shape.of((long) outputs * groups, inputs, 1 + random.nextInt(4), 1 + random.nextInt(4)));
    }
  }

  @Test
  void agreesForSignalsAndVolumes() {
    check(with("pads", 2, 1), DType.FLOAT32, Shape.of(2, 3, 41), Shape.of(8, 3, 5));
    check(with("strides", 2).with("group", 3), DType.FLOAT32, Shape.of(2, 3, 41), Shape.of(3, 1, 4));
    check(with("strides", 2, 1, 2).with("pads", ints(1, 0, 1, 0, 1, 1)), DType.FLOAT32, Shape.of(2, 4, 5, 6, 7),
      Shape.of(6, 4, 3, 2, 3));
    check(with("dilations", 1, 2, 1).with("group", 2), DType.FLOAT64, Shape.of(1, 4, 3, 5, 3), Shape.of(4, 2, 2, 2, 2));
  }

  @Test
  void agreesForShapesOfRealNetworks() {
    Attributes same = with("pads", 1, 1, 1, 1);
    check(same, DType.FLOAT32, Shape.of(2, 40, 14, 14), Shape.of(50, 40, 3, 3));
    check(Attributes.NONE, DType.FLOAT32, Shape.of(3, 130, 7, 7), Shape.of(70, 130, 1, 1));
    check(with("strides", 2, 2), DType.FLOAT32, Shape.of(2, 64, 14, 14), Shape.of(32, 64, 1, 1));
    check(with("strides", 2, 2).with("pads", ints(3, 3, 3, 3)), DType.FLOAT32, Shape.of(2, 3, 33, 33), Shape.of(16, 3,
      7, 7));
    check(same.with("group", 8), DType.FLOAT32, Shape.of(2, 16, 14, 14), Shape.of(32, 2, 3, 3));
    check(same.with("group", 20), DType.FLOAT32, Shape.of(2, 20, 14, 14), Shape.of(20, 1, 3, 3));
    check(Attributes.NONE, DType.FLOAT32, Shape.of(40, 1, 28, 28), Shape.of(6, 1, 5, 5));
  }

  @Test
  void automaticPaddingIsThatOfTheConvolution() {
    for (String padding : List.of("SAME_UPPER", "SAME_LOWER", "VALID")) {
      check(with("strides", 2, 2).with("auto_pad", new AttributeValue.Text(padding)), DType.FLOAT32,
        Shape.of(2, 5, 12, 13), Shape.of(7, 5, 3, 4));
    }
  }

  @Test
  void withoutImagesChannelsOrFiltersThereIsNothingToSum() {
    check(Attributes.NONE, DType.FLOAT32, Shape.of(0, 3, 5, 5), Shape.of(4, 3, 2, 2));
    check(Attributes.NONE, DType.FLOAT32, Shape.of(2, 0, 5, 5), Shape.of(4, 0, 2, 2));
    check(Attributes.NONE, DType.FLOAT32, Shape.of(2, 3, 5, 5), Shape.of(0, 3, 2, 2));
    check(with("pads", 4, 4, 4, 4), DType.FLOAT32, Shape.of(1, 2, 2, 2), Shape.of(3, 2, 2, 2));
  }
}
