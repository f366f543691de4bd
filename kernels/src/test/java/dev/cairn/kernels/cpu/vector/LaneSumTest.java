package dev.cairn.kernels.cpu.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.junit.jupiter.api.Test;

/** Sums are the same to the last bit whether the code that makes them is interpreted or compiled. */
class LaneSumTest {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  /** Enough for the code to be compiled on the way. */
  private static final int ROUNDS = 60_000;

  private static float[] values(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (random.nextFloat() - 0.25f) * (1 << random.nextInt(8));
    }
    return values;
  }

  /** The upper half to the lower. */
  private static float naiveSum(float[] lanes) {
    float[] sums = lanes.clone();
    for (int half = sums.length / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; i++) {
        sums[i] += sums[i + half];
      }
    }
    return sums[0];
  }

  @Test
  void theUpperHalfIsAddedToTheLowerUntilOneIsLeft() {
    var random = new Random(1);
    for (int round = 0; round < ROUNDS; round++) {
      float[] lanes = values(random, LANES);
      assertBits(LaneSum.of(FloatVector.fromArray(SPECIES, lanes, 0)), naiveSum(lanes), round);
    }
  }

  @Test
  void theSumOfARowIsInOneOrder() {
    var random = new Random(2);
    for (int round = 0; round < ROUNDS; round++) {
      float[] row = values(random, 1 + random.nextInt(5 * LANES));
      assertBits(VectorRows.sum(MemorySegment.ofArray(row), 0, row.length), naiveRowSum(row), round);
    }
  }

  /** Vectors in turn to the even and the odd sum; what does not fill one goes to the odd. */
  private static float naiveRowSum(float[] row) {
    float[][] sums = new float[2][LANES];
    int whole = row.length / LANES;
    for (int i = 0; i < row.length; i++) {
      int vector = i / LANES;
      sums[vector < whole ? vector % 2 : 1][i % LANES] += row[i];
    }
    for (int i = 0; i < LANES; i++) {
      sums[0][i] += sums[1][i];
    }
    return naiveSum(sums[0]);
  }

  @Test
  void oneNaNMakesTheSumNaNAndZerosSumToZero() {
    float[] lanes = new float[LANES];
    assertThat(LaneSum.of(FloatVector.fromArray(SPECIES, lanes, 0))).isZero();
    for (int i = 0; i < LANES; i++) {
      Arrays.fill(lanes, 1);
      lanes[i] = Float.NaN;
      assertThat(LaneSum.of(FloatVector.fromArray(SPECIES, lanes, 0))).isNaN();
    }
  }

  // assertThat would be slow for so many cases.
  private static void assertBits(float actual, float expected, int round) {
    if (Float.floatToRawIntBits(actual) != Float.floatToRawIntBits(expected)) {
      throw new AssertionError("round=%d actual=%s expected=%s".formatted(round, actual, expected));
    }
  }
}
