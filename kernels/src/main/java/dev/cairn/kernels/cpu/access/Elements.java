package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.OrderKeys;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Blocks of elements of any type, read and written as {@code double} or {@code long}: how one portable kernel serves
 * every element type. Reading a float type as {@code double} is exact and writing rounds once, to nearest even; whole
 * numbers are cut to their low bits when written. Indexes count elements of the dense tensor.
 */
public final class Elements {
  /** How many elements a kernel reads at a time: a few blocks fit into the first-level cache. */
  public static final int BLOCK = 256;

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private Elements() {}

  /**
   * Reads elements {@code [first, first + count)}; whole numbers are rounded to nearest where 53 bits do not hold
   * them.
   */
  public static void read(TensorView from, long first, double[] to, int count) {
    MemorySegment bytes = from.segment();
    switch (from.dtype()) {
      case FLOAT32 -> {
        for (int i = 0; i < count; i++) {
          to[i] = bytes.get(FLOAT, (first + i) * Float.BYTES);
        }
      }
      case FLOAT64 -> MemorySegment.copy(bytes, DOUBLE, first * Double.BYTES, to, 0, count);
      case FLOAT16 -> {
        for (int i = 0; i < count; i++) {
          to[i] = Float.float16ToFloat(bytes.get(SHORT, (first + i) * Short.BYTES));
        }
      }
      case BFLOAT16 -> {
        for (int i = 0; i < count; i++) {
          to[i] = HalfNumber.fromBfloat16(bytes.get(SHORT, (first + i) * Short.BYTES));
        }
      }
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 -> {
        for (int i = 0; i < count; i++) {
          to[i] = NarrowElements.value(from.dtype(), NarrowElements.code(from.dtype(), bytes, first + i));
        }
      }
      default -> readWhole(from, first, to, count);
    }
  }

  private static void readWhole(TensorView from, long first, double[] to, int count) {
    long[] whole = new long[count];
    read(from, first, whole, count);
    boolean unsigned = from.dtype() == DType.UINT64;
    for (int i = 0; i < count; i++) {
      // A number above the signed range is halved. An or keeps its lowest bit: so the half rounds as the whole does.
      to[i] = unsigned && whole[i] < 0 ? (double) ((whole[i] >>> 1) | (whole[i] & 1)) * 2 : (double) whole[i];
    }
  }

  /**
   * Writes elements {@code [first, first + count)} of a float type. Narrow ones take the largest number for those out
   * of range. Elements of a byte must be written by one thread.
   */
  public static void write(double[] from, TensorView to, long first, int count) {
    MemorySegment bytes = to.segment();
    switch (to.dtype()) {
      case FLOAT32 -> {
        for (int i = 0; i < count; i++) {
          bytes.set(FLOAT, (first + i) * Float.BYTES, (float) from[i]);
        }
      }
      case FLOAT64 -> MemorySegment.copy(from, 0, bytes, DOUBLE, first * Double.BYTES, count);
      case FLOAT16 -> {
        for (int i = 0; i < count; i++) {
          bytes.set(SHORT, (first + i) * Short.BYTES, Float.floatToFloat16(HalfNumber.narrowToOdd(from[i])));
        }
      }
      case BFLOAT16 -> {
        for (int i = 0; i < count; i++) {
          bytes.set(SHORT, (first + i) * Short.BYTES, HalfNumber.toBfloat16(HalfNumber.narrowToOdd(from[i])));
        }
      }
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 -> {
        for (int i = 0; i < count; i++) {
          NarrowElements.setNearest(to, first + i, from[i]);
        }
        if (first + count == to.elementCount()) {
          NarrowElements.clearPadding(to);
        }
      }
      default -> throw new IllegalArgumentException("not a float type: dtype=" + to.dtype());
    }
  }

