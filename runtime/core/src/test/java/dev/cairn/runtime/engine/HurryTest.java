package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that leave pushers alone for ten minutes unless somebody waits: without word of that, no test would end. */
@Timeout(60)
class HurryTest {
  private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** One thread for normal work, and one for prioritised. */
  private static final class TwoLoneThreads implements Routing {
    private final @Nullable WorkerGroup[] groups = new WorkerGroup[2];

    @Override
    public boolean runsOnPusher(FunctionProperty property) {
      return false;
    }

    @Override
    public synchronized WorkerGroup group(Operation operation, BlockRunner runner) {
      int index = operation.property() == FunctionProperty.CPU_PRIORITIZED ? 1 : 0;
      if (groups[index] == null) {
        groups[index] = new WorkerGroup("test" + index, 1, new FifoQueue(1), runner,
          new IdlePolicy(LONG_NANOS, LONG_NANOS),
          Worker::start);
      }
      return groups[index];
    }

    @Override
    public synchronized @Nullable WorkerGroup host() {
      return groups[0];
    }

    @Override
    public synchronized void hurry() {
      for (WorkerGroup group : groups) {
        if (group != null) {
          group.hurry();
        }
      }
    }

    @Override
    public synchronized void stop() {
      for (int i = 0; i < groups.length; i++) {
        if (groups[i] != null) {
          groups[i].stop();
          groups[i] = null;
        }
      }
    }
  }

  private final Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new TwoLoneThreads());
  private final Variable x = engine.newVariable("x");
  private final AtomicInteger ran = new AtomicInteger();

  @Test
  void everyWaitIsHeardOf() throws TimeoutException {
    for (int i = 0; i < 100; i++) {
      engine.push(Operation.of("one", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForVariable(x);
      engine.push(Operation.of("two", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForVariable(x, Duration.ofMinutes(1));
      engine.push(Operation.of("three", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForAll();
      engine.push(Operation.of("four", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForAll(Duration.ofMinutes(1));
    }
    engine.push(Operation.of("last", Footprint.writing(x), ran::incrementAndGet));
    engine.close();
    assertThat(ran).hasValue(401);
  }

  @Test
  void whatAnEndLetsInRunsThoughNobodyWaits() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var other = new CountDownLatch(1);
    // The other thread has run something, and looks for more.
    engine.push(Operation.of("before", Footprint.NONE, other::countDown).with(FunctionProperty.CPU_PRIORITIZED));
    other.await();
    engine.push(Operation.of("holds", Footprint.writing(x), () -> awaitGate(gate)));
    engine.push(Operation.of("behind", Footprint.writing(x), end::countDown).with(FunctionProperty.CPU_PRIORITIZED));
    gate.countDown();
    end.await();
    engine.close();
    assertThat(end.getCount()).isZero();
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
