package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait run operations meanwhile, but none that need not end before their wait does. */
@Timeout(60)
class EngineHelpTest {
  private static final int ROUNDS = 200;

  private final Engine engine = Engine.open(EngineOptions.DEFAULT);
  private final Variable x = engine.newVariable("x");
  private final Variable y = engine.newVariable("y");
  private final Thread here = Thread.currentThread();
  private final AtomicInteger ranHere = new AtomicInteger();
  private final AtomicInteger ran = new AtomicInteger();

  @AfterEach
  void close() {
    engine.close();
  }

  private void note() {
    ran.incrementAndGet();
    if (Thread.currentThread().equals(here)) {
      ranHere.incrementAndGet();
    }
  }

  @Test
  void aThreadThatWaitsRunsTheChainItWaitsFor() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.pushSync("one", Footprint.writing(x), this::note);
      engine.push(Operation.of("two", List.of(x), List.of(y), this::note));
      engine.waitForVariable(y);
      assertThat(ran).hasValue(2 * i + 2);
    }
    assertThat(ranHere).hasPositiveValue();
  }

  @Test
  void aWaitForAllRunsWhateverIsReady() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.pushSync("one", Footprint.writing(x), this::note);
      engine.pushSync("two", Footprint.writing(y), this::note);
      engine.waitForAll();
      assertThat(ran).hasValue(2 * i + 2);
    }
    assertThat(ranHere).hasPositiveValue();
  }

  @Test
  void aWaitWithALimitRunsNothing() throws TimeoutException {
    for (int i = 0; i < ROUNDS; i++) {
      engine.pushSync("one", Footprint.writing(x), this::note);
      engine.waitForVariable(x, Duration.ofMinutes(1));
      engine.pushSync("two", Footprint.writing(x), this::note);
      engine.waitForAll(Duration.ofMinutes(1));
    }
    assertThat(ran).hasValue(2 * ROUNDS);
    assertThat(ranHere).hasValue(0);
  }

  /** If the thread ran the operation, it would wait for itself. */
  @Test
  void whatNeedNotEndBeforeTheWaitIsLeftAlone() {
    for (FunctionProperty property : List.of(FunctionProperty.NORMAL, FunctionProperty.CPU_PRIORITIZED)) {
      var gate = new CountDownLatch(1);
      var blocked = new CountDownLatch(1);
      var started = new CompletableFuture<Completion>();
      Operation elsewhere = property == FunctionProperty.NORMAL
        ? Operation.async("elsewhere", Footprint.writing(x), started::complete).with(FunctionProperty.ASYNC)
        : Operation.of("elsewhere", Footprint.writing(x), () -> await(blocked)).with(property);
      engine.push(elsewhere);
      engine.pushSync("blocks", Footprint.writing(y), () -> {
        blocked.countDown();
        await(gate);
      });
      CompletableFuture<Void> ended = started.thenAcceptAsync(completion -> {
        await(blocked);
        completion.complete();
      });
      engine.waitForVariable(x);
      gate.countDown();
      engine.waitForAll();
      if (property == FunctionProperty.NORMAL) {
        ended.join();
      }
      assertThat(y.version()).isPositive();
    }
  }

  /** Others of its queue may wait for the thread, but not what writes the variable. */
  @Test
  void whatWritesTheVariableRunsWhileWorkElsewhereGoesOn() {
    var started = new CompletableFuture<Completion>();
    engine.push(Operation.async("elsewhere", Footprint.writing(y), started::complete).with(FunctionProperty.ASYNC));
    for (int i = 0; i < ROUNDS; i++) {
      engine.pushSync("one", Footprint.writing(x), this::note);
      engine.waitForVariable(x);
    }
    started.join().complete();
    assertThat(ran).hasValue(ROUNDS);
    assertThat(ranHere).hasPositiveValue();
  }

  @Test
  void whatIsLeftRunsThoughNobodyWaitsForIt() throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      var end = new CountDownLatch(1);
      engine.pushSync("one", Footprint.writing(x), this::note);
      engine.pushSync("left", Footprint.writing(y), end::countDown);
      engine.waitForVariable(x);
      assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
      var alone = new CountDownLatch(1);
      engine.pushSync("alone", Footprint.writing(y), alone::countDown);
      assertThat(alone.await(30, TimeUnit.SECONDS)).isTrue();
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
        Thread.currentThread().interrupt();
      };
      engine.pushSync("one", Footprint.writing(x), look);
      engine.pushSync("two", Footprint.writing(x), look);
      here.interrupt();
      engine.waitForVariable(x);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(seen).hasValue(0);
  }

  @Test
  void whatOperationsPushIsNotHeldBack() {
    try (Engine.Bulk _ = engine.bulk(15)) {
      for (int i = 0; i < ROUNDS; i++) {
        engine.push(Operation.of("outer", Footprint.writing(x), () -> engine.pushSync("inner", Footprint.writing(y),
          this::note)));
        engine.waitForAll();
        assertThat(ran).hasValue(i + 1);
      }
      engine.pushSync("held", Footprint.writing(x), this::note);
      assertThat(engine.bulkSize(0)).isEqualTo(15);
    }
  }

  @Test
  void itsThreadIsInsideTheOperation() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.pushSync("waits", Footprint.writing(x), () -> {
        assertThat(engine.isInsideOperation()).isTrue();
        engine.waitForVariable(y);
      });
      assertThatThrownBy(() -> engine.waitForVariable(x)).isInstanceOf(OperationFailed.class)
        .hasMessageContaining("a wait inside an operation");
      assertThat(engine.isInsideOperation()).isFalse();
      engine.push(Operation.of("again", Footprint.writing(x), this::note).overwriting());
      engine.waitForVariable(x);
    }
  }

  @Test
  void aShortOperationRunsInTheCallThatPushesIt() {
    engine.pushSync("makes the queue", Footprint.writing(x), () -> {});
    engine.waitForAll();
    int seen = 0;
    for (int i = 0; i < ROUNDS; i++) {
      engine.pushShort("short", Footprint.writing(x), this::note);
      seen = Math.max(seen, ranHere.get());
      engine.pushShort(Operation.of("short", Footprint.writing(x), this::note).overwriting());
    }
    assertThat(seen).isPositive();
    engine.waitForAll();
    assertThat(ran).hasValue(2 * ROUNDS);
  }

  @Test
  void aShortOperationOvertakesNothing() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var order = Collections.synchronizedList(new ArrayList<String>());
    engine.pushSync("blocks", Footprint.writing(x), () -> {
      await(gate);
      order.add("blocks");
    });
    // One that waits for it, one behind it in the queue of the same thread.
    engine.pushShort("behind", Footprint.writing(x), () -> order.add("behind"));
    engine.pushShort("other", Footprint.writing(y), () -> order.add("other"));
    assertThat(order).isEmpty();
    gate.countDown();
    engine.waitForAll();
    assertThat(order).first().isEqualTo("blocks");
    assertThat(order).containsExactlyInAnyOrder("blocks", "behind", "other");
  }

  @Test
  void theFailureOfAShortOperationSurfacesWhereItsValueIsAskedFor() {
    for (int i = 0; i < ROUNDS; i++) {
      engine.pushShort(Operation.of("fails", Footprint.writing(x), () -> {
        throw new IllegalArgumentException("planted");
      }).overwriting());
      assertThatThrownBy(() -> engine.waitForVariable(x)).isInstanceOf(OperationFailed.class).hasMessageContaining(
        "planted");
    }
  }

  /** It comes in at the first variable, finds the second in use, and goes again. */
  @Test
  void aShortOperationThatMustWaitLeavesNoTrace() {
    engine.pushSync("makes the queue", Footprint.writing(x), () -> {});
    engine.waitForAll();
    var started = new CompletableFuture<Completion>();
    engine.push(Operation.async("reads", Footprint.reading(y), started::complete).with(FunctionProperty.ASYNC));
    Completion reads = started.join();
    long before = x.version();
    engine.pushShort("short", Footprint.of(List.of(), List.of(x, y)), this::note);
    engine.pushShort("behind", Footprint.writing(x), this::note);
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
    engine.pushSync("fails", Footprint.writing(x), () -> {
      throw new IllegalArgumentException("planted");
    });
    assertThatThrownBy(() -> engine.waitForVariable(x)).isInstanceOf(OperationFailed.class);
    engine.pushShort("reads", Footprint.of(List.of(x), List.of(y)), this::note);
    assertThatThrownBy(() -> engine.waitForVariable(y)).isInstanceOf(OperationFailed.class).hasMessageContaining(
      "planted");
    assertThat(ran).hasValue(0);
    engine.pushShort(Operation.of("overwrites", Footprint.writing(y), this::note).overwriting());
    engine.waitForVariable(y);
    assertThat(ran).hasValue(1);
  }

  /** Every operation runs once, and those of a thread in their order, however threads and worker take turns. */
  @Test
  void threadsThatPushAndWaitLoseNothing() throws InterruptedException {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      int seed = t;
      threads.add(Thread.ofPlatform().start(() -> {
        try {
          pushAndWait(seed);
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(x.version()).isEqualTo(3 * 5 * ROUNDS);
  }

  private void pushAndWait(int seed) {
    Variable own = engine.newVariable("own" + seed);
    var count = new AtomicLong();
    for (int i = 0; i < 5 * ROUNDS; i++) {
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
    assertThat(count).hasValue(5 * ROUNDS);
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
