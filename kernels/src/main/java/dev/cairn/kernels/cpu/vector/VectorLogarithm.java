package dev.cairn.kernels.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The natural logarithm of {@code float32} vectors; made as {@link VectorMath} says. */
public final class VectorLogarithm {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final FloatVector LEAST_NORMAL = all(Float.MIN_NORMAL);
  private static final FloatVector RAISE = all(0x1p25f);
  private static final FloatVector RAISED_BY = all(25);
  private static final IntVector ROOT_HALF_BITS = all(0.70710677f).reinterpretAsInts();
  private static final FloatVector LN2_HIGH = all(0.69314575f);
  private static final FloatVector LN2_LOW = all(1.4286068e-6f);
  private static final FloatVector MINUS_HALF = all(-0.5f);
  private static final FloatVector INFINITE = all(Float.POSITIVE_INFINITY);
  private static final FloatVector MINUS_INFINITE = all(Float.NEGATIVE_INFINITY);
  private static final FloatVector UNDEFINED = all(Float.NaN);

  private static final FloatVector LOG_3 = all(0.3333333f);
  private static final FloatVector LOG_4 = all(-0.25000823f);
  private static final FloatVector LOG_5 = all(0.20001233f);
  private static final FloatVector LOG_6 = all(-0.16623297f);
  private static final FloatVector LOG_7 = all(0.14201558f);
  private static final FloatVector LOG_8 = all(-0.13160595f);
  private static final FloatVector LOG_9 = all(0.127633f);
  private static final FloatVector LOG_10 = all(-0.07635588f);

  private VectorLogarithm() {}

  private static FloatVector all(float value) {
    return FloatVector.broadcast(SPECIES, value);
  }

  /** Within 2 units in the last place, subnormal numbers included; NaN below 0, and infinite at 0. */
  public static FloatVector log(FloatVector x) {
    VectorMask<Float> tiny = x.compare(VectorOperators.LT, LEAST_NORMAL);
    FloatVector scaled = x.blend(x.mul(RAISE), tiny);
    // The bits above the ones of the root of one half count the halvings until the rest is below the root of two.
    IntVector bits = scaled.reinterpretAsInts().sub(ROOT_HALF_BITS);
    IntVector exponent = bits.lanewise(VectorOperators.ASHR, 23);
    IntVector mantissa = bits.lanewise(VectorOperators.AND, 0x7fffff).add(ROOT_HALF_BITS);
    FloatVector n = (FloatVector) exponent.convertShape(VectorOperators.I2F, SPECIES, 0);
    FloatVector y = logOfParts(n.blend(n.sub(RAISED_BY), tiny), mantissa.reinterpretAsFloats().sub(VectorMath.ONE));
    return exceptions(x, y);
  }

  /** {@code n ln 2 + ln(1 + f)}. */
  private static FloatVector logOfParts(FloatVector n, FloatVector f) {
    FloatVector p = LOG_10.fma(f, LOG_9).fma(f, LOG_8).fma(f, LOG_7).fma(f, LOG_6).fma(f, LOG_5).fma(f, LOG_4);
    FloatVector square = f.mul(f);
    FloatVector low = n.mul(LN2_LOW).add(p.fma(f, LOG_3).mul(square.mul(f)));
    return n.fma(LN2_HIGH, f.add(square.fma(MINUS_HALF, low)));
  }

  private static FloatVector exceptions(FloatVector x, FloatVector y) {
    FloatVector atZero = y.blend(MINUS_INFINITE, x.compare(VectorOperators.EQ, VectorMath.ZERO));
    FloatVector above = atZero.blend(x, x.compare(VectorOperators.EQ, INFINITE));
    return above.blend(UNDEFINED, x.compare(VectorOperators.GE, VectorMath.ZERO).not());
  }
}
