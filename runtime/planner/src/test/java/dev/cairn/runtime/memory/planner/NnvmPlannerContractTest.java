package dev.cairn.runtime.memory.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.memory.RandomProblems;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import dev.cairn.runtime.memory.planner.nnvm.NnvmPlanner;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NnvmPlannerContractTest extends PlannerContract {
  @Override
  List<MemoryPlanner> planners() {
    return List.of(NnvmPlanner.DEFAULT, NnvmPlanner.AUTO_SEARCH,
      new NnvmPlanner(NnvmOptions.DEFAULT.withMatchRange(0)), new NnvmPlanner(NnvmOptions.DEFAULT.withMatchRange(1)));
  }

  /** Peak over bound, as measured of the method elsewhere. */
  @ParameterizedTest
  @CsvSource({"idealloc/resnet50.csv, 1.090, 1.046", "idealloc/G_1.csv, 1.033, 1.022"})
  void recordedTrainingRunsTakeWhatTheMethodTakes(String file, double ratio, double searchedRatio) throws IOException {
    requireRatios(file, ratio, searchedRatio);
  }

  @Test
  @Tag("long")
  void aRunOfTwentyThousandBuffersTakesWhatTheMethodTakes() throws IOException {
    requireRatios("idealloc/pangu_2.6B.csv", 2.124, 1.895);
  }

  private static void requireRatios(String file, double ratio, double searchedRatio) throws IOException {
    MemoryProblem problem = ProblemCsv.read(RecordedProblems.file(file));
    Offset<Double> half = Offset.offset(0.0005);
    assertThat(PlanScore.of(problem, NnvmPlanner.DEFAULT.plan(problem)).ratio()).isCloseTo(ratio, half);
    assertThat(PlanScore.of(problem, NnvmPlanner.AUTO_SEARCH.plan(problem)).ratio()).isCloseTo(searchedRatio, half);
  }

  @Test
  void theChallengingProblemsTakeWhatTheMethodTakes() throws IOException {
    double least = Double.MAX_VALUE;
    double most = 0;
    double mostSearched = 0;
    for (String letter : List.of("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K")) {
      MemoryProblem problem = ProblemCsv.read(RecordedProblems.file(RecordedProblems.challenging(letter)));
      double ratio = PlanScore.of(problem, NnvmPlanner.DEFAULT.plan(problem)).ratio();
      least = Math.min(least, ratio);
      most = Math.max(most, ratio);
      mostSearched = Math.max(mostSearched, PlanScore.of(problem, NnvmPlanner.AUTO_SEARCH.plan(problem)).ratio());
    }
    Offset<Double> half = Offset.offset(0.005);
    assertThat(least).isCloseTo(1.28, half);
    assertThat(most).isCloseTo(3.25, half);
    assertThat(mostSearched).isCloseTo(2.96, half);
  }

  @Test
  void theSearchIsNeverWorseThanRange16() {
    Stream.iterate(0L, seed -> seed + 1).limit(120).map(RandomProblems::seeded).forEach(problem -> assertThat(
      NnvmPlanner.AUTO_SEARCH.plan(problem).peakBytes()).isLessThanOrEqualTo(
        NnvmPlanner.DEFAULT.plan(problem)
          .peakBytes()));
  }
}
