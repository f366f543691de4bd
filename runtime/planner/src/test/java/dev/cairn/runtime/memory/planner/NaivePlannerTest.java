package dev.cairn.runtime.memory.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.RandomProblems;
import dev.cairn.runtime.memory.planner.inductor.ReusePlanner;
import org.junit.jupiter.api.Test;

class NaivePlannerTest {
  private static final MemoryProblem DISJOINT = MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 1)),
    Buffer.of("b", 16, new Lifetime(1, 2)).withAlignment(16), Buffer.of("c", 4, new Lifetime(2, 3)));

  @Test
  void poolsAreOneABuffer() {
    assertThat(NaivePlanner.POOLS.plan(DISJOINT).pools()).containsExactly(new Pool(10, 1), new Pool(16, 16),
      new Pool(4, 1));
  }

  @Test
  void theArenaHasThemEndToEnd() {
    assertThat(NaivePlanner.ARENA.plan(DISJOINT).placements()).containsExactly(new Placement(0, 0),
      new Placement(0, 16), new Placement(0, 32));
    assertThat(NaivePlanner.ARENA.plan(DISJOINT).peakBytes()).isEqualTo(36);
  }

  @Test
  void poolsTakeExactlyTheNaiveBytesAndNoPlannerMore() {
    for (long seed = 0; seed < 200; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      assertThat(NaivePlanner.POOLS.plan(problem).peakBytes()).isEqualTo(problem.unsharedBytes());
      assertThat(ReusePlanner.PLAIN.plan(problem).peakBytes()).isLessThanOrEqualTo(problem.unsharedBytes());
      assertThat(NaivePlanner.ARENA.plan(problem).peakBytes()).isGreaterThanOrEqualTo(problem.unsharedBytes());
    }
  }
}
