package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.queue.Variable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How many operations are pending, and whether a thread is inside one. */
class EngineProgressTest extends EngineContract {
  @Test
  void anOperationKnowsThatItIsOne() {
    Variable variable = variable("x");
    var inside = new AtomicBoolean();
    engine.push(write("asks", () -> inside.set(engine.isInsideOperation()), variable));
    engine.waitForVariable(variable);
    assertThat(inside).isTrue();
    assertThat(engine.isInsideOperation()).isFalse();
  }

  @Test
  void whatHasNotEndedIsPending() throws InterruptedException {
    assertThat(engine.pending()).isZero();
    if (isNaive()) {
      return;
    }
    Variable variable = variable("x");
    var goOn = new CountDownLatch(1);
    engine.push(write("waits", () -> {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }, variable));
    engine.push(read("after", () -> {}, variable));
    assertThat(engine.pending()).isEqualTo(2);
    goOn.countDown();
    engine.waitForAll();
    assertThat(engine.pending()).isZero();
  }
}
