package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The system has no thread left for an engine: what was pushed fails or runs, and nobody hangs. */
@Timeout(60)
class NoThreadTest {
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger starts = new AtomicInteger();

  /** One group for all; so many starts fail as {@code refusals} says. */
  private final class OneGroup implements Routing {
    private final int threads;
    private @Nullable WorkerGroup group;

    OneGroup(int threads) {
      this.threads = threads;
    }

    @Override
    public boolean runsOnPusher(FunctionProperty property) {
      return false;
    }

    @Override
    public synchronized WorkerGroup group(Operation operation, BlockRunner runner) {
      if (group == null) {
        group = new WorkerGroup("test", threads, new FifoQueue(threads), runner, 0, NoThreadTest.this::start);
      }
      return group;
    }

    @Override
    public void stop() {
      Objects.requireNonNull(group).stop();
      group = null;
    }
  }

  private void start(Worker worker) {
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new OutOfMemoryError("planted: unable to create native thread");
    }
    starts.incrementAndGet();
    worker.start();
  }

  @Test
  void withoutAThreadOperationsFailDeletesRunAndTheNextPushTriesAgain() {
    refusals.set(3);
    try (Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new OneGroup(1))) {
      Variable x = engine.newVariable("x");
      Variable y = engine.newVariable("y");
      var ran = new AtomicInteger();
      engine.push(Operation.of("no thread", Footprint.writing(x), ran::incrementAndGet));
      engine.push(Operation.of("skipped", Footprint.writing(x), ran::incrementAndGet));
      engine.deleteVariable(y, ran::incrementAndGet);
      assertThat(ran).as("the delete").hasValue(1);
      engine.push(Operation.of("runs", Footprint.writing(x), ran::incrementAndGet).overwriting());
      OperationFailed failure = catchThrowableOfType(OperationFailed.class, engine::waitForAll);
      assertThat(failure.operation()).isEqualTo("no thread");
      assertThat(failure).hasRootCauseInstanceOf(OutOfMemoryError.class);
      engine.waitForVariable(x);
      assertThat(ran).hasValue(2);
      assertThat(x.version()).isEqualTo(3);
      assertThat(starts).hasValue(1);
    }
  }

  @Test
  void aGroupWithOneThreadGoesOnWithoutASecond() {
    try (Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new OneGroup(2))) {
      Variable x = engine.newVariable("x");
      var ran = new AtomicInteger();
      engine.push(Operation.of("first", Footprint.writing(x), ran::incrementAndGet));
      engine.waitForAll();
      refusals.set(Integer.MAX_VALUE);
      var gate = new CountDownLatch(1);
      engine.push(Operation.of("holds", Footprint.NONE, () -> {
        try {
          gate.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }));
      for (int i = 0; i < 100; i++) {
        engine.push(Operation.of("later", Footprint.writing(x), ran::incrementAndGet));
      }
      gate.countDown();
      engine.waitForAll();
      assertThat(ran).hasValue(101);
      assertThat(starts).hasValue(1);
    }
  }

  @Test
  void severalPushersWithoutAThreadHangNowhere() throws InterruptedException {
    refusals.set(1000);
    try (Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new OneGroup(2))) {
      Variable x = engine.newVariable("x");
      var pushers = new Thread[4];
      for (int i = 0; i < pushers.length; i++) {
        pushers[i] = new Thread(() -> {
          for (int j = 0; j < 1000; j++) {
            engine.push(Operation.of("maybe", Footprint.writing(x), () -> {}).overwriting());
          }
        });
        pushers[i].start();
      }
      for (Thread pusher : pushers) {
        pusher.join();
      }
      assertThatThrownBy(engine::waitForAll).isInstanceOf(OperationFailed.class);
      assertThat(x.version()).isEqualTo(4000);
      engine.waitForAll();
    }
  }
}
