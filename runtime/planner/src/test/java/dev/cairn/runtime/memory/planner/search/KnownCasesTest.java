package dev.cairn.runtime.memory.planner.search;

import static dev.cairn.runtime.memory.planner.search.ExactSearchTest.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The kinds of case by which MiniMalloc is tested, made anew. */
class KnownCasesTest {
  private static final ExactSearch SEARCH = new ExactSearch(NaivePlanner.ARENA, SearchRules.ALL);
  private static final SearchBudget PLENTY = SearchBudget.ofSteps(50_000_000);

  @Test
  void oneThatIsTooBig() {
    assertImpossible(MemoryProblem.of(buffer(0, 5, 0, 1)), 4);
    assertFits(MemoryProblem.of(buffer(0, 5, 0, 1)), 5);
  }

  @Test
  void twoOfTwoInThree() {
    assertImpossible(MemoryProblem.of(buffer(0, 2, 0, 2), buffer(1, 2, 1, 3)), 3);
  }

  @Test
  void noStepHoldsMoreThanFourYetFourDoNotDo() {
    assertImpossible(ExactSearchTest.tricky(), 4);
    assertFits(ExactSearchTest.tricky(), 5);
  }

  @Test
  void fixedOffsetsAreKeptOrShownToBeInTheWay() {
    List<Buffer> buffers = List.of(buffer(0, 1, 0, 3), buffer(1, 1, 0, 1), buffer(2, 2, 1, 2), buffer(3, 1, 2, 4),
      buffer(4, 2, 3, 5));
    assertFits(new MemoryProblem(buffers), 3);
    List<Buffer> inTheMiddle = new ArrayList<>(buffers);
    inTheMiddle.set(3, buffers.get(3).withFixedOffset(1));
    assertImpossible(new MemoryProblem(inTheMiddle), 3);
    List<Buffer> outer = new ArrayList<>(buffers);
    outer.set(1, buffers.get(1).withFixedOffset(1));
    assertFits(new MemoryProblem(outer), 3);
    assertThat(SEARCH.fit(new MemoryProblem(outer), 3, PLENTY).plan().placements().get(1).offset()).isEqualTo(1);
    outer.set(0, buffers.get(0).withFixedOffset(1));
    outer.set(1, buffers.get(1));
    assertImpossible(new MemoryProblem(outer), 3);
  }

  @Test
  void partsThatNeverMeetUseTheSameBytes() {
    assertFits(MemoryProblem.of(buffer(0, 3, 0, 2), buffer(1, 1, 1, 3), buffer(2, 2, 3, 5), buffer(3, 2, 4, 6)), 4);
  }

  @Test
  void alignmentTakesRoom() {
    MemoryProblem problem = MemoryProblem.of(buffer(0, 1, 0, 2), buffer(1, 2, 0, 2).withAlignment(2),
      buffer(2, 1, 0, 2));
    assertFits(problem, 4);
    assertImpossible(MemoryProblem.of(buffer(0, 1, 0, 2).withFixedOffset(0), buffer(1, 2, 0, 2).withAlignment(2)), 3);
  }

  @Test
  void gapsInALifeAreOpenToOthers() {
    Buffer whole = buffer(0, 2, 0, 6);
    Buffer inside = buffer(1, 2, 2, 4);
    assertImpossible(MemoryProblem.of(whole, inside), 3);
    assertFits(MemoryProblem.of(whole.withGaps(List.of(new Lifetime(2, 4))), inside), 2);
    assertImpossible(MemoryProblem.of(whole.withGaps(List.of(new Lifetime(2, 3))), inside), 2);
  }

  /** Pieces that fill a field three high without a hole. */
  @Test
  void tetrisInThree() {
    assertFits(MemoryProblem.of(buffer(0, 1, 0, 4), buffer(1, 2, 0, 1), buffer(2, 1, 1, 3), buffer(3, 1, 1, 2),
      buffer(4, 1, 2, 5), buffer(5, 2, 4, 6), buffer(6, 1, 3, 4), buffer(7, 1, 5, 7), buffer(8, 3, 7, 8),
      buffer(9, 2, 6, 7)), 3);
  }

  /** Eight steps up and down again, each 18 high and held longer than the next. */
  @Test
  void stairsInAHundredAndFortyFour() {
    List<Buffer> buffers = new ArrayList<>();
    for (int step = 0; step < 8; step++) {
      buffers.add(buffer(2 * step, 18, step, 8));
      buffers.add(buffer(2 * step + 1, 18, 8, 16 - step));
    }
    for (int step = 0; step < 7; step++) {
      buffers.add(buffer(100 + step, 18L * (7 - step), step, step + 1));
    }
    assertFits(new MemoryProblem(buffers), 144);
    assertImpossible(new MemoryProblem(buffers), 143);
  }

  private static void assertFits(MemoryProblem problem, long capacity) {
    SearchResult result = SEARCH.fit(problem, capacity, PLENTY);
    PlanValidator.requireValid(problem, result.plan());
    assertThat(result.fits(capacity)).as("%s in %d", result, capacity).isTrue();
    assertThat(bruteForceOrNothing(problem)).isLessThanOrEqualTo(capacity);
  }

  private static void assertImpossible(MemoryProblem problem, long capacity) {
    SearchResult result = SEARCH.fit(problem, capacity, PLENTY);
    assertThat(result.isImpossible(capacity)).as("%s in %d", result, capacity).isTrue();
    assertThat(result.fits(capacity)).isFalse();
    if (problem.size() <= 8) {
      assertThat(BruteForce.height(problem)).isGreaterThan(capacity);
    }
  }

  private static long bruteForceOrNothing(MemoryProblem problem) {
    return problem.size() <= 8 ? BruteForce.height(problem) : 0;
  }
}
