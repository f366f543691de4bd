package dev.cairn.kernels.cpu.quantized;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.row.QuantizedKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The vector kernels of quantised operators have the portable ones' bits. */
class VectorQuantizedTest implements Rounds {
  private static final TensorType SINGLE = new TensorType(DType.FLOAT32, Shape.SCALAR);

  private final Random random = new Random(6);

  private static void check(String operator, Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    try (var alone = new KernelRunner(QuantizedKernels.ROWS, 1);
      var team = new KernelRunner(QuantizedKernels.ROWS, 3)) {
      List<KernelRow> rows = alone.serving(operator, KernelRunner.signature(attributes, outputs, inputs));
      assertThat(rows).extracting(KernelRow::twin).containsExactly(Twin.VECTOR, Twin.PORTABLE);
      List<TensorView> truth = alone.runRow(rows.get(1), attributes, outputs, inputs);
      for (int i = 0; i < truth.size(); i++) {
        KernelRunner.checkNumbers(operator, truth.get(i),
          alone.runRow(rows.getFirst(), attributes, outputs, inputs).get(
            i));
        KernelRunner.checkNumbers(operator, truth.get(i), team.runRow(rows.getFirst(), attributes, outputs, inputs).get(
          i));
      }
    }
  }

  private TensorView bytes(DType dtype, long... extents) {
    return TestTensors.randomBits(dtype, Shape.of(extents), random);
  }

  private TensorView scales(long count) {
    return TestTensors.scales(count, random);
  }

