package dev.cairn.runtime.memory.recompute.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values that wait in the host's memory: enough of them, at the right time, and no more. */
class OffloadPlannerTest {
  /** Layers of equal work and bytes, then their gradients, each of which reads its layer's result. */
  private static RecomputeProblem layers(int count, long work) {
    RecomputeProblem chain = RecomputeProblems.chain(count);
    var problem = RecomputeProblem.builder(chain.order());
    for (int node = 0; node < chain.nodes(); node++) {
      problem.cost(node, work);
    }
    return problem.build();
  }

  @Test
  void halfOfAChainFitsAndNoStepWaitsWhenCopiesAreAsFastAsSteps() {
    RecomputeProblem problem = layers(40, 10);
    Word word = problem.givenOrder();
    long peak = WordJudge.peak(problem, word);
    OffloadAnswer answer = OffloadPlanner.plan(problem, word, peak / 2, 1, 5);
    assertThat(answer.peakBytes()).isLessThanOrEqualTo(peak / 2);
    assertThat(answer.hidden()).isGreaterThanOrEqualTo(0.9);
    assertThat(answer.moves()).hasSizeBetween((int) (peak / 2), 40);
  }

  @Test
  void whatFitsAndWhatIsTooSmallStays() {
    RecomputeProblem problem = layers(40, 10);
    Word word = problem.givenOrder();
    long peak = WordJudge.peak(problem, word);
    assertThat(OffloadPlanner.plan(problem, word, peak, 1, 5).moves()).isEmpty();
    assertThat(OffloadPlanner.plan(problem, word, peak / 2, 2, 5).moves()).as("each has one byte").isEmpty();
  }

  @Test
  void stepsWaitWhereCopiesAreSlow() {
    RecomputeProblem problem = layers(40, 10);
    Word word = problem.givenOrder();
    long peak = WordJudge.peak(problem, word);
    OffloadAnswer slow = OffloadPlanner.plan(problem, word, peak / 4, 1, 100);
    assertThat(slow.peakBytes()).isLessThanOrEqualTo(peak / 4);
    assertThat(slow.takenWork()).isGreaterThan((double) slow.work());
    assertThat(slow.hidden()).isBetween(0.0, 1.0);
  }

  /**
   * One value waits for ten steps of work 10, and takes 20 each way: the copies run beside the steps, and limit for how
   * many steps the bytes are free.
   */
  @Test
  void aCopyGoesOutAfterTheLastUseAndComesBackInTimeForTheNext() {
    var order = OrderProblem.builder(12);
    int waiting = order.value(0, 4, false, 11);
    for (int node = 1; node < 11; node++) {
      order.value(node, 1, false, node + 1);
    }
    var problem = RecomputeProblem.builder(order.build());
    for (int node = 0; node < 12; node++) {
      problem.cost(node, 10);
    }
    RecomputeProblem built = problem.build();
    OffloadAnswer answer = OffloadPlanner.plan(built, built.givenOrder(), 7, 2, 5);
    // Its bytes are needed at the first two steps, while it is copied out, and at the last three.
    assertThat(answer.moves()).isEmpty();
    var moved = OffloadPlanner.plan(built, built.givenOrder(), 5, 2, 5);
    assertThat(moved.moves()).singleElement().satisfies(it -> {
      assertThat(it.value()).isEqualTo(waiting);
      assertThat(it.from()).isZero();
      assertThat(it.to()).isEqualTo(11);
    });
    assertThat(moved.peakBytes()).isLessThanOrEqualTo(6);
  }

  @Test
  void randomProblemsHoldWhatIsSaidAndCopiesLieBetweenUses() {
    for (int seed = 0; seed < 300; seed++) {
      RecomputeProblem problem = seed % 2 == 0
        ? RecomputeProblems.random(seed, 30)
        : RecomputeProblems.randomTraining(seed, 15);
      Word word = problem.givenOrder();
      long peak = WordJudge.peak(problem, word);
      long capacity = peak * (30 + seed % 60) / 100;
      OffloadAnswer answer = OffloadPlanner.plan(problem, word, capacity, 1, 1 + seed % 4);
      assertThat(answer.peakBytes()).isEqualTo(judged(problem, word, answer.moves()));
      assertThat(answer.takenWork()).isGreaterThanOrEqualTo((double) answer.work());
      assertThat(answer).isEqualTo(OffloadPlanner.plan(problem, word, capacity, 1, 1 + seed % 4));
    }
  }

  /** A copy that takes longer than all steps relieves nothing without steps that wait. */
  @Test
  void whatIsAskedForRelievesItsWaitThoughStepsWait() {
    RecomputeProblem problem = layers(40, 10);
    Word word = problem.givenOrder();
    var always = new BitSet();
    always.set(0);
    for (double workPerByte : new double[] {1, 1e6}) {
      OffloadAnswer answer = OffloadPlanner.plan(problem, word, Long.MAX_VALUE, 1, workPerByte, new OffloadHints(always,
        new BitSet()));
      assertThat(answer.moves()).singleElement().satisfies(it -> {
        assertThat(it.value()).isZero();
        assertThat(it.relieves((it.from() + it.to()) / 2)).isTrue();
      });
      assertThat(answer.peakBytes()).isEqualTo(WordJudge.peak(problem, word) - 1);
    }
  }

  /** What a word holds with moves, and whether no step uses what is away: by looking at each step. */
  private static long judged(RecomputeProblem problem, Word word, List<OffloadMove> moves) {
    long[] held = WordJudge.bytesByStep(problem, word);
    for (OffloadMove move : moves) {
      assertThat(problem.order().isKept(move.value())).isFalse();
      for (int step = move.from() + 1; step < move.to(); step++) {
        assertThat(problem.order().read(word.node(step))).doesNotContain(move.value());
        assertThat(problem.order().made(word.node(step))).doesNotContain(move.value());
      }
      assertThat(problem.order().read(word.node(move.to()))).contains(move.value());
      for (int step = move.out(); step < move.in(); step++) {
        held[step] -= move.bytes();
      }
    }
    long most = 0;
    for (long bytes : held) {
      most = Math.max(most, bytes);
    }
    return most;
  }

  @Test
  void aMoveThatIsNotBetweenItsUsesIsRefused() {
    assertThatThrownBy(() -> new OffloadMove(0, 1, 3, 5, 3, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OffloadMove(0, 1, 3, 5, 5, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OffloadMove(0, 1, 3, 5, 4, 6)).isInstanceOf(IllegalArgumentException.class);
  }
}
