package dev.cairn.runtime.memory.planner.improve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheapestSpotTest {
  @Test
  void noSpotOfANaiveSearchIsCheaper() {
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      int count = random.nextInt(8);
      long ceiling = 10L + random.nextInt(40);
      long alignment = 1L << random.nextInt(4);
      long bytes = (1 + random.nextInt(4)) * alignment;
      if (bytes > ceiling) {
        continue;
      }
      double[] weights = random.ints(count, 1, 10).asDoubleStream()
        .map(weight -> weight == 9 ? Double.POSITIVE_INFINITY : weight).toArray();
      long[][] others = IntStream.range(0, count).mapToObj(i -> {
        long low = random.nextInt((int) ceiling);
        return new long[] {low, low + 1 + random.nextInt((int) (ceiling - low))};
      }).sorted((a, b) -> Long.compare(a[0], b[0])).toArray(long[][]::new);
      Neighbours neighbours = new Neighbours(count);
      IntStream.range(0, count).forEach(i -> neighbours.add(i, others[i][0], others[i][1]));
      CheapestSpot cheapest = new CheapestSpot(weights);
      long offset = cheapest.choose(neighbours, bytes, alignment, ceiling);
      double least = Double.POSITIVE_INFINITY;
      for (long at = 0; at + bytes <= ceiling; at += alignment) {
        least = Math.min(least, weight(weights, inTheWay(others, at, bytes)));
      }
      if (least == Double.POSITIVE_INFINITY) {
        assertThat(offset).as("seed %d: no room", seed).isEqualTo(Neighbours.NOWHERE);
        continue;
      }
      assertThat(offset % alignment).isZero();
      assertThat(offset).isNotNegative();
      assertThat(offset + bytes).isLessThanOrEqualTo(ceiling);
      int[] evicted = IntStream.range(0, cheapest.inTheWayCount()).map(cheapest::inTheWay).sorted().toArray();
      int[] inTheWay = inTheWay(others, offset, bytes);
      assertThat(evicted).as("seed %d: all that are in the way", seed).contains(inTheWay);
      assertThat(weight(weights, evicted)).as("seed %d", seed).isEqualTo(least);
    }
  }

  private static int[] inTheWay(long[][] others, long offset, long bytes) {
    return IntStream.range(0, others.length).filter(i -> others[i][0] < offset + bytes && others[i][1] > offset)
      .toArray();
  }

  private static double weight(double[] weights, int[] which) {
    return Arrays.stream(which).mapToDouble(i -> weights[i]).sum();
  }
}
