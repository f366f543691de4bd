package dev.cairn.kernels.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The sum over the lanes of one vector: the upper half to the lower, until one lane is left.
 *
 * <p>Implementation note. {@code reduceLanes(ADD)} adds in any order, as it says: one after the other while the code is
 * interpreted, and in halves once it is compiled, so that the same row had two sums in one process.
 */
public final class LaneSum {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  // Each is a constant of its own, since the compiler does not look into arrays.
  private static final VectorShuffle<Float> BY_32 = by(32);
  private static final VectorShuffle<Float> BY_16 = by(16);
  private static final VectorShuffle<Float> BY_8 = by(8);
  private static final VectorShuffle<Float> BY_4 = by(4);
  private static final VectorShuffle<Float> BY_2 = by(2);
  private static final VectorShuffle<Float> BY_1 = by(1);

  private LaneSum() {}

  private static VectorShuffle<Float> by(int lanes) {
    return SPECIES.iotaShuffle(lanes % LANES, 1, true);
  }

  public static float of(FloatVector terms) {
    FloatVector sum = terms;
    sum = LANES > 32 ? sum.add(sum.rearrange(BY_32)) : sum;
    sum = LANES > 16 ? sum.add(sum.rearrange(BY_16)) : sum;
    sum = LANES > 8 ? sum.add(sum.rearrange(BY_8)) : sum;
    sum = LANES > 4 ? sum.add(sum.rearrange(BY_4)) : sum;
    sum = LANES > 2 ? sum.add(sum.rearrange(BY_2)) : sum;
    sum = LANES > 1 ? sum.add(sum.rearrange(BY_1)) : sum;
    return sum.lane(0);
  }
}
