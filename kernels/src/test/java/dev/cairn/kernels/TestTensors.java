package dev.cairn.kernels;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/**
 * Makes and reads tensors of every element type. Memory is native, 64-byte aligned, and freed by the garbage
 * collector.
 */
public final class TestTensors {
  private TestTensors() {}

  /** A tensor of zeros. */
  public static TensorView zeros(TensorType type) {
    return new TensorView(type, Arena.ofAuto().allocate(type.bytes(), 64));
  }

  /** A tensor of bytes that no kernel would compute by accident. */
  public static TensorView junk(TensorType type) {
    TensorView view = zeros(type);
    view.segment().fill((byte) 0xA5);
    return view;
  }

  /** A tensor of these values in row-major order, rounded to the element type. */
  public static TensorView of(DType dtype, Shape shape, double... values) {
    TensorView view = ofCount(dtype, shape, values.length);
    for (int i = 0; i < values.length; i++) {
      set(view, i, values[i]);
    }
    return view;
  }

  /** A tensor of these whole numbers in row-major order. */
  public static TensorView ofLongs(DType dtype, Shape shape, long... values) {
    TensorView view = ofCount(dtype, shape, values.length);
    for (int i = 0; i < values.length; i++) {
      set(view, i, values[i]);
    }
    return view;
  }

  /** A one-dimensional {@code int64} tensor, such as a list of axes. */
  public static TensorView int64s(long... values) {
    return ofLongs(DType.INT64, Shape.of(values.length), values);
  }

  /** 0, 1, 2, ... in the element type (a boolean alternates). */
  public static TensorView counting(DType dtype, Shape shape) {
    TensorView view = zeros(new TensorType(dtype, shape));
    for (long i = 0; i < view.elementCount(); i++) {
      set(view, i, dtype == DType.BOOL ? i & 1 : i);
    }
    return view;
  }

  /** Floats from the standard normal distribution; whole numbers of -50 to 50 (0 to 100 unsigned); booleans. */
  public static TensorView random(DType dtype, Shape shape, RandomGenerator random) {
    TensorView view = zeros(new TensorType(dtype, shape));
    for (long i = 0; i < view.elementCount(); i++) {
      if (dtype.isFloat()) {
        set(view, i, random.nextGaussian());
      } else if (dtype == DType.BOOL) {
        set(view, i, random.nextInt(2));
      } else {
        set(view, i, random.nextInt(101) - (dtype.isUnsigned() ? 0 : 50));
      }
    }
    return view;
  }

  /** Any bits at all: NaNs, infinities and subnormal numbers among the floats; a boolean is still 0 or 1. */
  public static TensorView randomBits(DType dtype, Shape shape, RandomGenerator random) {
    TensorView view = zeros(new TensorType(dtype, shape));
    byte[] bytes = new byte[Math.toIntExact(view.type().bytes())];
    random.nextBytes(bytes);
    for (int i = 0; dtype == DType.BOOL && i < bytes.length; i++) {
      bytes[i] &= 1;
    }
    MemorySegment.copy(bytes, 0, view.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    return view;
  }

  /** Sets an element, rounded to the element type; a whole number is cut to its bits. */
  public static void set(TensorView view, long index, double value) {
    MemorySegment bytes = view.segment();
    switch (view.dtype()) {
      case FLOAT64 -> bytes.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, index * 8, value);
      case FLOAT32 -> bytes.set(ValueLayout.JAVA_FLOAT_UNALIGNED, index * 4, (float) value);
      case FLOAT16 -> bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, Float.floatToFloat16((float) value));
      case BFLOAT16 -> bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, bfloat16((float) value));
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
        NarrowElements.setNearest(view, index, value);
      default -> set(view, index, (long) value);
    }
  }

  /** Sets an element to a whole number, cut to the bits of the element type where that is one of whole numbers. */
  public static void set(TensorView view, long index, long value) {
    MemorySegment bytes = view.segment();
    switch (view.dtype()) {
      case INT64, UINT64 -> bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, index * 8, value);
      case INT32, UINT32 -> bytes.set(ValueLayout.JAVA_INT_UNALIGNED, index * 4, (int) value);
      case INT16, UINT16 -> bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, (short) value);
      case INT8, UINT8, BOOL -> bytes.set(ValueLayout.JAVA_BYTE, index, (byte) value);
      case INT4, UINT4, INT2, UINT2 -> NarrowElements.set(view.dtype(), bytes, index, (int) value);
      default -> set(view, index, (double) value);
    }
  }

  /** All elements as real numbers, in order. */
  public static double[] doubles(TensorView view) {
    double[] values = new double[Math.toIntExact(view.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = view.doubleAt(i);
    }
    return values;
  }

  /** Scales of quantised tensors: {@code float32} numbers from 0.01 to 0.2. */
  public static TensorView scales(long count, RandomGenerator random) {
    TensorView scales = zeros(TensorType.of(DType.FLOAT32, count));
    for (int i = 0; i < count; i++) {
      set(scales, i, random.nextDouble(0.01, 0.2));
    }
    return scales;
  }

  /** A copy in native memory. */
  public static TensorView copy(TensorView view) {
    TensorView copy = zeros(view.type());
    copy.segment().copyFrom(view.segment());
    return copy;
  }

  /** The bits of a float rounded to bfloat16, to nearest even. */
  private static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    return Float.isNaN(value) ? (short) ((bits >> 16) | 0x40) : (short) ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
  }

  private static TensorView ofCount(DType dtype, Shape shape, int count) {
    if (shape.elementCount() != count) {
      throw new IllegalArgumentException("shape and values differ: shape=%s values=%d".formatted(shape, count));
    }
    return zeros(new TensorType(dtype, shape));
  }
}
