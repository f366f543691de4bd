package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LowerBoundTest {
  @Test
  void withoutBuffersItIsZero() {
    assertThat(LowerBound.of(MemoryProblem.of())).isEqualTo(new LowerBound(0, 0));
    assertThat(LowerBound.of(MemoryProblem.of(Buffer.of("none", 0, new Lifetime(4, 5)))).bytes()).isZero();
  }

  /** The two heap sizes that XLA's heap simulator tests for. */
  @Test
  void heapsOfXla() {
    MemoryProblem together = MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 8)),
      Buffer.of("b", 20, new Lifetime(1, 8)), Buffer.of("c", 30, new Lifetime(2, 8)),
      Buffer.of("d", 30, new Lifetime(3, 8)));
    MemoryProblem oneByOne = MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 8)),
      Buffer.of("b", 20, new Lifetime(1, 2)), Buffer.of("c", 30, new Lifetime(3, 4)),
      Buffer.of("d", 5, new Lifetime(5, 6)));
    assertThat(LowerBound.of(together)).isEqualTo(new LowerBound(90, 3));
    assertThat(LowerBound.of(oneByOne)).isEqualTo(new LowerBound(40, 3));
  }

  @Test
  void whatEndsWhereAnotherBeginsIsNotCountedWithIt() {
    assertThat(LowerBound.of(MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 3)),
      Buffer.of("b", 11, new Lifetime(3, 4))))).isEqualTo(new LowerBound(11, 3));
  }

  @Test
  void countsReservedBytesAndOutputsToTheEnd() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("out", 10, new Lifetime(0, 1)).asOutput().withAlignment(16),
      Buffer.of("b", 11, new Lifetime(3, 4)));
    assertThat(LowerBound.of(problem)).isEqualTo(new LowerBound(27, 3));
  }

  @Test
  void equalsTheSumOverEachStep() {
    for (long seed = 0; seed < 300; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      LowerBound expected = new LowerBound(0, 0);
      for (int step = 0; step < problem.steps(); step++) {
        long sum = reservedAt(problem, step);
        if (sum > expected.bytes()) {
          expected = new LowerBound(sum, step);
        }
      }
      assertThat(LowerBound.of(problem)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void aScoreComparesWithBoundAndUnshared() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 1)).withAlignment(16),
      Buffer.of("b", 48, new Lifetime(1, 2)).withAlignment(16));
    PlanScore score = PlanScore.of(problem, MemoryPlan.inOneArena("test", problem, new long[] {48, 0}));
    assertThat(score).isEqualTo(new PlanScore("test", 64, 48, 64, 0));
    assertThat(score).hasToString("test: peak=64 bound=48 ratio=1.3333 unshared=64 padding=0");
    MemoryProblem onlyA = MemoryProblem.of(problem.buffer(0));
    assertThat(PlanScore.of(onlyA, MemoryPlan.inOneArena("test", onlyA, new long[1])).paddingBytes()).isEqualTo(6);
    MemoryProblem empty = MemoryProblem.of();
    PlanScore nothing = PlanScore.of(empty, MemoryPlan.inOneArena("test", empty, new long[0]));
    assertThat(nothing.ratio()).isEqualTo(1);
  }

  private static long reservedAt(MemoryProblem problem, int step) {
    Lifetime now = new Lifetime(step, step + 1);
    List<Lifetime> held = problem.held();
    return IntStream.range(0, problem.size()).filter(i -> held.get(i).overlaps(now))
      .mapToLong(i -> problem.buffer(i).reservedBytes()).sum();
  }
}
