package dev.cairn.kernels.cpu.pool;

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
import org.junit.jupiter.params.provider.ValueSource;

class PoolTest implements Rounds {
  private final Random random = new Random(17);

  private static Attributes kernel(long... values) {
    return Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(values));
  }

  private static AttributeValue ints(long... values) {
    return AttributeValue.Ints.of(values);
  }

  private static TensorView pool(String operator, Attributes attributes, TensorView x) {
    Shape output = SlidingWindow.ofPool(attributes, x.shape()).outputShape(x.shape().extent(0), x.shape().extent(1));
    return KernelRunner.checkTwins(PoolKernels.ROWS, operator, attributes,
      List.of(new TensorType(x.dtype(), output)), 64, x).getFirst();
  }

  private static List<TensorView> indexedPool(Attributes attributes, TensorView x) {
    Shape output = SlidingWindow.ofPool(attributes, x.shape()).outputShape(x.shape().extent(0), x.shape().extent(1));
    return KernelRunner.checkTwins(PoolKernels.ROWS, "MaxPool", attributes,
      List.of(new TensorType(x.dtype(), output), new TensorType(DType.INT64, output)), 1, x);
  }

  /** Compares both operators with a search over all taps. */
  private void check(Attributes attributes, DType dtype, Shape input) {
    TensorView x = random(dtype, input, random);
    SlidingWindow window = SlidingWindow.ofPool(attributes, input);
    var reference = new WindowReference(window, input);
    int plane = (int) input.elementCount(2, input.rank());
    double[] best = new double[(int) input.elementCount(0, 2) * reference.outputs()];
    double[] mean = new double[best.length];
    double least = dtype == DType.UINT8 ? 0 : dtype == DType.INT8 ? -128 : Double.NEGATIVE_INFINITY;
    for (int i = 0; i < best.length; i++) {
      long from = (long) i / reference.outputs() * plane;
      double[] state = {least, 0, 0};
      reference.forTaps(i % reference.outputs(), (tap, position) -> {
        if (position >= 0) {
          state[0] = Math.max(state[0], x.doubleAt(from + position));
          state[1] += x.doubleAt(from + position);
          state[2]++;
        }
      });
      best[i] = state[0];
      mean[i] = state[2] == 0 ? 0 : state[1] / state[2];
    }
    Tolerance.of(dtype, 1).check("MaxPool" + attributes, best, pool("MaxPool", attributes, x));
    if (dtype.isFloat()) {
      Tolerance.of(dtype, 64).check("AveragePool" + attributes, mean, pool("AveragePool", attributes, x));
    }
  }

  @Test
  void takesTheLargestByHandAndSaysWhereItIs() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 2, 2, 3), 1, 5, 5, 9, 2, 3, -1, -2, -3, -4, -5, -6);
    List<TensorView> both = indexedPool(kernel(2, 2), x);
    assertArrayEquals(new double[] {9, 5, -1, -2}, TestTensors.doubles(both.get(0)));
    assertArrayEquals(new long[] {3, 1, 6, 7}, both.get(1).toLongArray());
    List<TensorView> turned = indexedPool(kernel(2, 2).with("storage_order", 1), x);
    assertArrayEquals(new long[] {1, 2, 6, 8}, turned.get(1).toLongArray());
  }

  @Test
  void averagesByHandWithAndWithoutThePadding() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 2, 2), 4, 8, 12, 16);
    Attributes padded = kernel(2, 2).with("pads", ints(1, 1, 0, 0));
    assertArrayEquals(new double[] {4, 6, 8, 10}, TestTensors.doubles(pool("AveragePool", padded, x)));
    assertArrayEquals(new double[] {1, 3, 4, 10},
      TestTensors.doubles(pool("AveragePool", padded.with("count_include_pad", 1), x)));
  }

  @Test
  void tapsBeyondTheEndPaddingNeverCount() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 4), 3, 6, 9, 12);
    Attributes up = kernel(3).with("strides", ints(3)).with("ceil_mode", 1);
    assertArrayEquals(new double[] {6, 12}, TestTensors.doubles(pool("AveragePool", up, x)));
    Attributes counted = up.with("pads", ints(0, 1)).with("count_include_pad", 1);
    assertArrayEquals(new double[] {6, 6}, TestTensors.doubles(pool("AveragePool", counted, x)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 257})
  void agreesOverAwkwardWidths(int width) {
    check(kernel(3, 1).with("pads", ints(1, 0, 1, 0)), DType.FLOAT32, Shape.of(2, 3, 5, width));
    check(kernel(1, 3).with("pads", ints(0, 1, 0, 1)).with("strides", ints(2, 2)), DType.FLOAT32,
      Shape.of(1, 3, 5, width));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16", "INT8", "UINT8"})
  void agreesForRandomWindows(DType dtype) {
    for (int round = 0; round < rounds(60); round++) {
      Attributes attributes = kernel(1 + random.nextInt(4), 1 + random.nextInt(4))
        .with("strides", ints(1 + random.nextInt(3), 1 + random.nextInt(3)))
        .with("dilations", ints(1 + random.nextInt(2), 1 + random.nextInt(3)))
        .with("pads", ints(random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3)))
        .with("ceil_mode", random.nextInt(2));
      check(attributes, dtype, Shape.of(1 + random.nextInt(2), 2, 7 + random.nextInt(9), 10 + random.nextInt(30)));
    }
  }

  @Test
  void agreesForSignalsAndVolumes() {
    check(kernel(3).with("strides", ints(2)).with("pads", ints(1, 1)), DType.FLOAT32, Shape.of(2, 3, 40));
    check(kernel(2, 3, 2).with("strides", ints(2, 1, 2)), DType.FLOAT32, Shape.of(2, 2, 5, 6, 7));
  }

  @Test
  void aWindowLargerThanTheInputByLessThanAStrideIsOneWhenRoundingUp() {
    Attributes up = kernel(5, 3).with("strides", ints(3, 2)).with("ceil_mode", 1);
    check(up, DType.FLOAT32, Shape.of(1, 2, 3, 2));
    check(up.with("pads", ints(1, 0, 0, 0)), DType.FLOAT64, Shape.of(1, 2, 2, 2));
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3), 3, 6, 9);
    Attributes counted = kernel(5).with("strides", ints(3)).with("ceil_mode", 1).with("count_include_pad", 1);
    assertArrayEquals(new double[] {6}, TestTensors.doubles(pool("AveragePool", counted, x)));
    Attributes tooLarge = kernel(6).with("strides", ints(3)).with("ceil_mode", 1);
    assertThrows(IllegalArgumentException.class, () -> SlidingWindow.ofPool(tooLarge, x.shape()));
    assertThrows(IllegalArgumentException.class,
      () -> SlidingWindow.ofPool(kernel(5).with("strides", ints(3)), x.shape()));
  }

  /** The input decides how much work it is, and no product of a window's extents need fit an int. */
  @Test
  void windowsMayBeFarLargerThanTheInput() {
    double[] values = new double[64];
    Arrays.setAll(values, i -> i + 1);
    TensorView cube = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 4, 4, 4), values);
    Attributes same = kernel(1 << 20, 1 << 20, 1 << 20).with("auto_pad", new AttributeValue.Text("SAME_UPPER"));
    double[] means = new double[64];
    Arrays.fill(means, 32.5);
    assertArrayEquals(means, TestTensors.doubles(pool("AveragePool", same, cube)));
    Arrays.fill(means, 64);
    assertArrayEquals(means, TestTensors.doubles(pool("MaxPool", same, cube)));
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
      TensorView image = TestTensors.of(dtype, Shape.of(1, 1, 2, 2), 0x1p32, 0x1p33, 0x1p34, 0x1p32);
      Attributes counted = kernel(65536, 65536).with("pads", ints(65535, 65535, 65535, 65535)).with("strides", ints(
        65536, 65536)).with("count_include_pad", 1);
      assertArrayEquals(new double[] {1, 2, 4, 1}, TestTensors.doubles(pool("AveragePool", counted, image)));
      Attributes dilated = kernel(2, 2).with("dilations", ints(1 << 30, 1 << 30)).with("pads", ints(0, 0, 1 << 30,
        1 << 30));
      assertArrayEquals(TestTensors.doubles(image), TestTensors.doubles(pool("MaxPool", dilated, image)));
    }
    assertThrows(IllegalArgumentException.class,
      () -> SlidingWindow.ofPool(kernel(Integer.MAX_VALUE).with("dilations", ints(
        Integer.MAX_VALUE)).with("auto_pad", new AttributeValue.Text("SAME_UPPER")), Shape.of(1, 1, 4)));
  }

  @Test
  void largePlanesAreTakenInBands() {
    check(kernel(3, 3).with("strides", ints(2, 2)).with("pads", ints(1, 1, 1, 1)), DType.FLOAT32,
      Shape.of(1, 2, 250, 260));
    check(kernel(2, 2), DType.FLOAT32, Shape.of(1, 1, 3, 9_000));
  }

  @Test
  void includingThePaddingAgreesBetweenTwins() {
    for (int round = 0; round < rounds(60); round++) {
      Attributes attributes = kernel(1 + random.nextInt(4), 1 + random.nextInt(4)).with("count_include_pad", 1)
        .with("strides", ints(1 + random.nextInt(3), 1 + random.nextInt(3)))
        .with("dilations", ints(1 + random.nextInt(2), 1 + random.nextInt(2)))
        .with("pads", ints(random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3)))
        .with("ceil_mode", random.nextInt(2));
      pool("AveragePool", attributes, random(DType.FLOAT32, Shape.of(1, 2, 9, 20), random));
    }
  }

  @Test
  void aNotANumberIsTheMaximum() {
    TensorView x = counting(DType.FLOAT32, Shape.of(1, 1, 4, 20));
    TestTensors.set(x, 25, Double.NaN);
    TestTensors.set(x, 50, Double.POSITIVE_INFINITY);
    TestTensors.set(x, 70, Double.NEGATIVE_INFINITY);
    pool("MaxPool", kernel(2, 2), x);
    assertArrayEquals(new long[] {25}, indexedPool(kernel(4, 20), x).get(1).toLongArray());
    TensorView max = global("GlobalMaxPool", x);
    assertArrayEquals(new double[] {Double.NaN}, TestTensors.doubles(max));
  }

  @Test
  void windowsOfPaddingAloneHaveTheLeastValueAndNoIndex() {
    TensorView x = counting(DType.INT8, Shape.of(1, 1, 1));
    List<TensorView> both = indexedPool(kernel(1).with("pads", ints(1, 0)), x);
    assertArrayEquals(new long[] {-128, 0}, both.get(0).toLongArray());
    assertArrayEquals(new long[] {-1, 0}, both.get(1).toLongArray());
    check(kernel(2, 2).with("pads", ints(3, 3, 3, 3)), DType.FLOAT32, Shape.of(1, 2, 3, 4));
  }

  private static TensorView global(String operator, TensorView x) {
    long[] shape = x.shape().extents();
    for (int axis = 2; axis < shape.length; axis++) {
      shape[axis] = 1;
    }
    return KernelRunner.checkTwins(PoolKernels.ROWS, operator, Attributes.NONE,
      List.of(TensorType.of(x.dtype(), shape)), x.shape().elementCount(2, shape.length), x).getFirst();
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16"})
  void globalPoolsReduceWholeChannels(DType dtype) {
    for (long count : new long[] {1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 4097}) {
      TensorView x = random(dtype, Shape.of(2, 3, count), random);
      double[] mean = new double[6];
      double[] max = new double[6];
      Arrays.fill(max, Double.NEGATIVE_INFINITY);
      for (int i = 0; i < 6 * count; i++) {
        mean[(int) (i / count)] += x.doubleAt(i) / count;
        max[(int) (i / count)] = Math.max(max[(int) (i / count)], x.doubleAt(i));
      }
      Tolerance.of(dtype, count).check("mean", mean, global("GlobalAveragePool", x));
      Tolerance.of(dtype, 1).check("max", max, global("GlobalMaxPool", x));
    }
    global("GlobalAveragePool", random(dtype, Shape.of(2, 3, 4, 5, 6), random));
  }

  @Test
  void aWindowMustHaveAKernel() {
    assertThrows(IllegalArgumentException.class, () -> SlidingWindow.ofPool(Attributes.NONE, Shape.of(1, 1, 4)));
  }
}