  private DType type() {
    return random.nextBoolean() ? DType.INT8 : DType.UINT8;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 8, 15, 16, 17, 31, 33, 1000, 40_000})
  void quantizes(int count) {
    TensorView any = TestTensors.randomBits(DType.FLOAT32, Shape.of(count), random);
    TensorView usual = TestTensors.random(DType.FLOAT32, Shape.of(count), random);
    for (TensorView x : List.of(any, usual)) {
      check("QuantizeLinear", Attributes.NONE, List.of(TensorType.of(DType.INT8, count)), x, scales(1), bytes(
        DType.INT8, 1));
      check("QuantizeLinear", Attributes.NONE, List.of(TensorType.of(DType.UINT8, count)), x, scales(1));
      check("DynamicQuantizeLinear", Attributes.NONE, List.of(TensorType.of(DType.UINT8, count), SINGLE, SINGLE
        .withDType(DType.UINT8)), x);
    }
    check("DequantizeLinear", Attributes.NONE, List.of(TensorType.of(DType.FLOAT32, count)), bytes(DType.UINT8, count),
      scales(1), bytes(DType.UINT8, 1));
    check("DequantizeLinear", Attributes.NONE.with("axis", 0), List.of(TensorType.of(DType.FLOAT32, 3, count + 2)),
      bytes(
        DType.INT8, 3, count + 2),
      scales(3));
  }

  /** A single line whose elements have scales of their own is not one for the kernel of one scale. */
  @Test
  void scalesOfSingleElementsAreLeftToThePortableKernel() {
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(1, 7), random);
    for (Attributes attributes : List.of(Attributes.NONE.with("axis", 1), Attributes.NONE.with("axis", 0).with(
      "block_size", 3))) {
      TensorView scales = scales(7);
      TensorView given = attributes.has("block_size") ? scales.reshaped(Shape.of(1, 7)) : scales;
      try (var runner = new KernelRunner(QuantizedKernels.ROWS, 1)) {
        List<TensorType> outputs = List.of(TensorType.of(DType.UINT8, 1, 7));
        assertThat(runner.serving("QuantizeLinear", KernelRunner.signature(attributes, outputs, x, given))).extracting(
          KernelRow::twin).containsExactly(Twin.PORTABLE);
      }
    }
  }

  /** Of one shape, along rows, along columns, single numbers, both ways at once. */
  @ParameterizedTest
  @ValueSource(strings = {"40000;40000", "2,3,37;37", "37;2,3,37", "2,5,33;2,5,1", "7;1", "1;1", "3,1,20;1,4,20",
    "3,1;1,70", "0,3;3"})
  void combines(String text) {
    String[] shapes = text.split(";", -1);
    long[] left = List.of(shapes[0].split(",", -1)).stream().mapToLong(Long::parseLong).toArray();
    long[] right = List.of(shapes[1].split(",", -1)).stream().mapToLong(Long::parseLong).toArray();
    Shape y = Shape.of(left).broadcastWith(Shape.of(right));
    for (String operator : List.of("QLinearAdd", "QLinearMul")) {
      for (DType result : List.of(DType.INT8, DType.UINT8)) {
        DType one = type();
        DType other = type();
        check(operator, Attributes.NONE, List.of(new TensorType(result, y)), bytes(one, left), scales(1), bytes(one, 1),
          bytes(other, right), scales(1), bytes(other, 1), scales(1), bytes(result, 1));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 15, 16, 33, 700, 70_000})
  void averages(int count) {
    for (DType dtype : List.of(DType.INT8, DType.UINT8)) {
      check("QLinearGlobalAveragePool", Attributes.NONE, List.of(TensorType.of(DType.UINT8, 2, 3, 1)), bytes(dtype, 2,
        3, count), scales(1), bytes(dtype, 1), scales(1), bytes(DType.UINT8, 1));
    }
  }

  @Test
  void numbersHalfWayBetweenTwoGoToTheEvenOne() {
    TensorView x = TestTensors.zeros(TensorType.of(DType.FLOAT32, 1200));
    for (int i = 0; i < 1200; i++) {
      TestTensors.set(x, i, i / 2.0 - 300);
    }
    TensorView one = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 1);
    for (int zero : new int[] {-128, -1, 0, 127}) {
      check("QuantizeLinear", Attributes.NONE, List.of(TensorType.of(DType.INT8, 1200)), x, one, TestTensors.ofLongs(
        DType.INT8, Shape.SCALAR, zero));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1x1", "2x3x4", "7x256x33", "13x257x16", "65x700x31", "1x300x100", "30x512x65"})
  void multiplies(String text) {
    String[] extents = text.split("x", -1);
    int rows = Integer.parseInt(extents[0]);
    int depth = Integer.parseInt(extents[1]);
    int columns = Integer.parseInt(extents[2]);
    DType left = type();
    DType right = type();
    TensorView a = bytes(left, 2, rows, depth);
    TensorView b = bytes(right, depth, columns);
    TensorView az = bytes(left, 1);
    TensorView bz = bytes(right, columns);
    check("MatMulInteger", Attributes.NONE, List.of(TensorType.of(DType.INT32, 2, rows, columns)), a, b, az, bz);
    check("MatMulInteger", Attributes.NONE, List.of(TensorType.of(DType.INT32, 2, rows, columns)), a, bytes(right, 2,
      depth, columns));
    TensorType real = TensorType.of(DType.FLOAT32, 2, rows, columns);
    check("MatMulIntegerToFloat", Attributes.NONE, List.of(real), a, b, scales(1), scales(columns), az, bz, scales(
      columns));
    check("MatMulIntegerToFloat", Attributes.NONE, List.of(real), a, b, scales(1), scales(1), az);
    TensorView bias = TestTensors.random(DType.INT32, Shape.of(columns), random);
    TensorView scale = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 3);
    for (DType result : List.of(DType.INT8, DType.UINT8)) {
      check("QLinearMatMul", Attributes.NONE, List.of(real.withDType(result)), a, scales(1), az, b, scales(columns), bz,
        scale, bytes(result, 1), bias);
    }
  }

  @Test
  void sumsOfTheLargestProductsAreExact() {
    int rows = rounds(9);
    TensorView a = TestTensors.zeros(TensorType.of(DType.UINT8, rows, 70_000));
    a.segment().fill((byte) 255);
    TensorView b = TestTensors.zeros(TensorType.of(DType.UINT8, 70_000, 18));
    b.segment().fill((byte) 255);
    check("MatMulInteger", Attributes.NONE, List.of(TensorType.of(DType.INT32, rows, 18)), a, b);
  }

  /** Shallow, deep, one channel each, and a signal. */
  @ParameterizedTest
  @ValueSource(strings = {"5,1,3,9,11", "40,1,3,9,11", "6,6,3,14,15", "32,2,1,8,8", "70,1,1,5,0", "20,1,3,19,0"})
  void convolves(String text) {
    int[] numbers = List.of(text.split(",", -1)).stream().mapToInt(Integer::parseInt).toArray();
    boolean isImage = numbers[4] > 0;
    long channels = numbers[0];
    long groups = numbers[1];
    long taps = numbers[2];
    Shape x = isImage ? Shape.of(2, channels, numbers[3], numbers[4]) : Shape.of(2, channels, numbers[3]);
    long outputs = groups * 4;
    Shape w = isImage ? Shape.of(outputs, channels / groups, taps, taps) : Shape.of(outputs, channels / groups, taps);
    long pad = taps / 2;
    Attributes attributes = Attributes.NONE.with("group", groups).with("pads", isImage
      ? AttributeValue.Ints.of(pad, pad, pad, pad)
      : AttributeValue.Ints.of(pad, pad));
    Shape y = x.with(1, outputs);
    DType left = type();
    DType right = type();
    TensorView image = bytes(left, x.extents());
    TensorView weights = bytes(right, w.extents());
    check("ConvInteger", attributes, List.of(new TensorType(DType.INT32, y)), image, weights, bytes(left, 1), bytes(
      right, outputs));
    TensorView scale = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 2);
    TensorView bias = TestTensors.random(DType.INT32, Shape.of(outputs), random);
    for (DType result : List.of(DType.INT8, DType.UINT8)) {
      check("QLinearConv", attributes, List.of(new TensorType(result, y)), image, scales(1), bytes(left, 1), weights,
        scales(outputs), bytes(right, outputs), scale, bytes(result, 1), bias);
    }
  }
}
