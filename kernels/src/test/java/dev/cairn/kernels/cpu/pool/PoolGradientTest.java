package dev.cairn.kernels.cpu.pool;

import static dev.cairn.kernels.TestTensors.random;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.WindowReference;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.row.PoolKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gradients of pools in all twins, against a search over every tap of every window. */
class PoolGradientTest implements Rounds {
  private final Random random = new Random(43);

  private static AttributeValue ints(long... values) {
    return AttributeValue.Ints.of(values);
  }

  private static Attributes kernel(long... values) {
    return Attributes.NONE.with("kernel_shape", ints(values));
  }

  private static Shape pooled(Attributes attributes, Shape input) {
    return SlidingWindow.ofPool(attributes, input).outputShape(input.extent(0), input.extent(1));
  }

  private static TensorView maxGradient(Attributes attributes, TensorView x, TensorView h) {
    TensorView y = KernelRunner.checkTwins(PoolKernels.ROWS, "MaxPool", attributes, List.of(h.type()), 1, x).getFirst();
    return KernelRunner.checkTwins(PoolKernels.ROWS, "MaxPoolGradient", attributes, List.of(x.type()), 64, x, y, h)
      .getFirst();
  }

  private static TensorView averageGradient(Attributes attributes, Shape input, TensorView h) {
    long[] spatial = Arrays.copyOfRange(input.extents(), 2, input.rank());
    return KernelRunner.checkTwins(PoolKernels.ROWS, "AveragePoolGradient", attributes.with("output_shape", ints(
      spatial)), List.of(new TensorType(h.dtype(), input)), 64, h).getFirst();
  }

