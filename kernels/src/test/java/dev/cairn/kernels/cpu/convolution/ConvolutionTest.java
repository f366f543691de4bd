package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.TestTensors.counting;
import static dev.cairn.kernels.TestTensors.random;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.WindowReference;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionGroups;
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

class ConvolutionTest implements Rounds {
  private final Random random = new Random(13);

  private static Attributes with(String name, long... values) {
    return Attributes.NONE.with(name, AttributeValue.Ints.of(values));
  }

  /** Runs all twins and compares them with the naive reference. */
  private TensorView check(Attributes attributes, DType dtype, Shape input, Shape weights) {
    TensorView x = random(dtype, input, random);
    TensorView w = random(dtype, weights, random);
    TensorView bias = random(dtype, Shape.of(weights.extent(0)), random);
    SlidingWindow window = SlidingWindow.ofWeights(attributes, input, weights);
    Shape output = window.outputShape(input.extent(0), weights.extent(0));
    long terms = 4 * weights.elementCount(1, weights.rank());
    TensorView y = KernelRunner.checkTwins(ConvolutionKernels.ROWS, "Conv", attributes,
      List.of(new TensorType(dtype, output)), terms, x, w, bias).getFirst();
    double[] expected = new WindowReference(window, input).convolve(x, w, bias, (int) attributes.getLong("group", 1));
    Tolerance.of(dtype, terms).check("Conv%s %s * %s".formatted(attributes, input, weights), expected, y);
    return y;
  }

  private TensorView check(Attributes attributes, Shape input, Shape weights) {
    return check(attributes, DType.FLOAT32, input, weights);
  }

