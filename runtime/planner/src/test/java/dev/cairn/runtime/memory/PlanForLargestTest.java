package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlanForLargestTest {
  private static MemoryProblem shrunk(MemoryProblem problem, long seed) {
    Random random = new Random(seed);
    List<Buffer> buffers = new ArrayList<>();
    for (Buffer it : problem.buffers()) {
      long bytes = random.nextInt(3) == 0 ? it.bytes() : (long) (it.bytes() * random.nextDouble());
      buffers.add(new Buffer(it.name(), bytes, it.lifetime(), it.alignment(), it.reuseKey(), it.reusable(), it.output(),
        it.constraints()));
    }
    return new MemoryProblem(buffers);
  }

  @Test
  void everySmallerProblemIsServed() {
    for (long seed = 0; seed < 300; seed++) {
      MemoryProblem largest = RandomProblems.seeded(seed);
      MemoryPlan plan = BestFitPortfolio.ALL.plan(largest);
      MemoryProblem smaller = shrunk(largest, seed);
      MemoryPlan served = new PlanForLargest(largest, plan).serve(smaller);
      assertThat(PlanValidator.validate(smaller, served)).as("seed %d", seed).isEmpty();
      assertThat(served.pools()).isEqualTo(plan.pools());
    }
  }

  private static final MemoryProblem LARGEST = MemoryProblem.of(Buffer.of("a", 100, new Lifetime(0, 2)),
    Buffer.of("b", 50, new Lifetime(1, 3)), Buffer.of("c", 100, new Lifetime(2, 4)));
  private static final PlanForLargest PLAN = new PlanForLargest(LARGEST, BestFitPortfolio.ALL.plan(LARGEST));

  @Test
  void aLargerBufferIsNamedWithBothSizes() {
    MemoryProblem larger = MemoryProblem.of(Buffer.of("b", 51, new Lifetime(1, 3)));
    assertThatThrownBy(() -> PLAN.serve(larger)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("buffer=b").hasMessageContaining("bytes=51").hasMessageContaining("planned=50");
  }

  @Test
  void anUnknownBufferIsNamed() {
    assertThatThrownBy(() -> PLAN.serve(MemoryProblem.of(Buffer.of("d", 1, new Lifetime(0, 1)))))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("buffer=d");
  }

  @Test
  void otherLivesThatMakeThePlanWrongAreRefused() {
    MemoryProblem longer = MemoryProblem.of(Buffer.of("a", 100, new Lifetime(0, 4)), Buffer.of("c", 100,
      new Lifetime(2, 4)));
    assertThatThrownBy(() -> PLAN.serve(longer)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("overlap");
    MemoryProblem fewer = MemoryProblem.of(Buffer.of("c", 1, new Lifetime(0, 9)));
    assertThat(PLAN.serve(fewer).placements()).hasSize(1);
  }
}
