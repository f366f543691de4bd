package dev.cairn.gpu.kernel;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Quantised tensors on CUDA against the portable twins. */
class CudaQuantizedTest {
  private static final List<DType> BYTES = List.of(DType.INT8, DType.UINT8);
  private static CudaTwins twins;

  private final Random random = new Random(32);

  @BeforeAll
  static void open() {
    twins = CudaTwins.open();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  private TensorView bits(DType dtype, long... extents) {
    return TestTensors.randomBits(dtype, Shape.of(extents), random);
  }

  private TensorView floats(long... extents) {
    return TestTensors.random(DType.FLOAT32, Shape.of(extents), random);
  }

  @Test
  void tensorsAreQuantized() {
    for (DType dtype : List.of(DType.INT8, DType.UINT8, DType.INT16, DType.UINT16)) {
      twins.check("QuantizeLinear", Attributes.NONE, TensorType.of(dtype, 3, 50), 1, floats(3, 50),
        TestTensors.scales(1,
          random),
        bits(dtype, 1));
      twins.check("QuantizeLinear", Attributes.NONE.with("axis", 0), TensorType.of(dtype, 3, 50), 1, bits(
        DType.FLOAT32, 3, 50), TestTensors.scales(3, random), bits(dtype, 3));
      twins.check("QuantizeLinear", Attributes.NONE.with("axis", -1), TensorType.of(dtype, 3, 5), 1, floats(3, 5),
        TestTensors.scales(5, random), bits(dtype, 5));
    }
    TensorView blocks = TestTensors.scales(3 * 2, random).reshaped(Shape.of(3, 2));
    twins.check("QuantizeLinear", Attributes.NONE.with("axis", 1).with("block_size", 4), TensorType.of(DType.UINT8, 3,
      7), 1, floats(3, 7), blocks);
  }

  @Test
  void tensorsAreDequantized() {
    for (DType dtype : List.of(DType.INT8, DType.UINT8, DType.INT16, DType.UINT16)) {
      twins.check("DequantizeLinear", Attributes.NONE, TensorType.of(DType.FLOAT32, 4, 33), 1, bits(dtype, 4, 33),
        TestTensors.scales(1, random), bits(dtype, 1));
      twins.check("DequantizeLinear", Attributes.NONE.with("axis", 1), TensorType.of(DType.FLOAT32, 2, 3, 5), 1, bits(
        dtype, 2, 3, 5), TestTensors.scales(3, random), bits(dtype, 3));
    }
    twins.check("DequantizeLinear", Attributes.NONE, TensorType.of(DType.FLOAT32, 40), 1, bits(DType.INT32, 40),
      TestTensors.scales(1, random));
  }

  @Test
  void bytesAreLookedUp() {
    for (DType from : BYTES) {
      for (DType to : BYTES) {
        twins.check("ByteTable", Attributes.NONE, TensorType.of(to, 3, 700), 1, bits(from, 3, 700), bits(to, 256));
      }
    }
  }

  @Test
  void realNumbersAreCombinedBetweenQuantizedTensors() {
    long[][][] shapes = {{{3, 70}, {3, 70}}, {{2, 5, 7}, {7}}, {{4}, {3, 1}}, {{2, 3, 4, 5}, {3, 1, 1}}, {{1}, {1}}};
    for (String operator : List.of("QLinearAdd", "QLinearMul")) {
      for (long[][] shape : shapes) {
        for (DType result : BYTES) {
          DType left = BYTES.get(random.nextInt(2));
          DType right = BYTES.get(random.nextInt(2));
          var y = new TensorType(result, Shape.of(shape[0]).broadcastWith(Shape.of(shape[1])));
          twins.check(operator, Attributes.NONE, y, 1, bits(left, shape[0]), TestTensors.scales(1, random), bits(left,
            1), bits(right, shape[1]), TestTensors.scales(1, random), bits(right, 1), TestTensors.scales(1, random),
            bits(result, 1));
        }
      }
    }
  }

  @Test
  void rangesAreFound() {
    var single = new TensorType(DType.FLOAT32, Shape.SCALAR);
    for (TensorView x : List.of(floats(1), floats(700), bits(DType.FLOAT32, 70), TestTensors.zeros(TensorType.of(
      DType.FLOAT32, 9)))) {
      twins.checkAll("DynamicQuantizeLinear", Attributes.NONE, List.of(x.type().withDType(DType.UINT8), single, single
        .withDType(DType.UINT8)), 1, x);
    }
  }

  @Test
  void matricesAreMultiplied() {
    multiply(DType.UINT8, DType.INT8);
  }

  @Test
  @Tag("long")
  void matricesOfAllBytesAreMultiplied() {
    for (DType left : BYTES) {
      for (DType right : BYTES) {
        multiply(left, right);
      }
    }
  }

  private void multiply(DType left, DType right) {
    for (long[] size : new long[][] {{1, 1, 1}, {3, 70, 5}, {17, 64, 33}, {40, 130, 16}}) {
      multiply(left, right, size[0], size[1], size[2]);
    }
  }

  @Test
  void imagesAreConvolved() {
    convolve(DType.UINT8, DType.INT8);
    convolve(DType.UINT8, DType.INT8, Shape.of(1, 20, 11), Shape.of(4, 20, 5), Attributes.NONE.with("pads", ints(2,
      2)));
    convolve(DType.UINT8, DType.INT8, Shape.of(1, 2, 3, 4, 5), Shape.of(3, 2, 2, 2, 2), Attributes.NONE);
    convolve(DType.UINT8, DType.INT8, Shape.of(2, 6, 5, 5), Shape.of(6, 1, 3, 3), Attributes.NONE.with("group", 6).with(
      "pads", ints(1, 1, 1, 1)));
  }

  @Test
  @Tag("long")
  void imagesOfAllBytesAreConvolved() {
    for (DType left : BYTES) {
      for (DType right : BYTES) {
        convolve(left, right);
      }
    }
    convolve(DType.INT8, DType.INT8, Shape.of(1, 2, 3, 4, 5), Shape.of(3, 2, 2, 2, 2), Attributes.NONE);
  }

  private void convolve(DType left, DType right) {
    convolve(left, right, Shape.of(2, 3, 9, 7), Shape.of(5, 3, 3, 3), Attributes.NONE);
    convolve(left, right, Shape.of(1, 4, 6, 5), Shape.of(18, 2, 2, 3), Attributes.NONE.with("group", 2).with("pads",
      ints(1, 0, 2, 1)).with("strides", ints(2, 1)).with("dilations", ints(1, 2)));
  }

  private static AttributeValue ints(long... values) {
    return new AttributeValue.Ints(Arrays.stream(values).boxed().toList());
  }

  private void convolve(DType left, DType right, Shape image, Shape weights, Attributes attributes) {
    SlidingWindow window = SlidingWindow.ofWeights(attributes, image, weights);
    long[] extents = image.extents().clone();
    extents[1] = weights.extent(0);
    for (int axis = 0; axis < window.rank(); axis++) {
      extents[axis + 2] = window.outputExtent(axis);
    }
    TensorView x = bits(left, image.extents());
    TensorView w = bits(right, weights.extents());
    long outputs = weights.extent(0);
    var sums = new TensorType(DType.INT32, Shape.of(extents));
    twins.check("ConvInteger", attributes, sums, 1, x, w);
    twins.check("ConvInteger", attributes, sums, 1, x, w, bits(left, 1), bits(right, outputs));
    for (DType result : BYTES) {
      twins.check("QLinearConv", attributes, sums.withDType(result), 1, x, TestTensors.scales(1, random), bits(left, 1),
        w, TestTensors.scales(outputs, random), bits(right, outputs), TestTensors.scales(1, random), bits(result, 1),
        bits(DType.INT32, outputs));
    }
  }

  private void multiply(DType left, DType right, long rows, long depth, long columns) {
    TensorView a = bits(left, 2, rows, depth);
    TensorView b = bits(right, depth, columns);
    TensorType sums = TensorType.of(DType.INT32, 2, rows, columns);
    twins.check("MatMulInteger", Attributes.NONE, sums, 1, a, b);
    twins.check("MatMulInteger", Attributes.NONE, sums, 1, a, b, bits(left, 1), bits(right, columns));
    twins.check("MatMulIntegerToFloat", Attributes.NONE, sums.withDType(DType.FLOAT32), 1, a, b, TestTensors.scales(1,
      random), TestTensors.scales(columns, random), bits(left, 1), bits(right, 1), floats(columns));
    for (DType result : BYTES) {
      twins.check("QLinearMatMul", Attributes.NONE, sums.withDType(result), 1, a, TestTensors.scales(1, random), bits(
        left, 1), b, TestTensors.scales(columns, random), bits(right, columns), TestTensors.scales(1, random),
        bits(
          result, 1));
    }
  }
}
