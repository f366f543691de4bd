package dev.cairn.runtime.memory.planner.nnvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NnvmPlannerTest {
  /** First step, last step, bytes: TVM's problem "simple". */
  private static final int[][] SIMPLE = {{0, 23, 131072}, {4, 5, 65568}, {4, 9, 8192}, {8, 30, 15360},
    {10, 11, 65568}, {10, 15, 4096}, {16, 17, 65552}, {16, 21, 2048}, {22, 23, 32784}, {22, 27, 1024}};

  private static MemoryProblem simple() {
    List<Buffer> buffers = new ArrayList<>();
    for (int[] row : SIMPLE) {
      buffers.add(Buffer.of("b" + buffers.size(), row[2], new Lifetime(row[0], row[1] + 1)));
    }
    return new MemoryProblem(buffers);
  }

  @Test
  void moreRangeIsNotAlwaysBetterSoTheSearchLooksAtAll() {
    List<Long> peaks = new ArrayList<>();
    for (long range = 1; range <= 16; range *= 2) {
      peaks.add(new NnvmPlanner(NnvmOptions.DEFAULT.withMatchRange(range)).plan(simple()).peakBytes());
    }
    assertThat(peaks).containsExactly(325_696L, 222_240L, 221_216L, 270_400L, 266_304L);
    assertThat(NnvmPlanner.AUTO_SEARCH.plan(simple()).peakBytes()).isEqualTo(221_216);
  }

  @Test
  void oneStepsReleasesComeBeforeItsRequestsAndTheLargerRequestFirst() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("dies", 100, new Lifetime(0, 1)),
      Buffer.of("small", 90, new Lifetime(1, 2)), Buffer.of("large", 100, new Lifetime(1, 2)));
    MemoryPlan plan = NnvmPlanner.DEFAULT.plan(problem);
    assertThat(plan.placements().get(2)).isEqualTo(plan.placements().get(0));
    assertThat(plan.peakBytes()).isEqualTo(190);
  }

  @Test
  void aStorageIsAsAlignedAsTheMostAlignedBufferInIt() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("a", 100, new Lifetime(0, 1)).withAlignment(64),
      Buffer.of("b", 100, new Lifetime(1, 2)).withAlignment(256));
    MemoryPlan plan = PlanValidator.requireValid(problem, NnvmPlanner.DEFAULT.plan(problem));
    assertThat(plan.pools()).hasSize(1);
    assertThat(plan.pools().getFirst().alignment()).isEqualTo(256);
    assertThat(plan.peakBytes()).isEqualTo(256);
  }

  @Test
  void optionsWithoutAnyMatchRangeMakeNoPlanner() {
    NnvmOptions none = NnvmOptions.DEFAULT.withMatchRange(0).withAutoSearch();
    assertThatThrownBy(() -> new NnvmPlanner(none)).isInstanceOf(IllegalArgumentException.class);
  }
}
