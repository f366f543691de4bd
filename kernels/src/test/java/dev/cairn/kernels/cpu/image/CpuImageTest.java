package dev.cairn.kernels.cpu.image;

import static dev.cairn.kernels.ByHand.floats;
import static dev.cairn.kernels.ByHand.run;
import static dev.cairn.kernels.ByHand.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.row.ConvolutionKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Operators that sample images, by hand. */
class CpuImageTest implements Rounds {
  private static final Offset<Double> NEAR = Offset.offset(1e-6);

  private static double[] resized(Attributes attributes, double scale, double... values) {
    TensorType type = TensorType.of(DType.FLOAT32, (long) (values.length * scale));
    return TestTensors.doubles(run("Resize", attributes, type, floats(values), null, floats(scale)));
  }

  private static Attributes mode(String mode, String positions) {
    return text("mode", mode).with("coordinate_transformation_mode", new AttributeValue.Text(positions));
  }

  @Test
  void positionsOfEveryMode() {
    assertThat(resized(mode("linear", "half_pixel"), 2, 1, 3)).containsExactly(1, 1.5, 2.5, 3);
    assertThat(resized(mode("linear", "asymmetric"), 2, 1, 3)).containsExactly(1, 2, 3, 3);
    assertThat(resized(mode("linear", "align_corners"), 2, 0, 3)).containsExactly(new double[] {0, 1, 2, 3}, NEAR);
    assertThat(resized(mode("linear", "pytorch_half_pixel"), 0.5, 1, 3)).containsExactly(1);
    assertThat(resized(mode("nearest", "tf_half_pixel_for_nn"), 2, 1, 3)).containsExactly(1, 3, 3, 3);
  }

  @Test
  void tiesOfEveryNearestMode() {
    Attributes half = mode("nearest", "half_pixel");
    assertThat(resized(half, 0.5, 1, 2, 3, 4)).containsExactly(1, 3);
    assertThat(resized(half.with("nearest_mode", new AttributeValue.Text("round_prefer_ceil")), 0.5, 1, 2, 3, 4))
      .containsExactly(2, 4);
    assertThat(resized(half.with("nearest_mode", new AttributeValue.Text("floor")), 0.5, 1, 2, 3, 4)).containsExactly(1,
      3);
    Attributes old = mode("nearest", "asymmetric").with("nearest_mode", new AttributeValue.Text("floor_or_ceil"));
    assertThat(resized(old, 0.75, 1, 2, 3, 4)).containsExactly(1, 3, 4);
    assertThat(resized(old, 1.5, 1, 2)).containsExactly(1, 1, 2);
  }

