package dev.cairn.runtime.memory.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.memory.RandomProblems;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BestFitPortfolioTest {
  @Test
  void isThePlanOfItsFirstBestPlanner() {
    int improved = 0;
    for (long seed = 0; seed < 400; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      List<MemoryPlan> plans = BestFitPortfolio.ALL.planners().stream().map(planner -> planner.plan(problem)).toList();
      long best = plans.stream().mapToLong(MemoryPlan::peakBytes).min().orElseThrow();
      MemoryPlan firstBest = plans.stream().filter(plan -> plan.peakBytes() == best).findFirst().orElseThrow();
      assertThat(BestFitPortfolio.ALL.plan(problem)).as("seed %d", seed).isEqualTo(firstBest);
      improved += best < plans.getFirst().peakBytes() ? 1 : 0;
    }
    assertThat(improved).as("problems on which another order beats by size").isPositive();
  }

  @Test
  void planWithNothingToGainComesFromThePlannerNamedFirst() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 1)));
    for (BestFitPlanner first : BestFitPortfolio.ALL.planners()) {
      BestFitPortfolio portfolio = new BestFitPortfolio(List.of(first, BestFitPlanner.BY_SIZE));
      assertThat(portfolio.plan(problem).planner()).isEqualTo(first.name());
    }
  }

  @Test
  void mustNotBeEmpty() {
    assertThatIllegalArgumentException().isThrownBy(() -> new BestFitPortfolio(List.of()))
      .withMessage("portfolio without planners");
  }

  @Test
  void theLastBytesOfTheRecordedTracesAreFound() throws IOException {
    assertThat(ratio("idealloc/G_1.csv")).isEqualTo(1.0);
    assertThat(ratio("idealloc/resnet50.csv")).isLessThan(1.0031);
  }

  private static double ratio(String file) throws IOException {
    MemoryProblem problem = ProblemCsv.read(RecordedProblems.file(file));
    return PlanScore.of(problem, BestFitPortfolio.ALL.plan(problem)).ratio();
  }
}
