package dev.cairn.runtime.memory.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Problems of the shapes and sizes that networks have. */
class LargeOrderTest {
  private static ChosenOrder choose(OrderProblem problem) {
    ChosenOrder chosen = MemoryOrder.choose(problem);
    int[] order = chosen.order().stream().mapToInt(Integer::intValue).toArray();
    assertThat(OrderPeak.of(problem, order)).isEqualTo(chosen.peakBytes()).isLessThanOrEqualTo(chosen.givenPeakBytes());
    return chosen;
  }

  private static double saving(ChosenOrder chosen) {
    return 1 - (double) chosen.peakBytes() / chosen.givenPeakBytes();
  }

  /** MODeL publishes 14.86 % for its AlexNet of batch 32. */
  @Test
  void alexNetTrainingSavesAFifth() {
    ChosenOrder chosen = choose(TrainingProblems.alexNet(32));
    assertThat(saving(chosen)).isGreaterThan(0.2);
    assertThat(chosen.optimal()).isTrue();
  }

  /** A gradient of weights need not outlive the step that makes it. */
  @Test
  void longTrainingChainsAreSolved() {
    for (int layers : new int[] {10, 100, 2_500}) {
      Random random = new Random(layers);
      long[] results = random.longs(layers, 1, 1_000).toArray();
      long[] weights = random.longs(layers, 0, 2_000).toArray();
      ChosenOrder chosen = choose(TrainingProblems.chain(results, weights, false));
      System.out.printf("training chain of %d layers: %s -> %s, %.1f %%, optimal=%s%n", layers, chosen.givenPeakBytes(),
        chosen.peakBytes(), 100 * saving(chosen), chosen.optimal());
      assertThat(saving(chosen)).isGreaterThan(0.15);
    }
  }

  /** Blocks of parallel branches between cuts, as in Inception: each is solved, 10,000 nodes in all. */
  @Test
  void manyBlocksOfBranchesAreSolved() {
    ChosenOrder chosen = choose(blocks(900, 3, 1));
    assertThat(chosen.optimal()).isTrue();
    assertThat(chosen.isBetter()).isTrue();
    ChosenOrder wide = choose(blocks(320, 10, 2));
    assertThat(wide.optimal()).isTrue();
    assertThat(wide.isBetter()).isTrue();
  }

  private static OrderProblem blocks(int blocks, int width, long seed) {
    Random random = new Random(seed);
    var builder = OrderProblem.builder(1 + blocks * (2 + 3 * width));
    int end = 0;
    for (int block = 0; block < blocks; block++) {
      int split = end + 1;
      int join = split + 3 * width + 1;
      builder.value(end, 1 + random.nextInt(1000), false, split);
      List<Integer> firsts = new ArrayList<>();
      for (int branch = 0; branch < width; branch++) {
        int first = split + 1 + 3 * branch;
        firsts.add(first);
        builder.value(first, 1 + random.nextInt(1000), false, first + 1);
        builder.value(first + 1, 1 + random.nextInt(1000), false, first + 2);
        builder.value(first + 2, 1 + random.nextInt(1000), false, join);
      }
      builder.value(split, 1 + random.nextInt(1000), false, firsts.stream().mapToInt(Integer::intValue).toArray());
      end = join;
    }
    builder.value(end, 1, true);
    return builder.build();
  }

  @Test
  void tangledProblemsGetAValidOrder() {
    requireOrders(600);
  }

  @Test
  @Tag("long")
  void largeTangledProblemsGetAValidOrder() {
    requireOrders(3_000);
  }

  @Test
  @Tag("soak")
  void tangledProblemsOfTenThousandNodesGetAValidOrder() {
    requireOrders(10_000);
  }

  private static void requireOrders(int nodes) {
    for (int reach : new int[] {30, nodes}) {
      choose(RandomOrderProblems.seeded(reach, nodes, reach));
    }
  }

  /** Wide enough that not all sets can be walked: what the few give is close to the bound. */
  @Test
  void whatCannotBeSolvedIsStillImproved() {
    ChosenOrder chosen = choose(RandomOrderProblems.seeded(7, 100, 100));
    assertThat(saving(chosen)).isGreaterThan(0.5);
  }
}
