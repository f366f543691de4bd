package dev.cairn.kernels.cpu.vector;

import static jdk.incubator.vector.VectorOperators.IS_FINITE;

import jdk.incubator.vector.FloatVector;

/**
 * Sums of many terms with all their digits, after Kahan: what rounding adds to a sum is taken off the next term. A loop
 * keeps both numbers itself, since an object with vectors would be slow:
 *
 * <pre>
 * next = total + (term - excess);  excess = excess(total, term - excess, next);  total = next
 * </pre>
 */
public final class CompensatedSum {
  private CompensatedSum() {}

  /** How much greater the sum is than it should be; 0 for an infinite or NaN sum, which stays as it is. */
  public static FloatVector excess(FloatVector before, FloatVector added, FloatVector sum) {
    FloatVector excess = sum.sub(before).sub(added);
    return VectorMath.ZERO.blend(excess, excess.test(IS_FINITE));
  }
}
