package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Random models of quantised operators. Weights have 7 bits, so that the oracle's sums saturate on no processor. */
final class QuantizedCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();

  private QuantizedCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put("QuantizeLinear", QuantizedCases::quantize);
    all.put("DequantizeLinear", QuantizedCases::dequantize);
    all.put("DynamicQuantizeLinear", it -> {
      double low = it.number(-3, 2);
      it.input(it.floats(it.shape(0, 4), low, low + it.number(1, 5))).outputs(3);
    });
    all.put("MatMulInteger", it -> {
      DType right = factors(it, SummingCases.multiplied(it));
      it.constant(bytes(it, DType.UINT8, Shape.SCALAR)).constant(weights(it, right, Shape.SCALAR));
    });
    all.put("MatMulIntegerToFloat", QuantizedCases::product);
    all.put("MatMulNBits", QuantizedCases::weightOnly);
    all.put("QLinearMatMul", QuantizedCases::quantizedProduct);
    all.put("ConvInteger", it -> {
      DType weights = factors(it, SummingCases.convolved(it, it.number(1, 2)));
      it.constant(bytes(it, DType.UINT8, Shape.SCALAR)).constant(weights(it, weights, Shape.SCALAR));
    });
    all.put("QLinearConv", QuantizedCases::quantizedConvolution);
    return all;
  }

  private static TensorView bytes(OneOperator it, DType dtype, Shape shape) {
    return dtype.isUnsigned() ? it.tensor(dtype, shape, 0, 255) : it.tensor(dtype, shape, -128, 127);
  }

  private static TensorView weights(OneOperator it, DType dtype, Shape shape) {
    return dtype.isUnsigned() ? it.tensor(dtype, shape, 0, 127) : it.tensor(dtype, shape, -64, 63);
  }

  private static TensorView scale(OneOperator it, Shape shape) {
    return it.floats(shape, 0.01, 0.1);
  }

  /** Scales of a tensor, with the attributes that say whose they are. */
  private static Shape scales(OneOperator it, Shape shape) {
    if (shape.rank() < 1 || it.number(0, 2) == 0) {
      return Shape.SCALAR;
    }
    int axis = it.number(0, shape.rank() - 1);
    it.with("axis", it.coin() ? axis : axis - shape.rank());
    // ONNX Runtime refuses blocks of a vector.
    if (it.coin() || shape.rank() == 1) {
      return Shape.of(shape.extent(axis));
    }
    long block = it.number(1, 5);
    it.with("block_size", block);
    return shape.with(axis, Math.ceilDiv(shape.extent(axis), block));
  }

  private static void quantize(OneOperator it) {
    Shape shape = it.shape(0, 4);
    Shape scales = scales(it, shape);
    it.input(it.floats(shape, -3, 3)).constant(it.floats(scales, 0.01, 0.1));
    if (it.coin()) {
      it.constant(bytes(it, it.oneOf(DType.UINT8, DType.INT8, DType.INT16), scales));
    }
  }

  private static void dequantize(OneOperator it) {
    Shape shape = it.shape(0, 4);
    Shape scales = scales(it, shape);
    DType dtype = it.oneOf(DType.UINT8, DType.INT8, DType.INT16, DType.INT32);
    it.input(bytes(it, dtype, shape)).constant(it.floats(scales, 0.01, 0.1));
    if (dtype != DType.INT32 && it.coin()) {
      it.constant(bytes(it, dtype, scales));
    }
  }

  /** @return the right factor's type */
  private static DType factors(OneOperator it, SummingCases.Operands shapes) {
    DType right = it.oneOf(DType.UINT8, DType.INT8);
    it.input(bytes(it, DType.UINT8, shapes.left()));
    TensorView b = weights(it, right, shapes.right());
    if (it.coin()) {
      it.constant(b);
    } else {
      it.input(b);
    }
    return right;
  }

  private static void product(OneOperator it) {
    Shape left = Shape.of(it.number(1, 3), it.extent(), it.extent());
    long columns = it.extent();
    DType right = factors(it, new SummingCases.Operands(left, Shape.of(left.extent(-1), columns)));
    Shape each = it.coin() ? Shape.of(columns) : Shape.of(1);
    it.constant(scale(it, Shape.of(1))).constant(scale(it, each)).constant(bytes(it, DType.UINT8, Shape.of(1)));
    if (it.coin()) {
      it.constant(weights(it, right, each));
    } else {
      it.absent();
    }
    if (it.coin()) {
      it.constant(it.floats(Shape.of(columns), -1, 1));
    }
  }

  private static void weightOnly(OneOperator it) {
    int bits = it.oneOf(4, 8);
    long block = it.oneOf(16L, 32L, 64L);
    long blocks = it.number(1, 4);
    long depth = blocks * block - it.oneOf(0, 0, 3);
    long columns = it.extent();
    it.with("bits", bits).with("block_size", block).with("K", depth).with("N", columns);
    it.input(it.floats(Shape.of(it.number(1, 3), it.extent(), depth), -1, 1));
    it.constant(bytes(it, DType.UINT8, Shape.of(columns, blocks, block * bits / 8)));
    // Weights of any number of bits have one size, so that sums of 256 terms differ by as little.
    double unit = bits == 8 ? 1.0 / 16 : 1;
    it.constant(it.floats(Shape.of(columns, blocks), 0.01 * unit, 0.1 * unit));
    if (it.coin()) {
      it.constant(bytes(it, DType.UINT8, Shape.of(columns, Math.ceilDiv(blocks * bits, 8L))));
    }
  }

  private static void quantizedProduct(OneOperator it) {
    long depth = it.extent();
    long columns = it.extent();
    DType left = it.oneOf(DType.UINT8, DType.INT8);
    DType right = left == DType.INT8 ? DType.INT8 : it.oneOf(DType.UINT8, DType.INT8);
    Shape each = it.coin() ? Shape.of(columns) : Shape.of(1);
    it.input(bytes(it, left, Shape.of(it.number(1, 3), it.extent(), depth))).constant(scale(it, Shape.of(1)))
      .constant(bytes(it, left, Shape.of(1))).constant(weights(it, right, Shape.of(depth, columns)))
      .constant(scale(it, each)).constant(weights(it, right, each)).constant(it.floats(Shape.of(1), 0.5, 2))
      .constant(bytes(it, left, Shape.of(1)));
  }

  private static void quantizedConvolution(OneOperator it) {
    SummingCases.Operands shapes = SummingCases.convolved(it, it.number(1, 2));
    DType left = it.oneOf(DType.UINT8, DType.INT8);
    DType right = left == DType.INT8 ? DType.INT8 : it.oneOf(DType.UINT8, DType.INT8);
    Shape channels = Shape.of(shapes.right().extent(0));
    Shape each = it.coin() ? channels : Shape.of(1);
    it.input(bytes(it, left, shapes.left())).constant(scale(it, Shape.of(1))).constant(bytes(it, left, Shape.of(1)))
      .constant(weights(it, right, shapes.right())).constant(scale(it, each))
      .constant(weights(it, right, Shape.of(1))).constant(it.floats(Shape.of(1), 0.5, 2))
      .constant(bytes(it, left, Shape.of(1)));
    if (it.coin()) {
      it.constant(it.tensor(DType.INT32, channels, -2000, 2000));
    }
  }
}
