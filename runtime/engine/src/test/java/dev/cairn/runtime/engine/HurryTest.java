package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.worker.IdlePolicy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Workers leave pushers alone until a thread waits. If a worker does not notice the wait, the test hangs. */
class HurryTest {
  private static final long FOR_EVER_NANOS = Long.MAX_VALUE / 4;

  private final Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new LoneWorkers(new IdlePolicy(
    FOR_EVER_NANOS, FOR_EVER_NANOS)));
  private final Variable x = engine.newVariable("x");
  private final AtomicInteger ran = new AtomicInteger();

  @Test
  void everyWaitIsHeardOf() throws TimeoutException {
    for (int i = 0; i < 10; i++) {
      engine.push(Operation.of("one", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForVariable(x);
      engine.push(Operation.of("two", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForVariable(x, EngineContract.LONG);
      engine.push(Operation.of("three", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForAll();
      engine.push(Operation.of("four", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForAll(EngineContract.LONG);
    }
    engine.push(Operation.of("last", Footprint.writing(x), ran::incrementAndGet));
    engine.close();
    assertThat(ran).hasValue(41);
  }

  @Test
  void whatAnEndLetsInRunsThoughNobodyWaits() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var other = new CountDownLatch(1);
    // The other thread has run something, and looks for more.
    engine.push(Operation.of("before", Footprint.NONE, other::countDown).with(FunctionProperty.CPU_PRIORITIZED));
    other.await();
    engine.push(Operation.of("holds", Footprint.writing(x), () -> EngineContract.await(gate)));
    engine.push(Operation.of("behind", Footprint.writing(x), end::countDown).with(FunctionProperty.CPU_PRIORITIZED));
    gate.countDown();
    end.await();
    engine.close();
    assertThat(end.getCount()).isZero();
  }
}