  /** A few different numbers only, so that windows have equal elements; NaN and infinities among them. */
  private TensorView withTies(DType dtype, Shape shape) {
    TensorView x = random(dtype, shape, random);
    double[] few = {-1, 0, 0.5, 2, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
    for (long i = 0; i < x.elementCount(); i++) {
      int which = random.nextInt(60);
      TestTensors.set(x, i, few[which < few.length ? which : which % 4]);
    }
    return x;
  }

  private void check(Attributes attributes, DType dtype, Shape input) {
    TensorView x = random.nextBoolean() ? random(dtype, input, random) : withTies(dtype, input);
    TensorView h = random(dtype, pooled(attributes, input), random);
    Tolerance tolerance = Tolerance.of(dtype, 64);
    tolerance.check("MaxPoolGradient" + attributes, maxima(attributes, x, h), maxGradient(attributes, x, h));
    for (int counted = 0; counted < 2; counted++) {
      Attributes all = attributes.with("count_include_pad", counted);
      tolerance.check("AveragePoolGradient" + all, averages(all, input, h), averageGradient(all, input, h));
    }
  }

  private static double[] maxima(Attributes attributes, TensorView x, TensorView h) {
    var walk = new WindowReference(SlidingWindow.ofPool(attributes, x.shape()), x.shape());
    int plane = (int) x.shape().elementCount(2, x.shape().rank());
    double[] sums = new double[(int) x.elementCount()];
    for (int i = 0; i < h.elementCount(); i++) {
      int from = i / walk.outputs() * plane;
      int[] best = {-1};
      walk.forTaps(i % walk.outputs(), (tap, position) -> {
        // Double.compare has NaN above all; -0 and 0 are equal here.
        if (position >= 0 && (best[0] < 0 || Double.compare(x.doubleAt(from + position) + 0.0, x.doubleAt(best[0])
          + 0.0) > 0)) {
          best[0] = from + position;
        }
      });
      if (best[0] >= 0) {
        sums[best[0]] += h.doubleAt(i);
      }
    }
    return sums;
  }

  private static double[] averages(Attributes attributes, Shape input, TensorView h) {
    SlidingWindow window = SlidingWindow.ofPool(attributes, input);
    var walk = new WindowReference(window, input);
    int plane = (int) input.elementCount(2, input.rank());
    double[] sums = new double[(int) input.elementCount()];
    for (int i = 0; i < h.elementCount(); i++) {
      int[] at = new int[window.rank()];
      int rest = i % walk.outputs();
      double divisor = 1;
      for (int axis = window.rank() - 1; axis >= 0; axis--) {
        at[axis] = rest % window.outputExtent(axis);
        rest /= window.outputExtent(axis);
        divisor *= PoolWindow.counted(window, axis, at[axis], (int) input.extent(axis + 2), attributes.getFlag(
          "count_include_pad", false));
      }
      int from = i / walk.outputs() * plane;
      double share = h.doubleAt(i) / divisor;
      walk.forTaps(i % walk.outputs(), (tap, position) -> {
        if (position >= 0) {
          sums[from + position] += share;
        }
      });
    }
    return sums;
  }

  @Test
  void theFirstOfEqualElementsGetsTheGradientOfEachWindowByHand() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 5), 1, 3, 3, 2, Double.NaN);
    TensorView h = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 4), 1, 10, 100, 1000);
    assertArrayEquals(new double[] {0, 11, 100, 0, 1000}, TestTensors.doubles(maxGradient(kernel(2), x, h)));
  }

  @Test
  void averagesShareByHand() {
    TensorView h = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3), 2, 4, 8);
    Attributes padded = kernel(2).with("pads", ints(1, 1));
    assertArrayEquals(new double[] {4, 10}, TestTensors.doubles(averageGradient(padded, Shape.of(1, 1, 2), h)));
    assertArrayEquals(new double[] {3, 6},
      TestTensors.doubles(averageGradient(padded.with("count_include_pad", 1), Shape
        .of(1, 1, 2), h)));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16"})
  void agreesForRandomWindows(DType dtype) {
    for (int round = 0; round < rounds(40); round++) {
      Attributes attributes = kernel(1 + random.nextInt(4), 1 + random.nextInt(4))
        .with("strides", ints(1 + random.nextInt(3), 1 + random.nextInt(3)))
        .with("dilations", ints(1 + random.nextInt(2), 1 + random.nextInt(3)))
        .with("pads", ints(random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3)))
        .with("ceil_mode", random.nextInt(2));
      check(attributes, dtype, Shape.of(1 + random.nextInt(2), 2, 7 + random.nextInt(9), 10 + random.nextInt(20)));
    }
  }

  @Test
  void agreesForWindowsOfRealNetworks() {
    check(kernel(2, 2).with("strides", ints(2, 2)), DType.FLOAT32, Shape.of(3, 5, 24, 24));
    check(kernel(3, 3).with("strides", ints(2, 2)).with("pads", ints(1, 1, 1, 1)), DType.FLOAT32, Shape.of(2, 3, 28,
      28));
    check(kernel(3, 3).with("strides", ints(1, 1)).with("auto_pad", new AttributeValue.Text("SAME_LOWER")),
      DType.FLOAT32, Shape.of(2, 3, 9, 13));
  }

  @Test
  void agreesForSignalsAndVolumes() {
    check(kernel(3).with("strides", ints(2)).with("pads", ints(1, 1)), DType.FLOAT32, Shape.of(2, 3, 40));
    check(kernel(2, 3, 2).with("strides", ints(2, 1, 2)), DType.FLOAT32, Shape.of(2, 2, 5, 6, 7));
  }

  @Test
  void windowsMayBeLargerThanTheInputOrThereMayBeNone() {
    check(kernel(5, 3).with("strides", ints(3, 2)).with("ceil_mode", 1), DType.FLOAT32, Shape.of(1, 2, 3, 2));
    check(kernel(40, 40).with("auto_pad", new AttributeValue.Text("SAME_UPPER")), DType.FLOAT32,
      Shape.of(1, 2, 3, 4));
    check(kernel(2, 2).with("pads", ints(5, 5, 5, 5)), DType.FLOAT32, Shape.of(1, 1, 3, 3));
    check(kernel(2, 2), DType.FLOAT32, Shape.of(0, 3, 4, 4));
  }
}
