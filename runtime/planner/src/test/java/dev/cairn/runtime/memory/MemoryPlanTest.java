package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
  private static final MemoryProblem PROBLEM = MemoryProblem.of(
    Buffer.of("x", 10, new Lifetime(0, 2)).withAlignment(64), Buffer.of("y", 20, new Lifetime(1, 3)));

  @Test
  void anArenaIsAsHighAndAlignedAsItsBuffersNeed() {
    MemoryPlan plan = MemoryPlan.inOneArena("test", PROBLEM, new long[] {64, 3});
    assertThat(plan.pools()).containsExactly(new Pool(128, 64));
    assertThat(plan.placements()).containsExactly(new Placement(0, 64), new Placement(0, 3));
  }

  @Test
  void peakIsTheSumOfThePools() {
    assertThat(new MemoryPlan("test", List.of(), List.of()).peakBytes()).isZero();
    assertThat(new MemoryPlan("test", List.of(new Pool(5, 1), new Pool(7, 8)), List.of()).peakBytes()).isEqualTo(12);
    MemoryPlan huge = new MemoryPlan("test", List.of(new Pool(Long.MAX_VALUE, 1), new Pool(1, 1)), List.of());
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(huge::peakBytes);
  }

  @Test
  void textFormHasALineForEachPoolAndBuffer() {
    MemoryPlan plan = MemoryPlan.inOneArena("test", PROBLEM, new long[] {64, 3});
    assertThat(plan).hasToString("""
      plan by test: 2 buffers in 1 pools
      pool 0: 128 bytes align=64
      buffer 0 at 0+64
      buffer 1 at 0+3""");
    assertThat(plan.text(PROBLEM)).isEqualTo("""
      plan by test: 2 buffers in 1 pools
      pool 0: 128 bytes align=64
      x: 10 bytes [0, 2) align=64 at 0+64
      y: 20 bytes [1, 3) at 0+3""");
    assertThat(plan.text(MemoryProblem.of(PROBLEM.buffer(0)))).endsWith("no such buffer 1 at 0+3");
  }

  @Test
  void badPoolsSayWhatIsWrong() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Pool(-1, 1)).withMessage("negative pool: bytes=-1");
    assertThatIllegalArgumentException().isThrownBy(() -> new Pool(1, 12))
      .withMessage("alignment is not a power of two: pool alignment=12");
  }
}
