package dev.cairn.runtime.memory.planner.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.RecordedProblems;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MiniMalloc's eleven challenging sets. Steps rather than seconds, as those are the same everywhere. */
class HardProblemsTest {
  private static final ExactSearch SEARCH = new ExactSearch(BestFitPortfolio.ALL, SearchRules.ALL);
  private static final SearchBudget BUDGET = SearchBudget.ofSteps(200_000_000);
  private static final long CAPACITY = 1_048_576;

  @ParameterizedTest
  @ValueSource(strings = {"A", "B", "C"})
  void fitsItsCapacity(String letter) throws IOException {
    requireFit(letter);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"D", "E", "F", "G", "H", "I", "J", "K"})
  void eachOtherFitsItsCapacity(String letter) throws IOException {
    requireFit(letter);
  }

  private static void requireFit(String letter) throws IOException {
    MemoryProblem problem = problem(letter);
    SearchResult result = SEARCH.fit(problem, CAPACITY, BUDGET);
    PlanValidator.requireValid(problem, result.plan());
    assertThat(result.fits(CAPACITY)).as("%s: %s", letter, result).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "B", "C"})
  void isSolvedToTheOptimum(String letter) throws IOException {
    requireOptimum(letter);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"E", "F", "G", "H", "I", "K"})
  void eachOtherIsSolvedToTheOptimum(String letter) throws IOException {
    requireOptimum(letter);
  }

  private static void requireOptimum(String letter) throws IOException {
    MemoryProblem problem = problem(letter);
    SearchResult result = SEARCH.minimise(problem, BUDGET);
    PlanValidator.requireValid(problem, result.plan());
    assertThat(result.isOptimal()).as("%s: %s", letter, result).isTrue();
  }

  /** The best heights that other programs have found are 1038336 for D and 1041408 for J. */
  @ParameterizedTest
  @Tag("long")
  @CsvSource({"D, 1024000", "J, 1034240"})
  void goesBelowWhatWasKnown(String letter, long capacity) throws IOException {
    MemoryProblem problem = problem(letter);
    SearchResult result = SEARCH.fit(problem, capacity, BUDGET);
    PlanValidator.requireValid(problem, result.plan());
    assertThat(result.fits(capacity)).as("%s: %s", letter, result).isTrue();
  }

  private static MemoryProblem problem(String letter) throws IOException {
    return ProblemCsv.read(RecordedProblems.file(RecordedProblems.challenging(letter)));
  }
}
