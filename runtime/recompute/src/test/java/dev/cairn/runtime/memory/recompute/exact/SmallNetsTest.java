package dev.cairn.runtime.memory.recompute.exact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.search.RecomputePlanner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Four small nets whose least costs are known for every budget. */
class SmallNetsTest {
  private static final long WORK = 2_000_000;
  private static final int MOST_STATES = 4_000_000;

  private static final String VGG = "8,8,;8,8,0;0,2,1;6,4,2;6,4,3;0,1,4;5,2,5;2,1,6";
  private static final String RESIDUAL = "6,4,;4,4,0;1,4,1;4,4,2;1,4,0 3;1,4,4;4,2,5;1,1,6";
  private static final String U_NET = "6,8,;1,4,0;6,4,1;1,2,2;6,2,3;1,4,4;6,4,2 5;1,8,6;6,8,0 7";
  private static final String ATTENTION = "2,4,;3,4,0;3,4,0;3,4,0;4,8,1 2;1,8,4;4,4,3 5;3,4,6;1,4,0 7";

  private static final String OF_VGG = "32 106";
  private static final String OF_RESIDUAL = "24 75, 28 69, 32 67";
  private static final String OF_U = "40 124, 42 118, 44 117, 46 112, 48 111, 52 110, 54 106, 56 105, 60 104, 64 103";
  private static final String OF_ATTENTION = "40 89, 41 88, 44 84, 45 83, 48 81, 49 80, 52 78, 53 77, 56 75, 60 73";

  @Test
  void vgg() {
    planned(VGG, 106, 34, 32, OF_VGG);
    searched(VGG, 32, 34, OF_VGG);
  }

  @Test
  void residual() {
    planned(RESIDUAL, 67, 32, 24, OF_RESIDUAL);
    searched(RESIDUAL, 24, 32, OF_RESIDUAL);
  }

  @Test
  @Tag("long")
  void uNet() {
    planned(U_NET, 103, 64, 40, OF_U);
  }

  @Test
  @Tag("long")
  void attention() {
    planned(ATTENTION, 73, 64, 40, OF_ATTENTION);
  }

  @Test
  @Tag("long")
  void exactSearchOfTheLargerNets() {
    searched(U_NET, 40, 64, OF_U);
    searched(ATTENTION, 40, 64, OF_ATTENTION);
  }

  /** The planner reaches each cost of the table with its budget. */
  private static void planned(String net, long once, long peak, long floor, String table) {
    RecomputeProblem problem = RecomputeProblems.net(net);
    assertThat(problem.costOnce()).isEqualTo(once);
    assertThat(WordJudge.peak(problem, problem.givenOrder())).isEqualTo(peak);
    assertThat(problem.floor().bytes()).isEqualTo(floor);
    for (String row : table.split(", ", -1)) {
      long budget = Long.parseLong(row.substring(0, row.indexOf(' ')));
      long cost = Long.parseLong(row.substring(row.indexOf(' ') + 1));
      RecomputeAnswer answer = RecomputePlanner.plan(problem, budget, WORK);
      assertThat(answer.fits()).as("budget %d", budget).isTrue();
      assertThat(answer.bound()).isLessThanOrEqualTo(cost);
      assertThat(answer.cost()).as("budget %d", budget).isEqualTo(cost);
    }
  }

  /** Nothing costs less than the table says; each of its costs holds up to the budget of the next. */
  private static void searched(String net, long floor, long peak, String table) {
    RecomputeProblem problem = RecomputeProblems.net(net);
    assertThat(ResidentSetSearch.search(problem, floor - 1, MOST_STATES).word()).isEmpty();
    String[] rows = table.split(", ", -1);
    for (int i = 0; i < rows.length; i++) {
      long cost = Long.parseLong(rows[i].substring(rows[i].indexOf(' ') + 1));
      long last = i + 1 < rows.length ? Long.parseLong(rows[i + 1].substring(0, rows[i + 1].indexOf(' '))) - 1 : peak;
      Word word = ResidentSetSearch.search(problem, last, MOST_STATES).word().orElseThrow();
      assertThat(WordJudge.peak(problem, word)).isLessThanOrEqualTo(last);
      assertThat(WordJudge.cost(problem, word)).as("budget %d", last).isEqualTo(cost);
    }
  }
}
