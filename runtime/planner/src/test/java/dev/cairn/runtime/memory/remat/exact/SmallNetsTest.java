package dev.cairn.runtime.memory.remat.exact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.remat.RematAnswer;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.RematProblems;
import dev.cairn.runtime.memory.remat.Word;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.memory.remat.search.RematPlanner;
import org.junit.jupiter.api.Test;

/** Four small nets whose least costs are known for every budget. */
class SmallNetsTest {
  private static final long WORK = 2_000_000;

  private static final String VGG = "8,8,;8,8,0;0,2,1;6,4,2;6,4,3;0,1,4;5,2,5;2,1,6";
  private static final String RESIDUAL = "6,4,;4,4,0;1,4,1;4,4,2;1,4,0 3;1,4,4;4,2,5;1,1,6";
  private static final String U_NET = "6,8,;1,4,0;6,4,1;1,2,2;6,2,3;1,4,4;6,4,2 5;1,8,6;6,8,0 7";
  private static final String ATTENTION = "2,4,;3,4,0;3,4,0;3,4,0;4,8,1 2;1,8,4;4,4,3 5;3,4,6;1,4,0 7";

  @Test
  void vgg() {
    check(VGG, 106, 34, 32, "32 106");
  }

  @Test
  void residual() {
    check(RESIDUAL, 67, 32, 24, "24 75, 28 69, 32 67");
  }

  @Test
  void uNet() {
    check(U_NET, 103, 64, 40,
      "40 124, 42 118, 44 117, 46 112, 48 111, 52 110, 54 106, 56 105, 60 104, 64 103");
  }

  @Test
  void attention() {
    check(ATTENTION, 73, 64, 40,
      "40 89, 41 88, 44 84, 45 83, 48 81, 49 80, 52 78, 53 77, 56 75, 60 73");
  }

  /** Each value of the table holds up to the budget of the next. */
  private static void check(String net, long once, long peak, long floor, String table) {
    RematProblem problem = RematProblems.net(net);
    assertThat(problem.costOnce()).isEqualTo(once);
    assertThat(WordJudge.peak(problem, problem.givenOrder())).isEqualTo(peak);
    assertThat(problem.floor().bytes()).isEqualTo(floor);
    assertThat(ResidentSetSearch.search(problem, floor - 1, 4_000_000).word()).isEmpty();
    String[] rows = table.split(", ", -1);
    for (int i = 0; i < rows.length; i++) {
      long budget = Long.parseLong(rows[i].substring(0, rows[i].indexOf(' ')));
      long cost = Long.parseLong(rows[i].substring(rows[i].indexOf(' ') + 1));
      long last = i + 1 < rows.length ? Long.parseLong(rows[i + 1].substring(0, rows[i + 1].indexOf(' '))) - 1 : peak;
      Word word = ResidentSetSearch.search(problem, last, 4_000_000).word().orElseThrow();
      assertThat(WordJudge.peak(problem, word)).isLessThanOrEqualTo(last);
      assertThat(WordJudge.cost(problem, word)).as("budget %d", last).isEqualTo(cost);
      RematAnswer answer = RematPlanner.plan(problem, budget, WORK);
      assertThat(answer.fits()).as("budget %d", budget).isTrue();
      assertThat(answer.bound()).isLessThanOrEqualTo(cost);
      assertThat(answer.cost()).as("budget %d", budget).isEqualTo(cost);
    }
  }
}
