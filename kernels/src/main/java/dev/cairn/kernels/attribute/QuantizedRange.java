package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;

/** The whole numbers that a quantised element can be. */
public record QuantizedRange(int least, int most) {

  /** The range of an integer type of at most 16 bits. */
  public static QuantizedRange of(DType dtype) {
    return switch (dtype) {
      case INT8 -> new QuantizedRange(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case UINT8 -> new QuantizedRange(0, 0xff);
      case INT16 -> new QuantizedRange(Short.MIN_VALUE, Short.MAX_VALUE);
      case UINT16 -> new QuantizedRange(0, 0xffff);
      case INT4 -> new QuantizedRange(-8, 7);
      case UINT4 -> new QuantizedRange(0, 15);
      case INT2 -> new QuantizedRange(-2, 1);
      case UINT2 -> new QuantizedRange(0, 3);
      default -> throw new IllegalArgumentException("no quantised type: dtype=" + dtype);
    };
  }

  /** A number in units of its scale, rounded half to even, plus the zero point, clamped. NaN gives the least one. */
  public int quantized(float units, int zeroPoint) {
    double value = Math.rint(units) + zeroPoint;
    return value >= most ? most : value > least ? (int) value : least;
  }
}