  @Test
  void sumsTheWindowByHand() {
    TensorView x = counting(DType.FLOAT32, Shape.of(1, 1, 3, 3));
    TensorView w = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 2, 2), 1, 1, 1, 1);
    TensorView y = KernelRunner.checkTwins(ConvolutionKernels.ROWS, "Conv", with("pads", 1, 0, 0, 0),
      List.of(TensorType.of(DType.FLOAT32, 1, 1, 3, 2)), 4, x, w).getFirst();
    assertArrayEquals(new double[] {1, 3, 8, 12, 20, 24}, TestTensors.doubles(y));
  }

  @Test
  void agreesOverAwkwardWidths() {
    for (int width : some(1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 57)) {
      agreesOver(width);
    }
  }

  private void agreesOver(int width) {
    for (int kernel = 1; kernel <= 3; kernel++) {
      Attributes attributes = with("pads", kernel / 2, kernel / 2, kernel / 2, kernel / 2);
      check(attributes, Shape.of(1, 3, 5, width), Shape.of(7, 3, kernel, kernel));
      check(attributes.with("group", 4), Shape.of(2, 4, 6, width), Shape.of(4, 1, kernel, kernel));
    }
  }

  @Test
  void agreesForRandomWindows() {
    for (int round = 0; round < rounds(150); round++) {
      int[] kernel = {1 + random.nextInt(4), 1 + random.nextInt(4)};
      int groups = 1 + random.nextInt(3);
      int inputs = 1 + random.nextInt(3);
      int outputs = 1 + random.nextInt(9);
      Attributes attributes = with("strides", 1 + random.nextInt(3), 1 + random.nextInt(3))
        .with("dilations", AttributeValue.Ints.of(1 + random.nextInt(2), 1 + random.nextInt(3)))
        .with("pads",
          AttributeValue.Ints.of(random.nextInt(4), random.nextInt(4), random.nextInt(4), random.nextInt(4)))
        .with("group", groups);
      check(attributes,
        Shape.of(1 + random.nextInt(2), (long) inputs * groups, 7 + random.nextInt(12), 10 + random.nextInt(30)),
        Shape.of((long) outputs * groups, inputs, kernel[0], kernel[1]));
    }
  }

  @Test
  void agreesForSignalsAndVolumes() {
    check(with("pads", 2, 1), Shape.of(2, 3, 41), Shape.of(8, 3, 5));
    check(with("strides", 2).with("group", 3), Shape.of(2, 3, 41), Shape.of(3, 1, 4));
    check(with("strides", 2, 1, 2).with("pads", AttributeValue.Ints.of(1, 0, 1, 0, 1, 1)), Shape.of(1, 4, 5, 6, 7),
      Shape.of(6, 4, 3, 2, 3));
    check(Attributes.NONE.with("group", 2), Shape.of(1, 4, 3, 3, 3), Shape.of(4, 2, 2, 2, 2));
  }

  @Test
  void agreesForShapesOfRealNetworks() {
    Attributes same = with("pads", 1, 1, 1, 1);
    check(with("pads", 3, 3, 3, 3).with("strides", AttributeValue.Ints.of(2, 2)), Shape.of(1, 3, 61, 61),
      Shape.of(16, 3, 7, 7));
    check(same, Shape.of(1, 40, 14, 14), Shape.of(50, 40, 3, 3));
    check(Attributes.NONE, Shape.of(1, 300, 7, 7), Shape.of(100, 300, 1, 1));
    check(with("strides", 2, 2), Shape.of(1, 64, 14, 14), Shape.of(32, 64, 1, 1));
    check(same.with("group", 3), Shape.of(1, 3, 150, 200), Shape.of(6, 1, 3, 3));
    check(same.with("group", 8), Shape.of(1, 32, 14, 14), Shape.of(64, 4, 3, 3));
    check(Attributes.NONE.with("auto_pad", new AttributeValue.Text("SAME_UPPER"))
      .with("strides", AttributeValue.Ints.of(2, 2)), Shape.of(1, 5, 12, 13), Shape.of(7, 5, 3, 3));
  }

  @Test
  void aKernelLargerThanADepthBlockIsOneBlock() {
    check(with("pads", 8, 8, 8, 8), Shape.of(1, 2, 9, 40), Shape.of(7, 2, 17, 17));
  }

  @Test
  void windowsThatLieWhollyInPaddingAreTheBias() {
    check(with("pads", 5, 6, 5, 6), Shape.of(1, 2, 3, 3), Shape.of(2, 2, 2, 2));
    check(with("pads", 5, 6, 5, 6).with("group", 2), Shape.of(1, 2, 3, 3), Shape.of(2, 1, 2, 2));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT64", "FLOAT16", "BFLOAT16"})
  void otherTypesAgree(DType dtype) {
    check(with("pads", 1, 1, 1, 1), dtype, Shape.of(1, 3, 6, 9), Shape.of(4, 3, 3, 3));
    check(Attributes.NONE.with("group", 3), dtype, Shape.of(1, 3, 6, 9), Shape.of(3, 1, 3, 3));
  }

  @Test
  void anEmptyBatchGivesNothing() {
    check(Attributes.NONE, Shape.of(0, 3, 6, 9), Shape.of(4, 3, 3, 3));
    check(Attributes.NONE.with("group", 3), Shape.of(0, 3, 6, 9), Shape.of(3, 1, 3, 3));
  }

  @Test
  void channelsThatDoNotFitTheGroupsAreRefused() {
    Shape input = Shape.of(1, 6, 5, 5);
    assertThrows(IllegalArgumentException.class,
      () -> ConvolutionGroups.of(Attributes.NONE, input, Shape.of(4, 3, 1, 1)));
    assertThrows(IllegalArgumentException.class,
      () -> ConvolutionGroups.of(Attributes.NONE.with("group", 2), input, Shape.of(3, 3, 1, 1)));
    assertThrows(IllegalArgumentException.class,
      () -> ConvolutionGroups.of(Attributes.NONE.with("group", 0), input, Shape.of(4, 6, 1, 1)));
    assertThrows(IllegalArgumentException.class,
      () -> ConvolutionGroups.of(Attributes.NONE, input, Shape.of(4, 6, 1)));
  }
}
