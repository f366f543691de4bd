package dev.cairn.kernels.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Elementary functions of {@code float32} vectors of the preferred species, as polynomials.
 *
 * <p>Implementation note. Each function is reduced to a short interval on which a minimax polynomial stands; the
 * coefficients were fitted for this class by iteratively reweighted least squares (C. L. Lawson, 1961) against
 * 40-digit values, minimising the relative error of the result, and then rounded to {@code float}. The fits' own
 * errors are below 2e-8, so that rounding in the last steps dominates. The bounds given are held by {@code
 * VectorMathTest} against {@code double} references. Products and sums are fused, which needs a processor with such
 * an instruction to be fast.
 *
 * <p>Constants are vectors, and methods short, because the compiler stops inlining after some 18,000 nodes of its
 * graph and into methods of more than 325 bytes, and a vector that crosses a call which is not inlined is boxed.
 */
public final class VectorMath {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  public static final FloatVector ZERO = all(0);
  public static final FloatVector HALF = all(0.5f);
  public static final FloatVector ONE = all(1);
  private static final FloatVector TWO = all(2);

  private static final FloatVector EXP_LEAST = all(-104);
  private static final FloatVector EXP_MOST = all(89);
  private static final FloatVector EXP_LEAST_NORMAL = all(-87);
  private static final FloatVector LOG2_E = all(1.442695f);
  // ln 2 in two parts, of which the first has so few bits that its product with an exponent is exact.
  private static final FloatVector LN2_HIGH = all(0.69314575f);
  private static final FloatVector LN2_LOW = all(1.4286068e-6f);
  private static final FloatVector MINUS_LN2_HIGH = LN2_HIGH.neg();
  private static final FloatVector MINUS_LN2_LOW = LN2_LOW.neg();
  /** Added to a small number, leaves it rounded to a whole one in the low bits. */
  private static final FloatVector ROUNDER = all(0x1.8p23f);
  private static final IntVector ROUNDER_BITS = ROUNDER.reinterpretAsInts();
  private static final IntVector EXPONENT_BIAS = IntVector.broadcast(IntVector.SPECIES_PREFERRED, 127);

  private static final FloatVector EXP_2 = all(0.49999994f);
  private static final FloatVector EXP_3 = all(0.1666652f);
  private static final FloatVector EXP_4 = all(0.0416684f);
  private static final FloatVector EXP_5 = all(0.008368852f);
  private static final FloatVector EXP_6 = all(0.0013814318f);

  private static final FloatVector LESS_ONE_2 = all(0.49999997f);
  private static final FloatVector LESS_ONE_3 = all(0.16666542f);
  private static final FloatVector LESS_ONE_4 = all(0.041667204f);
  private static final FloatVector LESS_ONE_5 = all(0.008366647f);
  private static final FloatVector LESS_ONE_6 = all(0.0013882492f);
  private static final FloatVector TANH_FLAT = all(-40);

  private static final FloatVector ERF_NEAR = all(0.93f);
  private static final FloatVector ERF_1 = all(0.12837917f);
  private static final FloatVector ERF_3 = all(-0.37612632f);
  private static final FloatVector ERF_5 = all(0.112836875f);
  private static final FloatVector ERF_7 = all(-0.02685894f);
  private static final FloatVector ERF_9 = all(0.0051999064f);
  private static final FloatVector ERF_11 = all(-8.130012e-4f);
  private static final FloatVector ERF_13 = all(8.316772e-5f);

  private static final FloatVector COMPLEMENT_FAR = all(5.8f);
  private static final FloatVector COMPLEMENT_0 = all(9.731343e-5f);
  private static final FloatVector COMPLEMENT_1 = all(-1.1291398f);
  private static final FloatVector COMPLEMENT_2 = all(-0.63410944f);
  private static final FloatVector COMPLEMENT_3 = all(-0.10743899f);
  private static final FloatVector COMPLEMENT_4 = all(0.024576385f);
  private static final FloatVector COMPLEMENT_5 = all(-0.0039660875f);
  private static final FloatVector COMPLEMENT_6 = all(3.926306e-4f);
  private static final FloatVector COMPLEMENT_7 = all(-1.75384e-5f);

  private VectorMath() {}

  private static FloatVector all(float value) {
    return FloatVector.broadcast(SPECIES, value);
  }

  /** e to the x, within 2 units in the last place (subnormal results to 2e-45); over- and underflows as Java does. */
  public static FloatVector exp(FloatVector x) {
    FloatVector bounded = atLeast(atMost(x, EXP_MOST), EXP_LEAST);
    FloatVector rounded = bounded.fma(LOG2_E, ROUNDER);
    FloatVector y = expOfRest(rest(bounded, rounded.sub(ROUNDER)));
    // 2^n in two factors, since n may lie outside of what one float's exponent holds.
    IntVector exponent = rounded.reinterpretAsInts().sub(ROUNDER_BITS);
    IntVector half = exponent.lanewise(VectorOperators.ASHR, 1);
    return y.mul(powerOfTwo(half)).mul(powerOfTwo(exponent.sub(half)));
  }

  /** Like {@link #exp} where the result lies between 1e-38 and 1e38; 1e-38 below, and infinite from 3e38. */
  static FloatVector expOfModerate(FloatVector x) {
    return expOfBounded(atLeast(atMost(x, EXP_MOST), EXP_LEAST_NORMAL));
  }

