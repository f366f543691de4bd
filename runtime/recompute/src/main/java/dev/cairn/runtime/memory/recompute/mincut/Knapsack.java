package dev.cairn.runtime.memory.recompute.mincut;

import java.util.Arrays;
import java.util.BitSet;

/** Which things to take, so that their values add up to the most within a capacity. */
final class Knapsack {
  /** Weights are rounded to this part of one. */
  private static final int PARTS = 10_000;

  private Knapsack() {}

  /** The indexes of the items that are taken; of equally good choices, the one with earlier items. */
  static BitSet taken(double[] weights, double[] values, double capacity) {
    long[] rounded = Arrays.stream(weights).mapToLong(weight -> Math.round(weight * PARTS)).toArray();
    long most = Math.round(capacity * PARTS);
    long unit = Arrays.stream(rounded).filter(weight -> weight > 0).reduce(Knapsack::gcd).orElse(1);
    int slots = Math.toIntExact(most / unit);
    double[][] best = new double[weights.length + 1][slots + 1];
    for (int i = 0; i < weights.length; i++) {
      long weight = rounded[i] / unit;
      for (int slot = 0; slot <= slots; slot++) {
        double with = slot < weight ? -1 : best[i][(int) (slot - weight)] + values[i];
        best[i + 1][slot] = Math.max(best[i][slot], with);
      }
    }
    var taken = new BitSet();
    int slot = slots;
    for (int i = weights.length - 1; i >= 0; i--) {
      if (best[i + 1][slot] != best[i][slot]) {
        taken.set(i);
        slot -= (int) (rounded[i] / unit);
      }
    }
    return taken;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
