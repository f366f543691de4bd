package dev.cairn.runtime.memory.planner.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SearchLimitTest {
  @Test
  void stepsAloneEndIt() {
    var limit = new SearchLimit(SearchBudget.ofSteps(10));
    limit.spend(9);
    assertThat(limit.isReached()).isFalse();
    limit.spend(1);
    assertThat(limit.isReached()).isTrue();
    assertThat(limit.steps()).isEqualTo(10);
  }

  /** The clock is looked at every few calls, and once it was late, it stays late. */
  @Test
  void timeEndsItAtItsDeadline() {
    var clock = new ManualClock();
    var limit = new SearchLimit(SearchBudget.ofNanos(1_000), clock);
    clock.advance(Duration.ofNanos(999));
    assertThat(IntStream.range(0, 1_000).anyMatch(_ -> limit.isReached())).isFalse();
    clock.advance(Duration.ofNanos(1));
    assertThat(IntStream.range(0, 100).anyMatch(_ -> limit.isReached())).isTrue();
    assertThat(limit.isReached()).isTrue();
  }
}
