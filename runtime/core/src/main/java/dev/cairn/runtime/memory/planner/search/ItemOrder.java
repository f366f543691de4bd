package dev.cairn.runtime.memory.planner.search;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/** Which of the items that can come next in a section is tried first. Ties go to the lower index. */
enum ItemOrder {
  /** The longest held, counted in sections, then the largest. */
  LONG {
    @Override
    Comparator<Integer> comparator(Part part, long seed) {
      return Comparator.comparingInt((Integer item) -> -part.sections()[item].length)
        .thenComparingLong(item -> -part.bytes()[item]);
    }
  },

  /** The greatest bytes times sections. */
  AREA {
    @Override
    Comparator<Integer> comparator(Part part, long seed) {
      return Comparator.comparingDouble(item -> -(double) part.bytes()[item] * part.sections()[item].length);
    }
  },

  /** The longest held, each length times a random factor from 1/2 to 3/2. */
  LONG_SHUFFLED {
    @Override
    Comparator<Integer> comparator(Part part, long seed) {
      Random random = new Random(seed);
      double[] key = new double[part.size()];
      for (int item = 0; item < key.length; item++) {
        key[item] = -part.sections()[item].length * (0.5 + random.nextDouble());
      }
      return Comparator.comparingDouble(item -> key[item]);
    }
  };

  abstract Comparator<Integer> comparator(Part part, long seed);

  /** By item, its place in the order; the seed only matters where chance does. */
  int[] ranks(Part part, long seed) {
    int[] ranks = new int[part.size()];
    int[] order = IntStream.range(0, ranks.length).boxed()
      .sorted(comparator(part, seed).thenComparing(Comparator.naturalOrder()))
      .mapToInt(Integer::intValue).toArray();
    for (int i = 0; i < order.length; i++) {
      ranks[order[i]] = i;
    }
    return ranks;
  }
}
