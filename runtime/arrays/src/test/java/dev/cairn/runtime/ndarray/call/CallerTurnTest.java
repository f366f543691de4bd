package dev.cairn.runtime.ndarray.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.engine.queue.Completion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An operation whose work the caller does ends, whatever the caller throws. */
class CallerTurnTest {
  private static final RuntimeException PLANTED = new IllegalArgumentException("planted");

  /** Notes what it is told; may fail to begin. */
  private static final class Noted implements Completion {
    private final List<String> told = new ArrayList<>();
    private final boolean failsToBegin;

    Noted(boolean failsToBegin) {
      this.failsToBegin = failsToBegin;
    }

    @Override
    public void started() {
      told.add("started");
      if (failsToBegin) {
        throw PLANTED;
      }
    }

    @Override
    public void complete() {
      told.add("complete");
    }

    @Override
    public void fail(Throwable cause) {
      told.add("failed: " + cause.getMessage());
    }
  }

  private static void fail() {
    throw PLANTED;
  }

  @Test
  void whatTheWorkGivesComesBack() {
    var turn = new CallerTurn(false);
    var noted = new Noted(false);
    turn.start(noted);
    assertThat(turn.<Integer>run(() -> {}, () -> 7)).isEqualTo(7);
    assertThat(noted.told).containsExactly("started", "complete");
  }

  @Test
  void aWriteThatCannotBeginEndsAsFailedAndAReadAsDone() {
    for (boolean isRead : new boolean[] {false, true}) {
      var turn = new CallerTurn(isRead);
      var noted = new Noted(true);
      turn.start(noted);
      assertThatThrownBy(() -> turn.run(() -> {}, () -> 7)).isSameAs(PLANTED);
      assertThat(noted.told).containsExactly("started", isRead ? "complete" : "failed: planted");
    }
  }

  /** The wait itself throws; the operation was pushed and starts later. */
  @Test
  void aTurnThatComesAfterItsCallerHasLeftEndsAtOnce() {
    var turn = new CallerTurn(false);
    assertThatThrownBy(() -> turn.run(CallerTurnTest::fail, () -> 7)).isSameAs(PLANTED);
    var noted = new Noted(false);
    turn.start(noted);
    assertThat(noted.told).containsExactly("failed: planted");
  }
}
