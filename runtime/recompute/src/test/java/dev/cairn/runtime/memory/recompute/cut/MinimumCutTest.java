package dev.cairn.runtime.memory.recompute.cut;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MinimumCutTest {
  @Test
  void isTheLeastOfAllCuts() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      int vertices = 2 + random.nextInt(7);
      var cut = new MinimumCut(vertices);
      List<int[]> edges = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0; i--) {
        int[] edge = {random.nextInt(vertices), random.nextInt(vertices), random.nextInt(10)};
        edges.add(edge);
        cut.capacity(cut.edge(edge[0], edge[1], 3), edge[2]);
      }
      long flow = cut.flow();
      assertThat(flow).as("seed %d", seed).isEqualTo(leastCut(vertices, edges));
      assertThat(cut.flow()).isEqualTo(flow);
      long crossing = 0;
      for (int[] edge : edges) {
        crossing += cut.isOnSourceSide(edge[0]) && !cut.isOnSourceSide(edge[1]) ? edge[2] : 0;
      }
      assertThat(crossing).isEqualTo(flow);
    }
  }

  private static long leastCut(int vertices, List<int[]> edges) {
    long least = Long.MAX_VALUE;
    for (int side = 0; side < 1 << vertices; side++) {
      if ((side & 1) != 0 && (side & 2) == 0) {
        long sum = 0;
        for (int[] edge : edges) {
          sum += (side >> edge[0] & 1) == 1 && (side >> edge[1] & 1) == 0 ? edge[2] : 0;
        }
        least = Math.min(least, sum);
      }
    }
    return least;
  }
}
