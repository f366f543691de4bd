package dev.cairn.runtime.memory.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.memory.planner.improve.ImprovingPlanner;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the improving planner reaches on recorded training runs, with a number of moves that is always the same. */
class LargeTracesTest {
  @Test
  void contestTraceOfHundredsMeetsTheBound() throws IOException {
    assertThat(ratio("idealloc/G_1.csv", 1_000)).isEqualTo(1.0);
  }

  @Test
  void resnetTrainingIsWithinATwentiethOfAPerMille() throws IOException {
    assertThat(ratio("idealloc/resnet50.csv", 4_000)).isLessThan(1.00005);
  }

  @Test
  @Tag("long")
  void transformerTrainingOfTwentyThousandMeetsTheBound() throws IOException {
    assertThat(ratio("idealloc/pangu_2.6B.csv", 2_000)).isEqualTo(1.0);
  }

  @Test
  @Tag("long")
  void contestTraceOfThirtyThousandIsWithinATenthOfAPerMille() throws IOException {
    assertThat(ratio("idealloc/S_1.csv", 2_000)).isLessThan(1.0001);
  }

  private static double ratio(String file, long moves) throws IOException {
    MemoryProblem problem = ProblemCsv.read(RecordedProblems.file(file));
    MemoryPlan plan = PlanValidator.requireValid(problem, new ImprovingPlanner(moves).plan(problem));
    PlanScore score = PlanScore.of(problem, plan);
    System.out.println(file + " " + score);
    return score.ratio();
  }
}