  /** Like {@link #exp} for x of at most 0, with results below 1e-38 given as 0. */
  public static FloatVector expOfNegative(FloatVector x) {
    FloatVector y = expOfBounded(atLeast(x, EXP_LEAST_NORMAL));
    return y.blend(ZERO, x.compare(VectorOperators.LT, EXP_LEAST_NORMAL));
  }

  private static FloatVector expOfBounded(FloatVector x) {
    FloatVector rounded = x.fma(LOG2_E, ROUNDER);
    FloatVector y = expOfRest(rest(x, rounded.sub(ROUNDER)));
    return y.mul(powerOfTwo(rounded.reinterpretAsInts().sub(ROUNDER_BITS)));
  }

  /** Within 4 units in the last place: {@code -t / (t + 2)} with {@code t = e^(-2|x|) - 1}, and the sign of x. */
  public static FloatVector tanh(FloatVector x) {
    FloatVector size = x.abs();
    FloatVector bounded = atLeast(size.add(size).neg(), TANH_FLAT);
    FloatVector rounded = bounded.fma(LOG2_E, ROUNDER);
    FloatVector r = rest(bounded, rounded.sub(ROUNDER));
    FloatVector scale = powerOfTwo(rounded.reinterpretAsInts().sub(ROUNDER_BITS));
    FloatVector t = restLessOne(r).fma(scale, scale.sub(ONE));
    return withSignOf(t.div(t.add(TWO)), x);
  }

  /** Within 4 units in the last place; results below 1e-38 to within 1e-38. */
  public static FloatVector sigmoid(FloatVector x) {
    return ONE.div(expOfModerate(x.neg()).add(ONE));
  }

  /** The error function, within 4 units in the last place. */
  public static FloatVector erf(FloatVector x) {
    FloatVector t = x.abs();
    FloatVector far = withSignOf(ONE.sub(errorComplement(t)), x);
    return far.blend(erfNearZero(x), t.compare(VectorOperators.LT, ERF_NEAR));
  }

  /** {@code 1 + erf(x)}, within 1e-9 and 16 units in the last place, also where it is small; 0 below -5.8. */
  public static FloatVector onePlusErf(FloatVector x) {
    FloatVector t = x.abs();
    FloatVector complement = errorComplement(t).blend(ZERO, t.compare(VectorOperators.GT, COMPLEMENT_FAR));
    FloatVector far = complement.blend(TWO.sub(complement), x.compare(VectorOperators.GT, ZERO));
    return far.blend(erfNearZero(x).add(ONE), t.compare(VectorOperators.LT, ERF_NEAR));
  }

  /** {@code erf} for |x| below 0.93, by an odd polynomial. */
  private static FloatVector erfNearZero(FloatVector x) {
    FloatVector z = x.mul(x);
    FloatVector p = ERF_13.fma(z, ERF_11).fma(z, ERF_9).fma(z, ERF_7).fma(z, ERF_5).fma(z, ERF_3).fma(z, ERF_1);
    return p.fma(x, x);
  }

  /** {@code 1 - erf(t)} for t from 0.93 to 5.8 (and as at 5.8 beyond): e to a polynomial. */
  private static FloatVector errorComplement(FloatVector x) {
    FloatVector t = atMost(x, COMPLEMENT_FAR);
    FloatVector p = COMPLEMENT_7.fma(t, COMPLEMENT_6).fma(t, COMPLEMENT_5).fma(t, COMPLEMENT_4).fma(t, COMPLEMENT_3);
    return expOfBounded(p.fma(t, COMPLEMENT_2).fma(t, COMPLEMENT_1).fma(t, COMPLEMENT_0));
  }

  /** e to the r for |r| up to half of ln 2. */
  private static FloatVector expOfRest(FloatVector r) {
    FloatVector q = EXP_6.fma(r, EXP_5).fma(r, EXP_4).fma(r, EXP_3).fma(r, EXP_2);
    return q.fma(r.mul(r), r).add(ONE);
  }

  /** e to the r, less 1, with little relative error. */
  private static FloatVector restLessOne(FloatVector r) {
    FloatVector q = LESS_ONE_6.fma(r, LESS_ONE_5).fma(r, LESS_ONE_4).fma(r, LESS_ONE_3).fma(r, LESS_ONE_2);
    return q.fma(r.mul(r), r);
  }

  private static FloatVector rest(FloatVector x, FloatVector n) {
    return n.fma(MINUS_LN2_LOW, n.fma(MINUS_LN2_HIGH, x));
  }

  private static FloatVector powerOfTwo(IntVector n) {
    return n.add(EXPONENT_BIAS).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
  }

  /** Bounds by comparing, which lets a NaN through and takes two instructions. */
  public static FloatVector atMost(FloatVector x, FloatVector high) {
    return x.blend(high, x.compare(VectorOperators.GT, high));
  }

  /** Like {@link #atMost}, from below. */
  public static FloatVector atLeast(FloatVector x, FloatVector low) {
    return x.blend(low, x.compare(VectorOperators.LT, low));
  }

  private static FloatVector withSignOf(FloatVector magnitude, FloatVector x) {
    IntVector sign = x.reinterpretAsInts().lanewise(VectorOperators.AND, Integer.MIN_VALUE);
    IntVector rest = magnitude.reinterpretAsInts().lanewise(VectorOperators.AND, Integer.MAX_VALUE);
    return rest.lanewise(VectorOperators.OR, sign).reinterpretAsFloats();
  }
}