  /** Reads elements of whole numbers or booleans; an unsigned 64-bit number keeps its bits. */
  public static void read(TensorView from, long first, long[] to, int count) {
    MemorySegment bytes = from.segment();
    switch (from.dtype()) {
      case INT64, UINT64 -> MemorySegment.copy(bytes, LONG, first * Long.BYTES, to, 0, count);
      case INT32 -> {
        for (int i = 0; i < count; i++) {
          to[i] = bytes.get(INT, (first + i) * Integer.BYTES);
        }
      }
      case UINT32 -> {
        for (int i = 0; i < count; i++) {
          to[i] = Integer.toUnsignedLong(bytes.get(INT, (first + i) * Integer.BYTES));
        }
      }
      case INT8 -> {
        for (int i = 0; i < count; i++) {
          to[i] = bytes.get(BYTE, first + i);
        }
      }
      case UINT8, BOOL -> {
        for (int i = 0; i < count; i++) {
          to[i] = Byte.toUnsignedLong(bytes.get(BYTE, first + i));
        }
      }
      case INT4, UINT4, INT2, UINT2 -> {
        for (int i = 0; i < count; i++) {
          to[i] = NarrowElements.whole(from.dtype(), NarrowElements.code(from.dtype(), bytes, first + i));
        }
      }
      default -> readShorts(from, first, to, count);
    }
  }

  private static void readShorts(TensorView from, long first, long[] to, int count) {
    int mask = switch (from.dtype()) {
      case INT16 -> -1;
      case UINT16 -> 0xffff;
      default -> throw new IllegalArgumentException("not whole numbers: dtype=" + from.dtype());
    };
    for (int i = 0; i < count; i++) {
      to[i] = from.segment().get(SHORT, (first + i) * Short.BYTES) & mask;
    }
  }

  /** Reads the {@link OrderKeys} of elements. */
  public static void readKeys(TensorView from, long first, long[] keys, int count) {
    if (!from.dtype().isFloat()) {
      read(from, first, keys, count);
      long flip = from.dtype() == DType.UINT64 ? Long.MIN_VALUE : 0;
      for (int i = 0; i < count; i++) {
        keys[i] ^= flip;
      }
      return;
    }
    double[] block = new double[Math.min(BLOCK, count)];
    for (int at = 0; at < count; at += BLOCK) {
      int part = Math.min(BLOCK, count - at);
      read(from, first + at, block, part);
      for (int i = 0; i < part; i++) {
        keys[at + i] = OrderKeys.of(block[i]);
      }
    }
  }

  /**
   * Writes the low bits of whole numbers, whatever the type's meaning; a boolean must be given as 0 or 1. Elements of a
   * byte must be written by one thread.
   */
  public static void write(long[] from, TensorView to, long first, int count) {
    MemorySegment bytes = to.segment();
    switch (to.dtype().bits()) {
      case Long.SIZE -> MemorySegment.copy(from, 0, bytes, LONG, first * Long.BYTES, count);
      case Integer.SIZE -> {
        for (int i = 0; i < count; i++) {
          bytes.set(INT, (first + i) * Integer.BYTES, (int) from[i]);
        }
      }
      case Short.SIZE -> {
        for (int i = 0; i < count; i++) {
          bytes.set(SHORT, (first + i) * Short.BYTES, (short) from[i]);
        }
      }
      case Byte.SIZE -> {
        for (int i = 0; i < count; i++) {
          bytes.set(BYTE, first + i, (byte) from[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          NarrowElements.set(to.dtype(), bytes, first + i, (int) from[i]);
        }
        if (first + count == to.elementCount()) {
          NarrowElements.clearPadding(to);
        }
      }
    }
  }

  /** Like {@link #read} for an operand that may repeat: with {@code step} 0 the first element fills the block. */
  public static void read(TensorView from, long first, long step, double[] to, int count) {
    read(from, first, to, step == 0 ? 1 : count);
    for (int i = 1; step == 0 && i < count; i++) {
      to[i] = to[0];
    }
  }

  /** Like {@link #read(TensorView, long, long, double[], int)}, for whole numbers. */
  public static void read(TensorView from, long first, long step, long[] to, int count) {
    read(from, first, to, step == 0 ? 1 : count);
    for (int i = 1; step == 0 && i < count; i++) {
      to[i] = to[0];
    }
  }

  /**
   * The same bytes as signed whole numbers of the same size: what moves elements without looking at them.
   *
   * @throws UnsupportedOperationException if several elements share a byte
   */
  public static TensorView bits(TensorView view) {
    DType whole = switch (view.dtype().bytes()) {
      case 1 -> DType.INT8;
      case 2 -> DType.INT16;
      case 4 -> DType.INT32;
      default -> DType.INT64;
    };
    return new TensorView(view.type().withDType(whole), view.segment());
  }
}
