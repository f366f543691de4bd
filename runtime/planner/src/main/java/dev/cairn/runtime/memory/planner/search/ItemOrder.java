package dev.cairn.runtime.memory.planner.search;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Which of the items that can come next in a section is tried first: the one with the greatest product of powers of its
 * length, counted in sections, and its bytes. Ties go to the lower index.
 */
enum ItemOrder {
  /** The longest held, then the largest. */
  LONG(1, 0.001),
  LONG_LARGE(1, 0.5),
  AREA(1, 1),
  LARGE(0.5, 1);

  private final double lengthPower;
  private final double bytesPower;

  ItemOrder(double lengthPower, double bytesPower) {
    this.lengthPower = lengthPower;
    this.bytesPower = bytesPower;
  }

  /**
   * For each item, its place in the order.
   *
   * @param noise standard deviation of a factor's logarithm, chosen by chance for each item; 0 for none
   * @param seed of the chance
   */
  int[] ranks(Part part, double noise, long seed) {
    Random random = new Random(seed);
    double[] key = new double[part.size()];
    for (int item = 0; item < key.length; item++) {
      key[item] = lengthPower * StrictMath.log(part.sections[item].length)
        + bytesPower * StrictMath.log((double) part.bytes[item]) + noise * random.nextGaussian();
    }
    int[] order = IntStream.range(0, key.length).boxed()
      .sorted(Comparator.comparingDouble((Integer item) -> -key[item]).thenComparing(Comparator.naturalOrder()))
      .mapToInt(Integer::intValue).toArray();
    int[] ranks = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      ranks[order[i]] = i;
    }
    return ranks;
  }
}
