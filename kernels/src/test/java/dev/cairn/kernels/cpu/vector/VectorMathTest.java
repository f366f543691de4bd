package dev.cairn.kernels.cpu.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.cpu.elementwise.CpuActivations;
import dev.cairn.testing.Rounds;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.junit.jupiter.api.Test;

/** The bounds that {@link VectorMath} states, over numbers of all sizes and densely around the joints. */
class VectorMathTest implements Rounds {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int PART_OF_NUMBERS = 1 << 12;

  /** The greatest error, in units in the last place of the true result, beyond {@code absolute}. */
  private static double worst(UnaryOperator<FloatVector> function, DoubleUnaryOperator truth, double absolute,
    float[] inputs) {
    float[] results = new float[inputs.length];
    for (int i = 0; i < inputs.length; i += SPECIES.length()) {
      function.apply(FloatVector.fromArray(SPECIES, inputs, i)).intoArray(results, i);
    }
    double worst = 0;
    for (int i = 0; i < inputs.length; i++) {
      double expected = truth.applyAsDouble(inputs[i]);
      if (Double.isNaN(expected) || Math.abs(expected) > Float.MAX_VALUE) {
        assertThat(Float.valueOf(results[i])).as("at %s", inputs[i]).isEqualTo(Float.valueOf((float) expected));
      } else {
        double error = Math.max(0, Math.abs(results[i] - expected) - absolute);
        worst = Math.max(worst, error / Math.ulp((float) expected));
      }
    }
    return worst;
  }

  /** A multiple of the lanes of any vector. */
  private int count() {
    return rounds(1 << 6) * PART_OF_NUMBERS;
  }

  private float[] between(float low, float high) {
    var random = new Random(1);
    float[] values = new float[count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat(low, high);
    }
    return values;
  }

  private float[] anyBits() {
    var random = new Random(2);
    float[] values = new float[count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.intBitsToFloat(random.nextInt());
    }
    values[0] = Float.POSITIVE_INFINITY;
    values[1] = Float.NEGATIVE_INFINITY;
    values[2] = 0;
    values[3] = -0f;
    values[4] = Float.NaN;
    return values;
  }

  @Test
  void exponential() {
    assertThat(worst(VectorMath::exp, Math::exp, 2e-45, between(-105, 88.7f))).isLessThan(2);
    assertThat(worst(VectorMath::exp, Math::exp, 2e-45, between(-1, 1))).isLessThan(2);
    assertThat(worst(VectorMath::exp, Math::exp, 2e-45, anyBits())).isLessThan(2);
    assertThat(worst(VectorMath::expOfModerate, Math::exp, 2e-38, between(-200, 88))).isLessThan(2);
    assertThat(worst(VectorMath::expOfNegative, Math::exp, 2e-38, between(-200, 0))).isLessThan(2);
  }

  @Test
  void logarithm() {
    assertThat(worst(VectorLogarithm::log, Math::log, 0, between(0.5f, 2))).isLessThan(2);
    assertThat(worst(VectorLogarithm::log, Math::log, 0, between(0, 1e-37f))).isLessThan(2);
    assertThat(worst(VectorLogarithm::log, Math::log, 0, anyBits())).isLessThan(2);
  }

  @Test
  void hyperbolicTangentAndLogistic() {
    assertThat(worst(VectorMath::tanh, Math::tanh, 2e-45, between(-2, 2))).isLessThan(4);
    assertThat(worst(VectorMath::tanh, Math::tanh, 2e-45, anyBits())).isLessThan(4);
    assertThat(worst(VectorMath::sigmoid, CpuActivations::sigmoid, 2e-38, between(-100, 30))).isLessThan(4);
    assertThat(worst(VectorMath::sigmoid, CpuActivations::sigmoid, 2e-38, anyBits())).isLessThan(4);
  }

  @Test
  void sineAndCosine() {
    float most = VectorTrigonometry.MOST;
    for (float bound : new float[] {1e-30f, 1, 10, 1000, most}) {
      assertThat(worst(VectorTrigonometry::sin, StrictMath::sin, 0, between(-bound, bound))).isLessThan(2);
      assertThat(worst(VectorTrigonometry::cos, StrictMath::cos, 0, between(-bound, bound))).isLessThan(2);
    }
    assertThat(worst(VectorTrigonometry::sin, StrictMath::sin, 0, besideQuarters(most))).isLessThan(2);
    assertThat(worst(VectorTrigonometry::cos, StrictMath::cos, 0, besideQuarters(most))).isLessThan(2);
    FloatVector zero = VectorTrigonometry.sin(FloatVector.broadcast(SPECIES, -0f));
    assertThat(Float.floatToRawIntBits(zero.lane(0))).isEqualTo(Float.floatToRawIntBits(-0f));
    assertThat(VectorTrigonometry.sin(FloatVector.broadcast(SPECIES, Float.NaN)).lane(0)).isNaN();
    assertThat(VectorTrigonometry.cos(FloatVector.broadcast(SPECIES, Float.NaN)).lane(0)).isNaN();
  }

  /** The floats next to multiples of a quarter of a turn, where results are next to 0 or 1. */
  private static float[] besideQuarters(float most) {
    float[] values = new float[(int) (most / Math.PI * 2) / SPECIES.length() * SPECIES.length()];
    var random = new Random(3);
    for (int i = 0; i < values.length; i++) {
      float nearest = (float) ((i + 1) * Math.PI / 2);
      values[i] = (random.nextBoolean() ? 1 : -1) * (nearest + random.nextInt(-1, 2) * Math.ulp(nearest));
    }
    return values;
  }

  @Test
  void errorFunction() {
    assertThat(worst(VectorMath::erf, CpuActivations::erf, 2e-45, between(-4.5f, 4.5f))).isLessThan(4);
    assertThat(worst(VectorMath::erf, CpuActivations::erf, 2e-45, between(0.9f, 1))).isLessThan(4);
    assertThat(worst(VectorMath::erf, CpuActivations::erf, 2e-45, anyBits())).isLessThan(4);
  }

  /** On the negative side, where the result is small, it is still right to a few of its own units. */
  @Test
  void onePlusErrorFunction() {
    assertThat(worst(VectorMath::onePlusErf, x -> 1 + CpuActivations.erf(x), 0, between(-0.5f, 7))).isLessThan(4);
    assertThat(worst(VectorMath::onePlusErf, x -> 1 + CpuActivations.erf(x), 1e-9, between(-5, -0.5f))).isLessThan(16);
    assertThat(worst(VectorMath::onePlusErf, x -> 1 + CpuActivations.erf(x), 1e-9, anyBits())).isLessThan(16);
  }
}
