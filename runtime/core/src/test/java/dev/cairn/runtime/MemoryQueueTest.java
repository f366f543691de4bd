package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.OutOfMemory;

import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.trace.RunObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that wait in the {@link MemoryQueue} of a {@link MemoryBudget}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryQueueTest extends SharedBudget {
  @Test
  void aRunWaitsForAResultThatAnotherThreadCloses() throws Exception {
    MemoryBudget budget = MemoryBudget.of(need(100));
    MemoryOptions patient = MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofMinutes(4));
    try (Session waiting = open(100, 1, patient, RunObserver.Source.NONE);
      Session impatient = open(100, 1, budget);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      Tensor x = input(100, 1)) {
      Result held = waiting.run(Map.of("x", x));
      assertThatThrownBy(() -> impatient.run(Map.of("x", x))).isInstanceOf(OutOfMemory.class);
      Future<?> run = thread.submit(() -> runAndCheck(waiting, 100, 1, 1));
      while (budget.queue().waitingThreads() == 0) {
        Thread.onSpinWait();
      }
      assertThat(run.isDone()).isFalse();
      held.close();
      run.get();
    }
  }

  @Test
  void theTimeThatARefusedRunWaitedIsInItsReport() {
    MemoryBudget budget = MemoryBudget.of(need(100));
    MemoryOptions options = MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofMillis(20));
    try (Session session = open(100, 1, options, RunObserver.Source.NONE);
      Tensor x = input(100, 1);
      Result held = session.run(Map.of("x", x))) {
      assertThat(held.names()).hasSize(1);
      assertThatThrownBy(() -> session.run(Map.of("x", x))).isInstanceOf(OutOfMemory.class).hasMessageContaining(
        "waited for open results: PT0.02S");
    }
  }

  /** Two threads that each run one model inside a run of the other: either would wait for the other for ever. */
  @Test
  void runsThatHoldMemoryAndWaitForEachOtherAreFound() throws Exception {
    MemoryBudget budget = MemoryBudget.of(2 * need(100) + 4096);
    var bothHold = new CountDownLatch(2);
    var refusals = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        runs.add(threads.submit(() -> holdAndWait(budget, bothHold, refusals)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    }
    assertThat(refusals.get()).as("one is refused, so that the other has its memory").isPositive();
    assertThat(budget.bytesInUse()).isZero();
  }

  private void holdAndWait(MemoryBudget budget, CountDownLatch bothHold, AtomicInteger refusals) {
    var first = new AtomicBoolean(true);
    List<Session> nested = new ArrayList<>();
    RunObserver.Source observers = graph -> new RunObserver() {
      @Override
      public void stepBegan(int step, int stream) {
        if (first.getAndSet(false)) {
          bothHold.countDown();
          try {
            bothHold.await();
            Session inside = open(150, 1, budget);
            nested.add(inside);
            runAndCheck(inside, 150, 1, 1);
          } catch (OutOfMemory e) {
            refusals.incrementAndGet();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
      }
    };
    try (Session outer = open(100, 1, MemoryOptions.DEFAULT.withBudget(budget), observers)) {
      runAndCheck(outer, 100, 1, 1);
    } finally {
      nested.forEach(Session::close);
    }
  }

  /** A run holds memory and waits for the one slot of a session, whose run waits for that memory. */
  @Test
  void aRunThatWaitsForASlotIsFoundWaiting() throws Exception {
    MemoryBudget budget = MemoryBudget.of(need(300) + 4096);
    MemoryOptions shared = MemoryOptions.DEFAULT.withBudget(budget);
    var refusals = new AtomicInteger();
    try (Session inner = Session.of(model(300, 1), SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(1)
      .withMemory(shared), source); ExecutorService thread = Executors.newSingleThreadExecutor()) {
      List<Future<?>> other = new ArrayList<>();
      RunObserver.Source observers = graph -> new RunObserver() {
        @Override
        public void stepBegan(int step, int stream) {
          if (other.isEmpty()) {
            other.add(thread.submit(() -> runOrCount(inner, refusals)));
            while (budget.queue().waitingThreads() == 0) {
              Thread.onSpinWait();
            }
            runOrCount(inner, refusals);
          }
        }
      };
      try (Session outer = open(200, 1, shared, observers)) {
        runAndCheck(outer, 200, 1, 1);
      }
      other.getFirst().get();
    }
    assertThat(refusals.get()).isPositive();
  }

  private static void runOrCount(Session session, AtomicInteger refusals) {
    try {
      runAndCheck(session, 300, 1, 1);
    } catch (OutOfMemory e) {
      refusals.incrementAndGet();
    }
  }

  /** A request that takes the whole queue for itself would keep runs without a plan from running side by side. */
  @Test
  void aThreadThatWaitsForASlotDoesNotQueueOthers() throws Exception {
    var queue = new MemoryQueue();
    var bothInside = new CountDownLatch(2);
    var slot = new CountDownLatch(1);
    Supplier<Boolean> work = () -> {
      bothInside.countDown();
      return awaited(bothInside);
    };
    var request = new MemoryQueue.Request<>(work, List.of(), Duration.ZERO, RunLimit.NONE);
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      Future<?> waiting = threads.submit(() -> queue.await(() -> awaited(slot)));
      while (queue.waitingThreads() == 0) {
        Thread.onSpinWait();
      }
      Future<Boolean> one = threads.submit(() -> queue.begin(request));
      Future<Boolean> other = threads.submit(() -> queue.begin(request));
      assertThat(one.get() && other.get()).as("both were under way at one time").isTrue();
      slot.countDown();
      waiting.get();
    }
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRequestInsideAWaitingRequestIsRefusedToo() {
    MemoryBudget budget = MemoryBudget.of(1000);
    OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> open(100, 1, budget));
    Supplier<String> refused = () -> {
      throw refusal;
    };
    var queue = new MemoryQueue();
    var inner = new MemoryQueue.Request<>(refused, List.of(_ -> true), Duration.ZERO, RunLimit.NONE);
    var outer = new MemoryQueue.Request<>(() -> queue.begin(inner), List.of(_ -> true), Duration.ZERO, RunLimit.NONE);
    assertThatThrownBy(() -> queue.begin(outer)).isSameAs(refusal);
    assertThat(queue.waitingThreads()).isZero();
  }

  /** A thread that looks again and again whether it was cancelled keeps its place in the line. */
  @Test
  void aThreadWithADeadlineIsServedInItsTurn() throws Exception {
    var permits = new FairPermits(1);
    permits.acquire(RunLimit.NONE);
    var stop = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        others.add(threads.submit(() -> {
          while (!stop.get()) {
            permits.acquire(RunLimit.NONE);
            permits.release();
          }
        }));
      }
      Future<?> limited = threads.submit(() -> {
        for (int i = 0; i < 200; i++) {
          permits.acquire(RunLimit.from(() -> false, Long.MAX_VALUE));
          permits.release();
        }
      });
      permits.release();
      limited.get();
      stop.set(true);
      for (Future<?> other : others) {
        other.get();
      }
    }
    permits.acquire(RunLimit.NONE);
    assertThat(permits.tryAcquire()).isFalse();
    assertThatThrownBy(() -> permits.acquire(RunLimit.from(() -> true, Long.MAX_VALUE))).isInstanceOf(RunStopped.class);
    permits.release();
    assertThat(permits.tryAcquire()).as("who gave up left the line").isTrue();
  }

  @Test
  void aSessionThatClosesLetsAWaitingOneOpen() throws Exception {
    MemoryBudget budget = MemoryBudget.of(need(100));
    MemoryOptions patient = MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofMinutes(4));
    Session first = open(100, 1, patient, RunObserver.Source.NONE);
    Tensor x = input(100, 1);
    Result held = first.run(Map.of("x", x));
    first.close();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Session> second = thread.submit(() -> open(100, 2, patient, RunObserver.Source.NONE));
      Session opened = second.get(); // weights alone fit beside the result
      Future<?> run = thread.submit(() -> runAndCheck(opened, 100, 2, 1));
      while (budget.queue().waitingThreads() == 0) {
        Thread.onSpinWait();
      }
      held.close();
      run.get();
      opened.close();
    }
    x.close();
  }

  @Test
  void aRunGivesUpWhileAnotherMakesThePlan() throws Exception {
    var made = new CountDownLatch(1);
    var making = new CountDownLatch(1);
    var plans = new PlanCache(1, new ShapeValues(), key -> {
      making.countDown();
      try {
        made.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      throw new IllegalStateException("no plan");
    }, Runnable::run);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> first = thread.submit(() -> plans.take(Map.of(), RunLimit.NONE));
      making.await();
      assertThatThrownBy(() -> plans.take(Map.of(), RunLimit.from(() -> false, 1000))).isInstanceOf(RunStopped.class);
      made.countDown();
      assertThatThrownBy(first::get).hasRootCauseMessage("no plan");
    }
  }

  @Test
  void aLargeRunIsNotStarvedBySmallOnes() throws Exception {
    MemoryBudget budget = MemoryBudget.of(need(300));
    var stop = new AtomicBoolean();
    try (Session small = open(50, 1, budget);
      Session large = open(300, 1, MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofMinutes(4)),
        RunObserver.Source.NONE);
      ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(threads.submit(() -> {
          while (!stop.get()) {
            runAndCheck(small, 50, 1, 1);
          }
        }));
      }
      for (int i = 0; i < 20; i++) {
        runAndCheck(large, 300, 1, 1);
      }
      stop.set(true);
      for (Future<?> one : all) {
        one.get();
      }
    }
  }
}
