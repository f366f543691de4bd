package dev.cairn.kernels.cpu.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Powers of {@code float32}, computed in {@code double} as {@code 2^(exponent * log2(base))}, or by multiplying where
 * the exponent is a small whole number; rounded once, so they are within 0.51 units in the last place.
 *
 * <p>Implementation note. The logarithm of a number between the root of a half and the root of two is an odd polynomial
 * of {@code (m - 1) / (m + 1)}, with a relative error below 3e-14; the power of two of a rest up to a half is a
 * polynomial, with one below 5e-11. Both were fitted as {@link VectorMath} says.
 */
public final class VectorPower {
  /** The greatest size of a whole exponent that is computed by multiplying. */
  public static final int MOST_FACTORS = 64;

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, VectorShape.forBitSize(LANES
    * Float.SIZE));

  private static final long ROOT_HALF = Double.doubleToRawLongBits(Math.sqrt(0.5));
  private static final long MANTISSA = (1L << 52) - 1;
  /** Added to an exponent, keeps it positive. */
  private static final long LIFT = 1024;
  /** Added to a small number, leaves it rounded to a whole one in the low bits. */
  private static final double ROUNDER = 0x1.8p52;
  private static final LongVector ROUNDER_BITS = LongVector.broadcast(LongVector.SPECIES_PREFERRED, Double
    .doubleToRawLongBits(ROUNDER));
  private static final DoubleVector ONE = all(1);
  private static final DoubleVector LOG2_FACTOR = all(2 / Math.log(2));
  private static final DoubleVector LOG_1 = all(0.33333333337902393);
  private static final DoubleVector LOG_2 = all(0.1999999781034581);
  private static final DoubleVector LOG_3 = all(0.14286054633500353);
  private static final DoubleVector LOG_4 = all(0.11088092288972146);
  private static final DoubleVector LOG_5 = all(0.09792102912458761);
  private static final DoubleVector EXP_1 = all(0.6931471807045371);
  private static final DoubleVector EXP_2 = all(0.24022651066567613);
  private static final DoubleVector EXP_3 = all(0.05550410365977083);
  private static final DoubleVector EXP_4 = all(0.009618038131304726);
  private static final DoubleVector EXP_5 = all(0.0013333935065842624);
  private static final DoubleVector EXP_6 = all(0.000154667565204233);
  private static final DoubleVector EXP_7 = all(1.5196154384132451e-5);
  /** Powers of two beyond are 0 or infinite as {@code float}. */
  private static final DoubleVector MOST = all(200);

  private VectorPower() {}

  private static DoubleVector all(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  /** Whether all numbers are positive and finite: others are no bases of the functions with real exponents. */
  public static boolean areBases(MemorySegment x, long first, long count) {
    for (long i = 0; i < count; i += LANES) {
      VectorMask<Float> rest = FLOATS.indexInRange(i, count);
      FloatVector base = load(x, first + i, rest);
      VectorMask<Float> fits = base.compare(VectorOperators.GT, 0).and(base.test(VectorOperators.IS_FINITE));
      if (rest.andNot(fits).anyTrue()) {
        return false;
      }
    }
    return true;
  }

  /** Whether all numbers are finite. */
  public static boolean areExponents(MemorySegment x, long first, long count) {
    for (long i = 0; i < count; i += LANES) {
      VectorMask<Float> rest = FLOATS.indexInRange(i, count);
      if (rest.andNot(load(x, first + i, rest).test(VectorOperators.IS_FINITE)).anyTrue()) {
        return false;
      }
    }
    return true;
  }

  /** Raises positive finite bases to one exponent. */
  public static void raise(MemorySegment x, double exponent, MemorySegment y, long from, long to, long count) {
    DoubleVector power = all(exponent);
    for (long i = 0; i < count; i += LANES) {
      VectorMask<Float> rest = FLOATS.indexInRange(i, count);
      store(power(widened(load(x, from + i, rest)), power), y, to + i, rest);
    }
  }

  /** Raises each positive finite base to an exponent of its own. */
  public static void raise(MemorySegment x, MemorySegment exponents, MemorySegment y, Places at, long count) {
    for (long i = 0; i < count; i += LANES) {
      VectorMask<Float> rest = FLOATS.indexInRange(i, count);
      DoubleVector power = widened(load(exponents, at.exponent() + i, rest));
      store(power(widened(load(x, at.base() + i, rest)), power), y, at.result() + i, rest);
    }
  }

  /** The first elements of the operands and of the result. */
  public record Places(long base, long exponent, long result) {}

  /** Raises any bases to a whole exponent of at most {@link #MOST_FACTORS} in size. */
  public static void multiply(MemorySegment x, int exponent, MemorySegment y, long from, long to, long count) {
    int factors = Math.abs(exponent);
    for (long i = 0; i < count; i += LANES) {
      VectorMask<Float> rest = FLOATS.indexInRange(i, count);
      DoubleVector square = widened(load(x, from + i, rest));
      DoubleVector product = DoubleVector.broadcast(SPECIES, 1);
      for (int left = factors; left != 0; left >>= 1) {
        product = product.mul(ONE.blend(square, VectorMask.fromLong(SPECIES, -(left & 1L))));
        square = square.mul(square);
      }
      store(exponent < 0 ? ONE.div(product) : product, y, to + i, rest);
    }
  }

  private static DoubleVector power(DoubleVector base, DoubleVector exponent) {
    LongVector bits = base.reinterpretAsLongs().sub(ROOT_HALF - (LIFT << 52));
    DoubleVector halvings = bits.lanewise(VectorOperators.LSHR, 52).add(ROUNDER_BITS).reinterpretAsDoubles().sub(ROUNDER
      + LIFT);
    DoubleVector m = bits.and(MANTISSA).add(ROOT_HALF).reinterpretAsDoubles();
    DoubleVector s = m.sub(ONE).div(m.add(ONE));
    DoubleVector z = s.mul(s);
    DoubleVector p = LOG_5.fma(z, LOG_4).fma(z, LOG_3).fma(z, LOG_2).fma(z, LOG_1).fma(z, ONE);
    return exponential(p.mul(s).fma(LOG2_FACTOR, halvings).mul(exponent));
  }

  /** Two to the x. */
  private static DoubleVector exponential(DoubleVector x) {
    DoubleVector bounded = x.min(MOST).max(MOST.neg());
    DoubleVector rounded = bounded.add(ROUNDER);
    DoubleVector r = bounded.sub(rounded.sub(ROUNDER));
    DoubleVector p = EXP_7.fma(r, EXP_6).fma(r, EXP_5).fma(r, EXP_4).fma(r, EXP_3).fma(r, EXP_2).fma(r, EXP_1);
    LongVector scale = rounded.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52).add(ONE.reinterpretAsLongs());
    return p.fma(r, ONE).mul(scale.reinterpretAsDoubles());
  }

  private static DoubleVector widened(FloatVector x) {
    return (DoubleVector) x.convertShape(VectorOperators.F2D, SPECIES, 0);
  }

  private static FloatVector load(MemorySegment from, long at, VectorMask<Float> rest) {
    return FloatVector.fromMemorySegment(FLOATS, from, at * Float.BYTES, ORDER, rest);
  }

  private static void store(DoubleVector value, MemorySegment to, long at, VectorMask<Float> rest) {
    ((FloatVector) value.convertShape(VectorOperators.D2F, FLOATS, 0)).intoMemorySegment(to, at * Float.BYTES, ORDER,
      rest);
  }
}
