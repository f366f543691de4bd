package dev.cairn.runtime.memory.planner.improve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MoveBudgetTest {
  @Test
  void movesAloneEndIt() {
    MoveBudget budget = MoveBudget.ofMoves(2);
    budget.move();
    assertThat(budget.isSpent()).isFalse();
    budget.move();
    assertThat(budget.isSpent()).isTrue();
    assertThat(budget.timeIsUp()).isFalse();
  }

  @Test
  void timeEndsItAtItsDeadlineWhateverMovesAreLeft() {
    var clock = new ManualClock();
    MoveBudget budget = MoveBudget.of(Long.MAX_VALUE, 50, clock);
    clock.advance(Duration.ofNanos(49));
    assertThat(budget.isSpent()).isFalse();
    clock.advance(Duration.ofNanos(1));
    assertThat(budget.timeIsUp()).isTrue();
    assertThat(budget.isSpent()).isTrue();
    assertThat(budget.movesLeft()).isPositive();
  }
}
