package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NaiveEngineTest extends EngineContract {
  @Override
  protected Engine newEngine() {
    return new NaiveEngine();
  }

  @Test
  void runsOnThePushersThreadBeforePushReturns() {
    var thread = new Thread[1];
    engine.push(new Task("t", List.of(), List.of(), () -> thread[0] = Thread.currentThread()));
    assertThat(thread[0]).isSameAs(Thread.currentThread());
  }

  @Test
  void failureComesStraightFromPushAndStillCountsAsWritten() {
    Variable variable = engine.newVariable("x");
    assertThatThrownBy(() -> engine.push(new Task("fails", List.of(), List.of(variable), () -> {
      throw new IllegalStateException("planted");
    }))).hasMessage("planted");
    assertThat(variable.version()).isEqualTo(1);
  }
}
