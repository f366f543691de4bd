package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The functions of each element in the vector twins, beyond {@link VectorMath}; a and b are the operator's parameters.
 */
final class VectorUnaryFunctions {
  private static final FloatVector ROOT_HALF = all(0.70710677f);
  private static final FloatVector TWICE_ROOT_TWO_OVER_PI = all(2 * 0.7978846f);
  private static final FloatVector CUBIC = all(0.044715f);
  private static final FloatVector INFINITE = all(Float.POSITIVE_INFINITY);
  private static final FloatVector MINUS_INFINITE = all(Float.NEGATIVE_INFINITY);
  private static final FloatVector SIXTH = all(1 / 6f);

  private VectorUnaryFunctions() {}

  private static FloatVector all(float value) {
    return FloatVector.broadcast(FloatVector.SPECIES_PREFERRED, value);
  }

  static FloatVector relu(FloatVector x, float a, float b) {
    return VectorMath.atLeast(x, VectorMath.ZERO);
  }

  static FloatVector leakyRelu(FloatVector x, float slope, float b) {
    return x.blend(x.mul(slope), x.compare(VectorOperators.LT, VectorMath.ZERO));
  }

  static FloatVector hardSigmoid(FloatVector x, float slope, float offset) {
    return bounded(x.fma(all(slope), all(offset)));
  }

  static FloatVector hardSwish(FloatVector x, float a, float b) {
    return bounded(x.fma(SIXTH, VectorMath.HALF)).mul(x);
  }

  static FloatVector swish(FloatVector x, float alpha, float b) {
    return x.mul(VectorMath.sigmoid(x.mul(alpha)));
  }

  static FloatVector gelu(FloatVector x, float a, float b) {
    return VectorMath.onePlusErf(x.mul(ROOT_HALF)).mul(x.mul(VectorMath.HALF));
  }

  /** GELU with tanh instead of erf: {@code x / (1 + e^(-2u))}, {@code u = sqrt(2/pi) (x + 0.044715 x^3)}. */
  static FloatVector geluByTanh(FloatVector x, float a, float b) {
    FloatVector cubic = x.mul(x).fma(CUBIC, VectorMath.ONE).mul(x);
    return x.mul(VectorMath.sigmoid(cubic.mul(TWICE_ROOT_TWO_OVER_PI)));
  }

  /** Bounds by comparing, so that NaN stays NaN; the upper bound wins over a greater lower one. */
  static FloatVector clip(FloatVector x, float low, float high) {
    return VectorMath.atMost(VectorMath.atLeast(x, all(low)), all(high));
  }

  /** x to the power of a half: as the square root, but for the infinity below zero, whose power is infinite. */
  static FloatVector root(FloatVector x) {
    return x.sqrt().add(VectorMath.ZERO).blend(INFINITE, x.compare(VectorOperators.EQ, MINUS_INFINITE));
  }

  private static FloatVector bounded(FloatVector x) {
    return VectorMath.atMost(VectorMath.atLeast(x, VectorMath.ZERO), VectorMath.ONE);
  }
}
