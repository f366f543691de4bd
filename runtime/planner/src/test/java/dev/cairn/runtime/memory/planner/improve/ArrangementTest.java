package dev.cairn.runtime.memory.planner.improve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.RandomProblems;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.GapChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArrangementTest {
  private static final MoveBudget UNLIMITED = MoveBudget.ofMoves(0);

  @Test
  void passPlacesAsTheBestFitPlannerOfTheSameOrder() {
    for (long seed = 0; seed < 100; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      Rectangles rectangles = ManyBuffers.rectangles(problem);
      if (rectangles.count() == 0) {
        continue;
      }
      Arrangement arrangement = new Arrangement(rectangles);
      for (BestFitPlanner planner : BestFitPortfolio.ALL.planners()) {
        int[] sequence = rectangles.rectanglesOf(planner.order().sequence(problem));
        long top = arrangement.fit(sequence, planner.choice(), Arrangement.TOO_HIGH, UNLIMITED);
        var placements = planner.plan(problem).placements();
        long[] offsets = new long[problem.size()];
        rectangles.writeByBuffer(arrangement.offsets(), offsets);
        assertThat(offsets).as("seed %d %s", seed, planner.name()).isEqualTo(placements.stream().mapToLong(it -> it
          .offset()).toArray());
        assertThat(top).isEqualTo(arrangement.top());
      }
    }
  }

  @Test
  void passGivesUpWhenItIsNoBetter() {
    Rectangles rectangles = ManyBuffers.rectangles(1, 500);
    Arrangement arrangement = new Arrangement(rectangles);
    int[] sequence = Orders.longestFirst(rectangles);
    long top = arrangement.fit(sequence, GapChoice.SMALLEST, Arrangement.TOO_HIGH, UNLIMITED);
    assertThat(arrangement.fit(sequence, GapChoice.SMALLEST, top, UNLIMITED)).isEqualTo(Arrangement.TOO_HIGH);
    assertThat(arrangement.fit(sequence, GapChoice.SMALLEST, top + 1, UNLIMITED)).isEqualTo(top);
  }

  @Test
  void neighboursAreThoseOfANaiveScanWhateverWasPlacedAndRemoved() {
    Random random = new Random(5);
    Rectangles rectangles = ManyBuffers.rectangles(2, 3_000);
    Arrangement arrangement = new Arrangement(rectangles);
    long[] offsets = new long[rectangles.count()];
    for (int turn = 0; turn < 8_000; turn++) {
      int rectangle = random.nextInt(rectangles.count());
      if (arrangement.isPlaced(rectangle)) {
        arrangement.remove(rectangle);
      } else {
        offsets[rectangle] = random.nextInt(50);
        arrangement.place(rectangle, offsets[rectangle]);
      }
      if (turn % 50 == 0 && !arrangement.isPlaced(rectangle)) {
        assertThat(listed(arrangement.neighbours(rectangle)))
          .containsExactlyElementsOf(naive(rectangles, arrangement, rectangle));
      }
    }
  }

  @Test
  void restoreBringsBackWhatWasThere() {
    Random random = new Random(6);
    Rectangles rectangles = ManyBuffers.rectangles(3, 1_000);
    Arrangement arrangement = new Arrangement(rectangles);
    arrangement.fit(Orders.outwards(rectangles), GapChoice.SMALLEST, Arrangement.TOO_HIGH, UNLIMITED);
    long[] before = arrangement.offsets();
    long top = arrangement.top();
    for (int i = 0; i < 300; i++) {
      int rectangle = random.nextInt(rectangles.count());
      if (arrangement.isPlaced(rectangle)) {
        arrangement.remove(rectangle);
        if (i % 2 == 0) {
          arrangement.place(rectangle, random.nextInt(1_000));
        }
      }
    }
    arrangement.restore(before);
    assertThat(arrangement.offsets()).isEqualTo(before);
    assertThat(arrangement.top()).isEqualTo(top);
    assertThat(arrangement.fit(Orders.outwards(rectangles), GapChoice.SMALLEST, Arrangement.TOO_HIGH, UNLIMITED))
      .isEqualTo(top);
  }

  private static List<Integer> listed(Neighbours neighbours) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < neighbours.count(); i++) {
      found.add(neighbours.rectangle(i));
    }
    return found;
  }

  private static List<Integer> naive(Rectangles rectangles, Arrangement arrangement, int rectangle) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < rectangles.count(); i++) {
      boolean meet = rectangles.first(i) < rectangles.end(rectangle) && rectangles.first(rectangle) < rectangles.end(i);
      if (meet && arrangement.isPlaced(i)) {
        found.add(i);
      }
    }
    found.sort((a, b) -> arrangement.offset(a) == arrangement.offset(b)
      ? Integer.compare(a, b)
      : Long.compare(arrangement.offset(a), arrangement.offset(b)));
    return found;
  }
}
