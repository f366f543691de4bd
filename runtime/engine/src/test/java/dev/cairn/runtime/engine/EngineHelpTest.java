package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.ForeignWork;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Completion;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.worker.IdlePolicy;
import dev.cairn.runtime.engine.worker.Worker;
import dev.cairn.testing.Gate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A waiting thread runs the operations that its wait depends on, and no others. The only thread for normal work starts
 * when a test lets it, or at any time.
 */
@ParameterizedClass
@EnumSource(EngineHelpTest.Host.class)
class EngineHelpTest {
  /** When the thread for normal work starts. */
  enum Host {
    /** When the test says so: until then all normal work is left to threads that wait. */
    HELD,
    /** With the first operation: either it or the waiting thread runs an operation. */
    FREE
  }

  private static final int ROUNDS = 10;

  @Parameter
  Host host = Host.HELD;

  private final Queue<Worker> held = new ConcurrentLinkedQueue<>();
  private final LoneWorkers routing = new LoneWorkers(IdlePolicy.spinning(EngineOptions.DEFAULT.spinNanos()),
    this::start);
  private final Engine engine = new ThreadedEngine(EngineOptions.DEFAULT, routing);
  private final Variable x = engine.newVariable("x");
  private final Variable y = engine.newVariable("y");
  private final Thread here = Thread.currentThread();
  private final AtomicInteger ranHere = new AtomicInteger();
  private final AtomicInteger ran = new AtomicInteger();

  private void start(Worker worker) {
    if (host == Host.HELD) {
      held.add(worker);
    } else {
      worker.start();
    }
  }

  private void startHeld() {
    for (Worker worker = held.poll(); worker != null; worker = held.poll()) {
      worker.start();
    }
  }

  @AfterEach
  void close() {
    startHeld();
    engine.close();
  }

  private void note() {
    ran.incrementAndGet();
    if (Thread.currentThread().equals(here)) {
      ranHere.incrementAndGet();
    }
  }

  /** Requires that so many operations have run, all of them on this thread where no other was there. */
  private void assertRan(int count) {
    assertThat(ran).hasValue(count);
    if (host == Host.HELD) {
      assertThat(ranHere).hasValue(count);
    }
  }

