package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.runtime.engine.failure.FailureRecord;
import dev.cairn.runtime.engine.failure.Failures;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.OperationBlock;
import dev.cairn.runtime.engine.queue.ReadyQueue;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.queue.Variables;
import dev.cairn.runtime.engine.worker.BlockTaker;
import dev.cairn.runtime.engine.worker.IdlePolicy;
import dev.cairn.runtime.engine.worker.OperationRunner;
import dev.cairn.runtime.engine.worker.Routing;
import dev.cairn.runtime.engine.worker.Worker;
import dev.cairn.runtime.engine.worker.WorkerGroup;
import dev.cairn.testing.Gate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The system has no thread or no heap left for an engine: what was pushed fails or runs, and no thread hangs. */
class NoThreadTest {
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger starts = new AtomicInteger();

  /** One group for all; so many starts fail as {@code refusals} says. */
  private final class OneGroup implements Routing {
    private final int threads;
    private final ReadyQueue queue;
    private @Nullable WorkerGroup group;

    OneGroup(int threads) {
      this(threads, ReadyQueue.inOrder(threads == 1));
    }

    OneGroup(int threads, ReadyQueue queue) {
      this.threads = threads;
      this.queue = queue;
    }

    @Override
    public boolean runsOnPusher(FunctionProperty property) {
      return false;
    }

    @Override
    public synchronized WorkerGroup group(Operation operation, BlockTaker taker) {
      if (group == null) {
        group = new WorkerGroup("test", threads, queue, taker, new IdlePolicy(0, 0),
          NoThreadTest.this::start);
      }
      return group;
    }

    @Override
    public synchronized @Nullable WorkerGroup host() {
      return group;
    }

    @Override
    public synchronized void hurry() {
      if (group != null) {
        group.hurry();
      }
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
      engine.push(Operation.of("holds", Footprint.NONE, () -> awaitGate(gate)));
      for (int i = 0; i < 100; i++) {
        engine.push(Operation.of("later", Footprint.writing(x), ran::incrementAndGet));
      }
      gate.countDown();
      engine.waitForAll();
      assertThat(ran).hasValue(101);
      assertThat(starts).hasValue(1);
    }
  }

  /** A queue that has no room for some blocks, as the heap has none. */
  private static final class FullNowAndThen extends ReadyQueue {
    FullNowAndThen() {
      super(false, true);
    }

    @Override
    public void offer(OperationBlock block) {
      if (block.operation().name().equals("no room")) {
        throw new OutOfMemoryError("planted: no room in a queue");
      }
      super.offer(block);
    }
  }

  @Test
  void whatAQueueHasNoRoomForFailsAndTheOthersGoOn() {
    try (Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new OneGroup(1, new FullNowAndThen()))) {
      Variable x = engine.newVariable("x");
      Variable y = engine.newVariable("y");
      var ran = new AtomicInteger();
      for (int i = 0; i < 20; i++) {
        engine.push(Operation.of("first", Footprint.writing(y), ran::incrementAndGet));
        engine.push(Operation.of("no room", Footprint.of(List.of(y), List.of(x)), ran::incrementAndGet));
        engine.push(Operation.of("skipped", Footprint.of(List.of(x), List.of(y)), ran::incrementAndGet));
        assertThatThrownBy(() -> engine.waitForVariable(x)).hasRootCauseInstanceOf(OutOfMemoryError.class);
        engine.push(Operation.of("anew", Footprint.writing(x, y), ran::incrementAndGet).overwriting());
        engine.waitForVariable(y);
      }
      assertThat(ran).hasValue(40);
    }
  }

  /** All of them wait for the first; each end makes the next one ready, which is refused in turn. */
  @Test
  void aLongChainThatAQueueHasNoRoomForNeedsNoStack() {
    try (Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new OneGroup(1, new FullNowAndThen()))) {
      Variable x = engine.newVariable("x");
      var gate = new CountDownLatch(1);
      engine.push(Operation.of("holds", Footprint.writing(x), () -> awaitGate(gate)));
      int operations = 20_000;
      for (int i = 0; i < operations; i++) {
        engine.push(Operation.of("no room", Footprint.writing(x), () -> {}));
      }
      gate.countDown();
      assertThatThrownBy(engine::waitForAll).hasRootCauseInstanceOf(OutOfMemoryError.class);
      assertThat(x.version()).isEqualTo(operations + 1);
    }
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailureThatTheHeapHasNoRoomToWriteDownIsToldAndPoisonsAllTheSame() {
    var failures = new Failures(new LinkedHashSet<>() {
      private static final long serialVersionUID = 1;

      @Override
      public boolean add(FailureRecord failure) {
        throw new OutOfMemoryError("planted: no room for a failure");
      }
    });
    var runner = new OperationRunner(failures);
    Variable x = new Variables().make("x");
    var ran = new AtomicInteger();
    Operation fails = Operation.of("fails", Footprint.writing(x), () -> {
      throw new IllegalStateException("planted");
    });
    assertThat(runner.run(fails, fails.work())).isNotNull();
    Operation reads = Operation.of("reads", Footprint.reading(x), ran::incrementAndGet);
    runner.run(reads, reads.work());
    assertThat(ran).hasValue(0);
    OperationFailed told = catchThrowableOfType(OperationFailed.class, failures::throwAll);
    assertThat(told).hasMessageContaining("no heap to write down which operation failed");
    failures.throwAll();
    assertThatThrownBy(() -> failures.throwIfPoisoned(x, x.poison())).isInstanceOf(OperationFailed.class);
  }

  /** The thread that could not start a worker refuses all blocks, also those that other threads offer meanwhile. */
  @Test
  void whatIsOfferedWhileAnotherThreadRefusesFailsToo() throws InterruptedException {
    refusals.set(1);
    try (Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new OneGroup(2))) {
      Variable x = engine.newVariable("x");
      Variable y = engine.newVariable("y");
      var refuses = new Gate();
      Thread other = Thread.ofPlatform().start(() -> engine.deleteVariable(y, refuses::pass));
      refuses.awaitArrival();
      engine.push(Operation.of("meanwhile", Footprint.writing(x), () -> {}));
      refuses.open();
      other.join();
      OperationFailed failure = catchThrowableOfType(OperationFailed.class, engine::waitForAll);
      assertThat(failure.operation()).isEqualTo("meanwhile");
      engine.push(Operation.of("runs", Footprint.writing(x), () -> {}).overwriting());
      engine.waitForVariable(x);
      assertThat(starts).hasValue(1);
    }
  }

  @Test
  void severalPushersWithoutAThreadHangNowhere() throws InterruptedException {
    severalPushersWithoutAThread(50);
  }

  @Test
  @Tag("soak")
  void severalPushersWithoutAThreadHangNowhereHoweverOftenTheyPush() throws InterruptedException {
    severalPushersWithoutAThread(10_000);
  }

  private void severalPushersWithoutAThread(int pushes) throws InterruptedException {
    refusals.set(pushes);
    try (Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, new OneGroup(2))) {
      Variable x = engine.newVariable("x");
      var pushers = new Thread[4];
      for (int i = 0; i < pushers.length; i++) {
        pushers[i] = new Thread(() -> {
          for (int j = 0; j < pushes; j++) {
            engine.push(Operation.of("maybe", Footprint.writing(x), () -> {}).overwriting());
          }
        });
        pushers[i].start();
      }
      for (Thread pusher : pushers) {
        pusher.join();
      }
      assertThatThrownBy(engine::waitForAll).isInstanceOf(OperationFailed.class);
      assertThat(x.version()).isEqualTo(4L * pushes);
      engine.waitForAll();
    }
  }
}