  @Test
  void wholeNumbersAreCutToTheirRange() {
    var x = TestTensors.ofLongs(DType.UINT8, Shape.of(4), 0, 255, 255, 0);
    // Cubic weights overshoot on both sides.
    long[] values = run("Resize", mode("cubic", "half_pixel"), TensorType.of(DType.UINT8, 8), x, null, floats(2))
      .toLongArray();
    assertThat(values[0]).isZero();
    assertThat(values[3]).isEqualTo(255);
    var wide = TestTensors.ofLongs(DType.INT64, Shape.of(1), Long.MAX_VALUE);
    assertThat(run("Resize", Attributes.NONE, TensorType.of(DType.INT64, 2), wide, null, null, TestTensors.int64s(2))
      .toLongArray()).containsExactly(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  @Test
  void whatIsOutsideOfARegionIsExtrapolated() {
    Attributes crop = mode("linear", "tf_crop_and_resize").with("extrapolation_value", new AttributeValue.Real(9));
    assertThat(TestTensors.doubles(run("Resize", crop, TensorType.of(DType.FLOAT32, 3), floats(1, 2, 3), floats(0.5,
      1.5), null, TestTensors.int64s(3)))).containsExactly(2, 3, 9);
  }

  @Test
  void inputsSpreadOverWindows() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 2), 1, 2);
    var w = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3), 1, 10, 100);
    assertThat(TestTensors.doubles(run("ConvTranspose", Attributes.NONE, TensorType.of(DType.FLOAT32, 1, 1, 4), x, w,
      floats(0.5)))).containsExactly(1.5, 12.5, 120.5, 200.5);
    Attributes two = Attributes.NONE.with("strides", AttributeValue.Ints.of(2));
    assertThat(TestTensors.doubles(run("ConvTranspose", two, TensorType.of(DType.FLOAT32, 1, 1, 5), x, w)))
      .containsExactly(1, 10, 102, 20, 200);
    // Five elements are cut off: the larger half at the beginning, except for SAME_UPPER.
    assertThat(TestTensors.doubles(run("ConvTranspose", two.with("output_shape", AttributeValue.Ints.of(4)), TensorType
      .of(DType.FLOAT32, 1, 1, 4), x, w))).containsExactly(10, 102, 20, 200);
    assertThat(TestTensors.doubles(run("ConvTranspose", two.with("auto_pad", new AttributeValue.Text("SAME_UPPER")),
      TensorType.of(DType.FLOAT32, 1, 1, 4), x, w))).containsExactly(1, 10, 102, 20);
  }

  @Test
  void samplesBesideTheImage() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3), 1, 2, 3);
    var grid = TestTensors.of(DType.FLOAT32, Shape.of(1, 3, 1), -1, 0.5, 1.5);
    TensorType type = TensorType.of(DType.FLOAT32, 1, 1, 3);
    Attributes corners = Attributes.NONE.with("align_corners", 1);
    assertThat(TestTensors.doubles(run("GridSample", corners, type, x, grid))).containsExactly(1, 2.5, 1.5);
    assertThat(TestTensors.doubles(run("GridSample", corners.with("padding_mode", new AttributeValue.Text("border")),
      type, x, grid))).containsExactly(1, 2.5, 3);
    assertThat(TestTensors.doubles(run("GridSample", corners.with("padding_mode", new AttributeValue.Text(
      "reflection")), type, x, grid))).containsExactly(1, 2.5, 2.5);
    assertThat(TestTensors.doubles(run("GridSample", corners.with("mode", new AttributeValue.Text("nearest")), type, x,
      grid))).containsExactly(1, 3, 3);
  }

  @Test
  void regionsOfTheDefaultAreMovedByHalfAnElement() {
    var x = TestTensors.counting(DType.FLOAT32, Shape.of(1, 1, 4, 4));
    var region = TestTensors.of(DType.FLOAT32, Shape.of(1, 4), 1, 1, 3, 3);
    Attributes one = Attributes.NONE.with("sampling_ratio", 1);
    TensorType type = TensorType.of(DType.FLOAT32, 1, 1, 1, 1);
    assertThat(TestTensors.doubles(run("RoiAlign", one, type, x, region, TestTensors.int64s(0)))).containsExactly(
      new double[] {7.5}, NEAR);
    assertThat(TestTensors.doubles(run("RoiAlign", one.with("coordinate_transformation_mode", new AttributeValue.Text(
      "output_half_pixel")), type, x, region, TestTensors.int64s(0)))).containsExactly(new double[] {10}, NEAR);
    assertThatThrownBy(() -> run("RoiAlign", one, type, x, region, TestTensors.int64s(1))).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("index=1 extent=1");
  }

  @Test
  void theMiddleStaysInTheMiddle() {
    var x = TestTensors.ofLongs(DType.INT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    assertThat(run("CenterCropPad", Attributes.NONE, TensorType.of(DType.INT32, 3, 2), x, TestTensors.int64s(3, 2))
      .toLongArray()).containsExactly(1, 2, 4, 5, 0, 0);
    assertThat(run("MaxUnpool", Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(2)).with("strides",
      AttributeValue.Ints.of(2)), TensorType.of(DType.FLOAT32, 1, 1, 4),
      TestTensors.of(DType.FLOAT32, Shape.of(1, 1,
        2), 5, 6),
      TestTensors.ofLongs(DType.INT64, Shape.of(1, 1, 2), 1, 2)).doubleAt(2)).isEqualTo(6);
    assertThat(TestTensors.doubles(run("LpPool", Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(2)),
      TensorType.of(DType.FLOAT32, 1, 1, 1), TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 2), -3, 4))))
      .containsExactly(5);
  }

  @Test
  void aDeformedConvolutionMovesItsTaps() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3, 3), 0, 1, 2, 3, 4, 5, 6, 7, 8);
    TensorView w = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 1, 2), 1, 10);
    // The first tap is moved down by one and right by a half, the second one out of the image.
    TensorView offset = TestTensors.of(DType.FLOAT32, Shape.of(1, 4, 1, 1), 1, 0.5, 0, 9);
    Attributes strides = Attributes.NONE.with("strides", AttributeValue.Ints.of(3, 2));
    TensorType one = TensorType.of(DType.FLOAT32, 1, 1, 1, 1);
    assertThat(run("DeformConv", strides, one, x, w, offset).doubleAt(0)).isEqualTo(3.5);
    TensorView mask = TestTensors.of(DType.FLOAT32, Shape.of(1, 2, 1, 1), 2, 1);
    TensorView bias = TestTensors.of(DType.FLOAT32, Shape.of(1), 100);
    assertThat(run("DeformConv", strides, one, x, w, offset, bias, mask).doubleAt(0)).isEqualTo(107);
    TensorView none = TestTensors.of(DType.FLOAT32, Shape.of(1, 4, 1, 1), 0, 0, 0, 0);
    assertThat(run("DeformConv", strides, one, x, w, none).doubleAt(0)).isEqualTo(10);
  }

  @Test
  void binsOfARegionAreItsMaxima() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3, 3), 0, 1, 2, 3, 4, 5, 6, 7, 8);
    TensorView regions = TestTensors.of(DType.FLOAT32, Shape.of(2, 5), 0, 0, 0, 2, 2, 0, 1, 1, 9, 1);
    Attributes two = Attributes.NONE.with("pooled_shape", AttributeValue.Ints.of(1, 2));
    TensorView y = run("MaxRoiPool", two, TensorType.of(DType.FLOAT32, 2, 1, 1, 2), x, regions);
    assertThat(TestTensors.doubles(y)).containsExactly(7, 8, 5, 0);
    TensorView beyond = TestTensors.of(DType.FLOAT32, Shape.of(1, 5), 1, 0, 0, 2, 2);
    assertThatThrownBy(() -> run("MaxRoiPool", two, TensorType.of(DType.FLOAT32, 1, 1, 1, 2), x, beyond))
      .hasMessageContaining("a region names an image outside the batch: region=0 image=1 images=1");
  }

  @Test
  void transposedConvolutionsAreTheirTwins() {
    var random = new SplittableRandom(5);
    for (int round = 0; round < rounds(20); round++) {
      int rank = 1 + random.nextInt(3);
      int groups = 1 + random.nextInt(2);
      long[] x = random.longs(rank + 2, 1, rank == 1 ? 40 : 7).toArray();
      long[] w = random.longs(rank + 2, 1, 4).toArray();
      x[1] = w[0] = groups * (1L + random.nextInt(3));
      Attributes attributes = Attributes.NONE.with("group", groups).with("strides", AttributeValue.Ints.of(random.longs(
        rank, 1, 4).toArray())).with("dilations", AttributeValue.Ints.of(random.longs(rank, 1, 3).toArray()));
      var inputs = new TensorView[] {TestTensors.random(DType.FLOAT32, Shape.of(x), random), TestTensors.random(
        DType.FLOAT32, Shape.of(w), random), TestTensors.random(DType.FLOAT32, Shape.of(groups * w[1]), random)};
      Shape y = TransposedWindow.of(attributes, Shape.of(x), Shape.of(w)).outputShape(x[0], groups * w[1]);
      KernelRunner.checkTwins(ConvolutionKernels.ROWS, "ConvTranspose", attributes,
        List.of(new TensorType(DType.FLOAT32,
          y)),
        64, inputs);
    }
  }

  /** Windows of 2x2 that lie side by side, and windows that nearly do. */
  @Test
  void pairedTapsAreTheirTwin() {
    var random = new SplittableRandom(22);
    Attributes two = Attributes.NONE.with("strides", AttributeValue.Ints.of(2, 2));
    List<Attributes> all = List.of(two, two.with("group", 3), two.with("auto_pad", new AttributeValue.Text(
      "SAME_UPPER")), two.with("pads", AttributeValue.Ints.of(1, 0, 0, 1)), two.with("output_padding",
        AttributeValue.Ints.of(1, 0)),
      two.with("dilations", AttributeValue.Ints.of(1, 2)));
    for (Attributes attributes : all) {
      for (int width : some(1, 2, 7, 8, 9, 15, 16, 17, 40, 48)) {
        long groups = attributes.getInt("group", 1);
        Shape x = Shape.of(2, 3 * groups, 3, width);
        Shape w = Shape.of(3 * groups, 2, 2, 2);
        Shape y = TransposedWindow.of(attributes, x, w).outputShape(2, 2 * groups);
        TensorView image = TestTensors.random(DType.FLOAT32, x, random);
        TensorView weights = TestTensors.random(DType.FLOAT32, w, random);
        TensorType type = new TensorType(DType.FLOAT32, y);
        KernelRunner.checkTwins(ConvolutionKernels.ROWS, "ConvTranspose", attributes, List.of(type), 16, image,
          weights);
        KernelRunner.checkTwins(ConvolutionKernels.ROWS, "ConvTranspose", attributes, List.of(type), 16, image,
          weights, TestTensors.random(DType.FLOAT32, Shape.of(2 * groups), random));
      }
    }
  }
}
