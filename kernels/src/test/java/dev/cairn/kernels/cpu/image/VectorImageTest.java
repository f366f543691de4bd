package dev.cairn.kernels.cpu.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.row.ImageKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The vector kernels that sample images compute what the portable ones do. */
class VectorImageTest {
  private final Random random = new Random(7);

  private static Attributes with(String name, String value) {
    return Attributes.NONE.with(name, new AttributeValue.Text(value));
  }

  private void checkResize(Attributes attributes, Shape shape, double... scales) {
    TensorView x = TestTensors.random(DType.FLOAT32, shape, random);
    TensorView factors = TestTensors.of(DType.FLOAT32, Shape.of(scales.length), scales);
    ResizeAxis[] axes = ResizeAxis.of(attributes, shape, null, factors, null);
    var output = new TensorType(DType.FLOAT32, Shape.of(Arrays.stream(axes).mapToLong(ResizeAxis::output).toArray()));
    List<KernelRow> rows = new KernelRunner(ImageKernels.ROWS, 1).serving("Resize", KernelRunner.signature(attributes,
      List.of(output), x, null, factors));
    assertThat(rows).extracting(KernelRow::twin).contains(Twin.VECTOR);
    KernelRunner.checkTwins(ImageKernels.ROWS, "Resize", attributes, List.of(output), 16, x, null, factors);
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "cubic", "nearest"})
  void resizesAxesOfAnyLength(String mode) {
    for (long width : new long[] {1, 2, 7, 16, 17, 33}) {
      checkResize(with("mode", mode), Shape.of(2, 3, 5, width), 1, 1, 2, 2);
      checkResize(with("mode", mode), Shape.of(1, 2, 9, width), 1, 1, 0.6, 1.7);
      checkResize(with("mode", mode), Shape.of(2, 4, width, 3), 1, 2.5, 1.5, 1);
    }
    checkResize(with("mode", mode), Shape.of(2, 5, 4, 37), 1, 2, 1.5, 1);
    checkResize(with("mode", mode), Shape.of(2, 5, 4, 7), 1, 2, 1, 1);
    checkResize(with("mode", mode), Shape.of(2, 3, 4, 2, 7), 1, 2, 1, 3, 1);
    checkResize(with("mode", mode), Shape.of(5, 3), 1, 1);
    checkResize(with("mode", mode), Shape.of(2, 1, 3, 4, 5), 1, 1, 2, 1.5, 3);
    checkResize(with("mode", mode), Shape.of(0, 3, 4), 1, 1, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"half_pixel", "pytorch_half_pixel", "half_pixel_symmetric", "asymmetric", "align_corners",
    "tf_half_pixel_for_nn"})
  void resizesByEveryRule(String rule) {
    Attributes attributes = Attributes.NONE.with("coordinate_transformation_mode", new AttributeValue.Text(rule));
    for (String mode : List.of("linear", "cubic", "nearest")) {
      Attributes all = attributes.with("mode", new AttributeValue.Text(mode));
      checkResize(all, Shape.of(1, 1, 20, 19), 1, 1, 0.5, 1.3);
      if (!mode.equals("nearest")) {
        checkResize(all.with("antialias", 1), Shape.of(1, 1, 20, 19), 1, 1, 0.3, 0.7);
        checkResize(all.with("exclude_outside", 1), Shape.of(1, 1, 20, 19), 1, 1, 2, 0.7);
      }
    }
  }

  /** Junk, infinities and numbers that are none stay as they are. */
  @Test
  void nearestMovesBits() {
    TensorView x = TestTensors.randomBits(DType.FLOAT32, Shape.of(1, 1, 3, 40), random);
    TensorView scales = TestTensors.of(DType.FLOAT32, Shape.of(4), 1, 1, 2, 1);
    TensorType output = TensorType.of(DType.FLOAT32, 1, 1, 6, 40);
    try (var runner = new KernelRunner(ImageKernels.ROWS, 1)) {
      TensorView y = runner.run("Resize", with("mode", "nearest"), output, x, null, scales);
      for (int row = 0; row < 6; row++) {
        KernelRunner.checkNumbers("row " + row, new TensorView(TensorType.of(DType.FLOAT32, 40), x.segment().asSlice(
          row / 2 * 160L, 160)), new TensorView(TensorType.of(DType.FLOAT32, 40),
            y.segment().asSlice(row * 160L,
              160)));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"linear,zeros", "linear,border", "linear,reflection", "cubic,zeros", "cubic,border", "cubic,reflection",
    "nearest,zeros", "nearest,border", "nearest,reflection"})
  void samplesGrids(String mode, String padding) {
    Attributes attributes = with("mode", mode).with("padding_mode", new AttributeValue.Text(padding));
    for (int align = 0; align < 2; align++) {
      for (long width : new long[] {1, 3, 16, 37}) {
        TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(2, 3, 5, 6), random);
        TensorView grid = TestTensors.random(DType.FLOAT32, Shape.of(2, 4, width, 2), random);
        KernelRunner.checkTwins(ImageKernels.ROWS, "GridSample", attributes.with("align_corners", align), List.of(
          TensorType.of(DType.FLOAT32, 2, 3, 4, width)), 16, x, grid);
      }
    }
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(1, 2, 3, 4, 5), random);
    TensorView grid = TestTensors.random(DType.FLOAT32, Shape.of(1, 3, 7, 2, 3), random);
    KernelRunner.checkTwins(ImageKernels.ROWS, "GridSample", attributes, List.of(TensorType.of(DType.FLOAT32, 1, 2, 3,
      7, 2)), 64, x, grid);
  }

  /** What lies outside the image adds nothing, even beside infinite elements. */
  @Test
  void zerosOutsideAddNothing() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 1, 2), Double.POSITIVE_INFINITY, 1);
    TensorView grid = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 2, 2), 3, 3, 0.5, 0);
    List<TensorView> truth = KernelRunner.checkTwins(ImageKernels.ROWS, "GridSample", Attributes.NONE, List.of(
      TensorType.of(DType.FLOAT32, 1, 1, 1, 2)), 4, x, grid);
    assertThat(truth.getFirst().doubleAt(0)).isZero();
  }
}