  @Test
  void aThreadThatWaitsRunsTheChainItWaitsFor() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.push(Operation.of("one", Footprint.writing(x), this::note));
      engine.push(Operation.of("two", List.of(x), List.of(y), this::note));
      engine.waitForVariable(y);
      assertRan(2 * i + 2);
    }
  }

  @Test
  void aWaitForAllRunsWhateverIsReady() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.push(Operation.of("one", Footprint.writing(x), this::note));
      engine.push(Operation.of("two", Footprint.writing(y), this::note));
      engine.waitForAll();
      assertRan(2 * i + 2);
    }
  }

  @Test
  void aWaitWithALimitRunsNothing() throws TimeoutException {
    routing.onHurry(this::startHeld);
    for (int i = 0; i < ROUNDS; i++) {
      engine.push(Operation.of("one", Footprint.writing(x), this::note));
      engine.waitForVariable(x, EngineContract.LONG);
      engine.push(Operation.of("two", Footprint.writing(x), this::note));
      engine.waitForAll(EngineContract.LONG);
    }
    assertThat(ran).hasValue(2 * ROUNDS);
    assertThat(ranHere).hasValue(0);
  }

  /** It may hold a lock that the operation needs, and would have it at once. */
  @Test
  void aThreadThatRefusesForeignWorkRunsNothing() {
    routing.onHurry(this::startHeld);
    ForeignWork.refuse();
    try {
      for (int i = 0; i < ROUNDS; i++) {
        engine.push(Operation.of("one", Footprint.writing(x), this::note));
        engine.waitForVariable(x);
        engine.push(Operation.of("two", Footprint.writing(x), this::note));
        engine.waitForAll();
      }
    } finally {
      ForeignWork.accept();
    }
    assertThat(ran).hasValue(2 * ROUNDS);
    assertThat(ranHere).hasValue(0);
  }

  /** If the thread ran the operation, it would wait for itself. The held thread starts when this one gives up. */
  @ParameterizedTest
  @EnumSource(names = {"NORMAL", "CPU_PRIORITIZED"})
  void whatNeedNotEndBeforeTheWaitIsLeftAlone(FunctionProperty property) {
    var gate = new CountDownLatch(1);
    var blocked = new CompletableFuture<Thread>();
    routing.onHurry(this::startHeld);
    engine.push(property == FunctionProperty.NORMAL
      ? Operation.async("elsewhere", Footprint.writing(x), completion -> blocked.thenAccept(_ -> completion.complete()))
        .with(FunctionProperty.ASYNC)
      : Operation.of("elsewhere", Footprint.writing(x), blocked::join).with(property));
    engine.push(Operation.of("blocks", Footprint.writing(y), () -> {
      blocked.complete(Thread.currentThread());
      if (!Thread.currentThread().equals(here)) {
        EngineContract.await(gate);
      }
    }));
    engine.waitForVariable(x);
    assertThat(blocked.join()).isNotEqualTo(here);
    gate.countDown();
    engine.waitForAll();
    assertThat(y.version()).isPositive();
  }

  /** Others of its queue may wait for the thread, but not what writes the variable. */
  @Test
  void whatWritesTheVariableRunsWhileWorkElsewhereGoesOn() {
    var started = new CompletableFuture<Completion>();
    engine.push(Operation.async("elsewhere", Footprint.writing(y), started::complete).with(FunctionProperty.ASYNC));
    for (int i = 0; i < ROUNDS; i++) {
      engine.push(Operation.of("one", Footprint.writing(x), this::note));
      engine.waitForVariable(x);
      assertRan(i + 1);
    }
    started.join().complete();
  }

  @Test
  void whatIsLeftRunsThoughNobodyWaitsForIt() {
    for (int i = 0; i < ROUNDS; i++) {
      var end = new CountDownLatch(1);
      engine.push(Operation.of("one", Footprint.writing(x), this::note));
      engine.push(Operation.of("left", Footprint.writing(y), end::countDown));
      engine.waitForVariable(x);
      startHeld();
      EngineContract.await(end);
      var alone = new CountDownLatch(1);
      engine.push(Operation.of("alone", Footprint.writing(y), alone::countDown));
      EngineContract.await(alone);
    }
  }

  @Test
  void anInterruptReachesNoOperationAndStays() {
    var seen = new AtomicInteger();
    for (int i = 0; i < ROUNDS; i++) {
      Runnable look = () -> {
        if (Thread.currentThread().isInterrupted()) {
          seen.incrementAndGet();
        }
        note();
        Thread.currentThread().interrupt();
      };
      engine.push(Operation.of("one", Footprint.writing(x), look));
      engine.push(Operation.of("two", Footprint.writing(x), look));
      here.interrupt();
      engine.waitForVariable(x);
      assertThat(Thread.interrupted()).isTrue();
      assertRan(2 * i + 2);
    }
    assertThat(seen).hasValue(0);
  }

  @Test
  void whatOperationsPushIsNotHeldBack() {
    try (Engine.Bulk _ = engine.bulk(15)) {
      for (int i = 0; i < ROUNDS; i++) {
        engine.push(
          Operation.of("outer", Footprint.writing(x), () -> engine.push(Operation.of("inner", Footprint.writing(y),
            this::note))));
        engine.waitForAll();
        assertRan(i + 1);
      }
      engine.push(Operation.of("held", Footprint.writing(x), this::note));
      assertThat(engine.bulkSize(0)).isEqualTo(15);
    }
  }

  @Test
  void itsThreadIsInsideTheOperation() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.push(Operation.of("waits", Footprint.writing(x), () -> {
        assertThat(engine.isInsideOperation()).isTrue();
        engine.waitForVariable(y);
      }));
      assertThatThrownBy(() -> engine.waitForVariable(x)).isInstanceOf(OperationFailed.class)
        .hasMessageContaining("a wait inside an operation");
      assertThat(engine.isInsideOperation()).isFalse();
      engine.push(Operation.of("again", Footprint.writing(x), this::note).overwriting());
      engine.waitForVariable(x);
      assertRan(i + 1);
    }
  }

  @Test
  void aShortOperationRunsInTheCallThatPushesIt() {
    engine.push(Operation.of("makes the queue", Footprint.writing(x), () -> {}));
    engine.waitForAll();
    for (int i = 0; i < ROUNDS; i++) {
      engine.push(Operation.brief("short", Footprint.writing(x), this::note));
      engine.push(Operation.brief("short", Footprint.writing(x), this::note).overwriting());
      if (host == Host.HELD) {
        assertThat(ranHere).hasValue(2 * i + 2);
      }
    }
    engine.waitForAll();
    assertRan(2 * ROUNDS);
  }

  /** The others of the bulk may take any time, and may push. */
  @Test
  void aBulkThatBeginsWithAShortOperationDoesNotRunInTheCall() {
    engine.push(Operation.of("makes the queue", Footprint.writing(x), () -> {}));
    engine.waitForAll();
    try (Engine.Bulk _ = engine.bulk(2)) {
      engine.push(Operation.brief("short", Footprint.writing(x), this::note));
      engine.push(Operation.of("other", Footprint.writing(y), this::note));
    }
    assertThat(ranHere).hasValue(0);
    engine.waitForAll();
    assertRan(2);
  }

  @Test
  void aShortOperationOvertakesNothing() {
    var gate = new CountDownLatch(1);
    var order = Collections.synchronizedList(new ArrayList<String>());
    engine.push(Operation.of("blocks", Footprint.writing(x), () -> {
      EngineContract.await(gate);
      order.add("blocks");
    }));
    // One that waits for it, one behind it in the queue of the same thread.
    engine.push(Operation.brief("behind", Footprint.writing(x), () -> order.add("behind")));
    engine.push(Operation.brief("other", Footprint.writing(y), () -> order.add("other")));
    assertThat(order).isEmpty();
    gate.countDown();
    engine.waitForAll();
    assertThat(order).first().isEqualTo("blocks");
    assertThat(order).containsExactlyInAnyOrder("blocks", "behind", "other");
  }

  @Test
  void theFailureOfAShortOperationSurfacesWhereItsValueIsAskedFor() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.push(Operation.brief("fails", Footprint.writing(x), () -> {
        throw new IllegalArgumentException("planted");
      }).overwriting());
      assertThatThrownBy(() -> engine.waitForVariable(x)).isInstanceOf(OperationFailed.class).hasMessageContaining(
        "planted");
    }
  }

  /** It comes in at the first variable, finds the second in use, and goes again. */
  @Test
  void aShortOperationThatMustWaitLeavesNoTrace() {
    engine.push(Operation.of("makes the queue", Footprint.writing(x), () -> {}));
    engine.waitForAll();
    var started = new CompletableFuture<Completion>();
    engine.push(Operation.async("reads", Footprint.reading(y), started::complete).with(FunctionProperty.ASYNC));
    Completion reads = started.join();
    long before = x.version();
    engine.push(Operation.brief("short", Footprint.of(List.of(), List.of(x, y)), this::note));
    engine.push(Operation.brief("behind", Footprint.writing(x), this::note));
    assertThat(ran).hasValue(0);
    assertThat(x.version()).isEqualTo(before);
    reads.complete();
    engine.waitForAll();
    assertThat(ran).hasValue(2);
    assertThat(x.version()).isEqualTo(before + 2);
    assertThat(y.version()).isEqualTo(1);
  }

  @Test
  void aShortOperationOverAValueThatWasNeverComputedIsSkipped() {
    engine.push(Operation.of("fails", Footprint.writing(x), () -> {
      throw new IllegalArgumentException("planted");
    }));
    assertThatThrownBy(() -> engine.waitForVariable(x)).isInstanceOf(OperationFailed.class);
    engine.push(Operation.brief("reads", Footprint.of(List.of(x), List.of(y)), this::note));
    assertThatThrownBy(() -> engine.waitForVariable(y)).isInstanceOf(OperationFailed.class).hasMessageContaining(
      "planted");
    assertThat(ran).hasValue(0);
    engine.push(Operation.brief("overwrites", Footprint.writing(y), this::note).overwriting());
    engine.waitForVariable(y);
    assertThat(ran).hasValue(1);
  }

  /** Every operation runs once, and those of a thread in their order, however threads and worker take turns. */
  @Test
  void threadsThatPushAndWaitLoseNothing() throws InterruptedException {
    threadsThatPushAndWait(50);
  }

  @Test
  @Tag("soak")
  void threadsThatPushAndWaitForLongLoseNothing() throws InterruptedException {
    threadsThatPushAndWait(100_000);
  }

  private void threadsThatPushAndWait(int pushes) throws InterruptedException {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    // A waiting thread may leave an operation to the worker that another thread waits for.
    routing.onHurry(this::startHeld);
    for (int t = 0; t < 3; t++) {
      int seed = t;
      threads.add(Thread.ofPlatform().start(() -> {
        try {
          pushAndWait(seed, pushes);
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(x.version()).isEqualTo(3L * pushes);
  }

  /** One waiting thread runs what another one waits for: that one is woken. */
  @Test
  void aThreadWhoseOperationAnotherWaitingThreadRunsIsWoken() throws InterruptedException {
    Variable z = engine.newVariable("z");
    var begun = new Gate();
    var waits = new CountDownLatch(1);
    engine.push(Operation.of("one", Footprint.writing(x), begun::pass));
    engine.push(Operation.of("two", Footprint.writing(y), this::note));
    engine.push(Operation.of("both", List.of(x, y), List.of(z), this::note));
    Thread first = Thread.ofPlatform().start(() -> engine.waitForVariable(z));
    begun.awaitArrival();
    Thread second = Thread.ofPlatform().start(() -> {
      routing.onHurry(waits::countDown);
      engine.waitForVariable(y);
    });
    // It could run nothing, as the first thread, or the worker, is at it.
    EngineContract.await(waits);
    begun.open();
    second.join();
    first.join();
    assertThat(ran).hasValue(2);
    assertThat(z.version()).isEqualTo(1);
  }

  private void pushAndWait(int seed, int pushes) {
    Variable own = engine.newVariable("own" + seed);
    var count = new AtomicLong();
    for (int i = 0; i < pushes; i++) {
      long expected = i;
      engine.push(Operation.of("shared", List.of(), List.of(x, own), () -> count.compareAndSet(expected, expected
        + 1)));
      if (i % 3 == seed) {
        engine.waitForVariable(own);
        assertThat(count).hasValue(i + 1);
      } else if (i % 50 == 0) {
        engine.waitForAll();
      }
    }
    engine.waitForVariable(own);
    assertThat(count).hasValue(pushes);
  }
}
