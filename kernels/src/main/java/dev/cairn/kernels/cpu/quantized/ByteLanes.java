package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Converts bytes to floats and back, a vector of floats at a time. An unsigned byte with its first bit turned is a
 * signed one that is smaller by 128, so that one conversion serves both.
 */
final class ByteLanes {
  /** Whether a vector of as many bytes as there are floats in a vector exists. */
  static final boolean EXIST = LANES >= 8;

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64,
    LANES * Byte.SIZE)));
  private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SPECIES.vectorShape());
  private static final int UNSIGNED = 0x80;
  /** Added to a number of at most 22 bits, leaves it, rounded half to even, in the low bits of the sum. */
  private static final float ROUNDER = 0x1.8p23f;

  private ByteLanes() {}

  /** The bits whose exclusive or turns a byte of this type into a signed one. */
  static byte turn(DType dtype) {
    return (byte) (dtype.isUnsigned() ? UNSIGNED : 0);
  }

  /** A zero point, for bytes that were turned. */
  static float zero(DType dtype, int zeroPoint) {
    return dtype.isUnsigned() ? zeroPoint - UNSIGNED : zeroPoint;
  }

  /** The bytes from a position on, as floats. */
  static FloatVector load(MemorySegment from, long at, byte turn) {
    ByteVector bytes = ByteVector.fromMemorySegment(BYTES, from, at, ORDER).lanewise(VectorOperators.XOR, turn);
    return (FloatVector) bytes.convertShape(VectorOperators.B2F, SPECIES, 0);
  }

  /** A byte as a float. */
  static float get(MemorySegment from, long at, byte turn) {
    return (byte) (from.get(ValueLayout.JAVA_BYTE, at) ^ turn);
  }

  /**
   * How bytes become numbers.
   *
   * @param turn what turns a byte into a signed one
   * @param zero the zero point, for bytes that were turned
   */
  record Meaning(byte turn, float zero, float scale) {
    static Meaning of(DType dtype, int zeroPoint, float scale) {
      return new Meaning(ByteLanes.turn(dtype), ByteLanes.zero(dtype, zeroPoint), scale);
    }
  }

  /** Writes {@code (x - zero) * scale} of {@code count} bytes; {@code toStart} counts bytes. */
  static void widen(MemorySegment from, long first, long count, Meaning meaning, MemorySegment to, long toStart) {
    byte turn = meaning.turn;
    float zero = meaning.zero;
    float scale = meaning.scale;
    long whole = count - count % LANES;
    for (long i = 0; i < whole; i += LANES) {
      load(from, first + i, turn).sub(zero).mul(scale).intoMemorySegment(to, toStart + i * Float.BYTES, ORDER);
    }
    for (long i = whole; i < count; i++) {
      to.set(FLOAT, toStart + i * Float.BYTES, (get(from, first + i, turn) - zero) * scale);
    }
  }

  /** The low or the high halves of the bytes from a position on, as floats. */
  static FloatVector half(MemorySegment from, long at, boolean isHigh) {
    IntVector bytes = wholeBytes(from, at);
    return toFloats(isHigh ? bytes.lanewise(VectorOperators.LSHR, 4) : bytes.and(0xf));
  }

  private static IntVector wholeBytes(MemorySegment from, long at) {
    ByteVector bytes = ByteVector.fromMemorySegment(BYTES, from, at, ORDER);
    return (IntVector) bytes.convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
  }

  /**
   * Writes {@code (x - zero) * scale} of the halves of {@code count} bytes, which are whole vectors: the low halves of
   * a vector, then the high ones.
   */
  static void widenHalves(MemorySegment from, long first, long count, Meaning meaning, MemorySegment to,
    long toStart) {
    float zero = meaning.zero;
    float scale = meaning.scale;
    for (long i = 0; i < count; i += LANES) {
      IntVector bytes = wholeBytes(from, first + i);
      long at = toStart + 2 * i * Float.BYTES;
      toFloats(bytes.and(0xf)).sub(zero).mul(scale).intoMemorySegment(to, at, ORDER);
      toFloats(bytes.lanewise(VectorOperators.LSHR, 4)).sub(zero).mul(scale).intoMemorySegment(to, at + (long) LANES
        * Float.BYTES, ORDER);
    }
  }

  /** Writes numbers in units of their scale as quantised ones. */
  static void store(FloatVector units, QuantizedRange range, int zero, MemorySegment to, long at) {
    FloatVector least = FloatVector.broadcast(SPECIES, range.least() - zero);
    VectorMask<Float> above = units.compare(VectorOperators.GE, least);
    FloatVector clamped = least.blend(units, above).min(range.most() - zero);
    IntVector whole = clamped.add(ROUNDER).reinterpretAsInts().add(zero);
    whole.convertShape(VectorOperators.I2B, BYTES, 0).reinterpretAsBytes().intoMemorySegment(to, at, ORDER);
  }

  /** Sums of whole numbers, as they lie in memory: as {@code int} or as {@code float}. */
  static IntVector sums(MemorySegment from, long at, boolean areFloats) {
    return areFloats
      ? (IntVector) FloatVector.fromMemorySegment(SPECIES, from, at, ORDER).convertShape(VectorOperators.F2I, INTS, 0)
      : IntVector.fromMemorySegment(INTS, from, at, ORDER);
  }

  static FloatVector toFloats(IntVector whole) {
    return (FloatVector) whole.convertShape(VectorOperators.I2F, SPECIES, 0);
  }

  static VectorSpecies<Integer> ints() {
    return INTS;
  }
}
