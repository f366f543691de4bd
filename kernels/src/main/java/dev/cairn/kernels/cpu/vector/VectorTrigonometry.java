package dev.cairn.kernels.cpu.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sine and cosine of {@code float32} vectors; made as {@link VectorMath} says.
 *
 * <p>Implementation note. A number is reduced to at most a quarter of a half turn by taking off multiples of pi/2,
 * which is given in three parts. The first part is a multiple of 2^-23, and so is every float from 1 on: the difference
 * is below 1 and thus exact. The other two parts add what the first one leaves.
 */
public final class VectorTrigonometry {
  /** The greatest size of a number that this class reduces. */
  public static final float MOST = 100_000;

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final FloatVector TWO_OVER_PI = all(0.63661975f);
  private static final FloatVector MINUS_HIGH = all(-1.5707964f);
  private static final FloatVector MINUS_MIDDLE = all(4.371139e-8f);
  private static final FloatVector MINUS_LOW = all(1.7151245e-15f);
  /** Added to a small number, leaves it rounded to a whole one in the low bits. */
  private static final FloatVector ROUNDER = all(0x1.8p23f);
  private static final FloatVector MINUS_HALF = all(-0.5f);
  private static final FloatVector SIN_3 = all(-0.16666655f);
  private static final FloatVector SIN_5 = all(0.008332178f);
  private static final FloatVector SIN_7 = all(-1.9517216e-4f);
  private static final FloatVector COS_4 = all(0.041666646f);
  private static final FloatVector COS_6 = all(-0.0013887367f);
  private static final FloatVector COS_8 = all(2.4438357e-5f);

  private VectorTrigonometry() {}

  private static FloatVector all(float value) {
    return FloatVector.broadcast(SPECIES, value);
  }

  /** Within 2 units in the last place for numbers up to {@link #MOST}; NaN of a NaN. */
  public static FloatVector sin(FloatVector x) {
    FloatVector rounded = x.fma(TWO_OVER_PI, ROUNDER);
    FloatVector y = ofQuarter(rest(x, rounded.sub(ROUNDER)), rounded.reinterpretAsInts());
    return y.blend(x, x.compare(VectorOperators.EQ, VectorMath.ZERO));
  }

  /** Like {@link #sin}: a quarter of a turn later. */
  public static FloatVector cos(FloatVector x) {
    FloatVector rounded = x.fma(TWO_OVER_PI, ROUNDER);
    return ofQuarter(rest(x, rounded.sub(ROUNDER)), rounded.reinterpretAsInts().add(1));
  }

  /** Whether every one of these numbers is at most {@link #MOST} in size, or a NaN. */
  public static boolean reduces(MemorySegment x, long first, long end) {
    int lanes = SPECIES.length();
    long whole = end - (end - first) % lanes;
    FloatVector most = all(0);
    for (long i = first; i < whole; i += lanes) {
      FloatVector size = VectorRows.load(x, i).abs();
      most = most.blend(size, size.compare(VectorOperators.GT, most));
    }
    VectorMask<Float> rest = SPECIES.indexInRange(whole, end);
    boolean lastFits = !VectorRows.load(x, whole, rest).abs().compare(VectorOperators.GT, MOST, rest).anyTrue();
    return lastFits && !most.compare(VectorOperators.GT, MOST).anyTrue();
  }

  private static FloatVector rest(FloatVector x, FloatVector n) {
    return n.fma(MINUS_LOW, n.fma(MINUS_MIDDLE, n.fma(MINUS_HIGH, x)));
  }

  /** The sine of r and so many quarters of a turn. */
  private static FloatVector ofQuarter(FloatVector r, IntVector quarters) {
    FloatVector z = r.mul(r);
    FloatVector sine = SIN_7.fma(z, SIN_5).fma(z, SIN_3).fma(z.mul(r), r);
    FloatVector cosine = COS_8.fma(z, COS_6).fma(z, COS_4).fma(z, MINUS_HALF).fma(z, VectorMath.ONE);
    VectorMask<Float> isOdd = quarters.lanewise(VectorOperators.LSHL, 31).compare(VectorOperators.LT, 0).cast(SPECIES);
    IntVector sign = quarters.lanewise(VectorOperators.LSHL, 30).and(Integer.MIN_VALUE);
    IntVector bits = sine.blend(cosine, isOdd).reinterpretAsInts();
    return bits.lanewise(VectorOperators.XOR, sign).reinterpretAsFloats();
  }
}
