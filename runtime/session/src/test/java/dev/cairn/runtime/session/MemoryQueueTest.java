package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.budget.Budgets;
import dev.cairn.runtime.budget.FairPermits;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.budget.MemoryQueue;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs that wait in the {@link MemoryQueue} of a {@link MemoryBudget}. */
class MemoryQueueTest extends SharedBudget {
  @Test
  void aRunWaitsForAResultThatAnotherThreadCloses() throws Exception {
    MemoryBudget budget = Budgets.of(need(100), new ManualClock());
    MemoryOptions patient = MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofMinutes(4));
    try (Session waiting = open(100, 1, patient, RunObserver.Source.NONE);
      Session impatient = open(100, 1, budget);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      Tensor x = input(100, 1)) {
      Result held = waiting.run(Map.of("x", x));
      assertThatThrownBy(() -> impatient.run(Map.of("x", x))).isInstanceOf(OutOfMemory.class);
      Future<?> run = thread.submit(() -> runAndCheck(waiting, 100, 1, 1));
      Budgets.awaitWaiting(budget.queue(), 1);
      assertThat(run.isDone()).isFalse();
      held.close();
      run.get();
    }
  }

  /** More nanoseconds than a long counts. */
  @Test
  void aRunMayWaitForEver() throws Exception {
    MemoryBudget budget = Budgets.of(need(100), new ManualClock());
    MemoryOptions patient = MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofSeconds(
      Long.MAX_VALUE));
    try (Session waiting = open(100, 1, patient, RunObserver.Source.NONE);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      Tensor x = input(100, 1)) {
      Result held = waiting.run(Map.of("x", x));
      Future<?> run = thread.submit(() -> runAndCheck(waiting, 100, 1, 1));
      Budgets.awaitWaiting(budget.queue(), 1);
      held.close();
      run.get();
    }
  }

  @Test
  void theTimeThatARefusedRunWaitedIsInItsReport() {
    // The clock advances whenever the run checks how long it has waited.
    var looks = new AtomicLong();
    MemoryBudget budget = Budgets.of(need(100), () -> looks.addAndGet(5_000_000));
    MemoryOptions options = MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofMillis(20));
    try (Session session = open(100, 1, options, RunObserver.Source.NONE);
      Tensor x = input(100, 1);
      Result held = session.run(Map.of("x", x))) {
      assertThat(held.names()).hasSize(1);
      assertThatThrownBy(() -> session.run(Map.of("x", x))).isInstanceOfSatisfying(OutOfMemory.class,
        it -> assertThat(it.circumstances()).anySatisfy(fact -> assertThat(fact).endsWith("PT0.02S")));
      assertThat(looks).as("the begin, and looks until the time is over").hasValueGreaterThanOrEqualTo(25_000_000);
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
            Budgets.awaitWaiting(budget.queue(), 1);
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
    var queue = Budgets.queue();
    var bothInside = new CountDownLatch(2);
    var slot = new CountDownLatch(1);
    Supplier<Boolean> work = () -> {
      bothInside.countDown();
      return awaited(bothInside);
    };
    var request = new MemoryQueue.Request<>(work, List.of(), Duration.ZERO, RunLimit.NONE);
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      Future<?> waiting = threads.submit(() -> {
        queue.beginWait();
        awaited(slot);
        queue.endWait();
      });
      Budgets.awaitWaiting(queue, 1);
      Future<Boolean> one = threads.submit(() -> queue.begin(request));
      Future<Boolean> other = threads.submit(() -> queue.begin(request));
      assertThat(one.get() && other.get()).as("both were under way at one time").isTrue();
      slot.countDown();
      waiting.get();
    }
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      latch.await();
      return true;
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
    var queue = Budgets.queue();
    var inner = new MemoryQueue.Request<>(refused, List.of(_ -> true), Duration.ZERO, RunLimit.NONE);
    var outer = new MemoryQueue.Request<>(() -> queue.begin(inner), List.of(_ -> true), Duration.ZERO, RunLimit.NONE);
    assertThatThrownBy(() -> queue.begin(outer)).isSameAs(refusal);
    assertThat(Budgets.waiting(queue)).isZero();
  }

  /** A thread that looks again and again whether it was cancelled keeps its place in the line. */
  @Test
  void threadsThatLookForTheirLimitsAreServedInTheirTurn() throws Exception {
    var permits = new FairPermits(1);
    permits.acquire(RunLimit.NONE);
    List<Integer> served = Collections.synchronizedList(new ArrayList<>());
    List<AtomicInteger> looks = List.of(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int number = i;
        // The request reads the clock when it has its place.
        var isInLine = new CountDownLatch(1);
        all.add(threads.submit(() -> {
          permits.acquire(RunLimit.from(() -> {
            isInLine.countDown();
            looks.get(number).incrementAndGet();
            return false;
          }, Long.MAX_VALUE));
          served.add(number);
          permits.release();
        }));
        isInLine.await();
      }
      var manyLooks = new CountDownLatch(10);
      assertThatThrownBy(() -> permits.acquire(RunLimit.from(() -> {
        manyLooks.countDown();
        return manyLooks.getCount() == 0;
      }, Long.MAX_VALUE))).as("others have looked again meanwhile").isInstanceOf(RunStopped.class);
      assertThat(served).isEmpty();
      assertThat(permits.tryAcquire()).as("others wait").isFalse();
      permits.release();
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(served).containsExactly(0, 1, 2);
    permits.acquire(RunLimit.NONE);
    assertThat(permits.tryAcquire()).isFalse();
    assertThatThrownBy(() -> permits.acquire(RunLimit.from(() -> true, Long.MAX_VALUE))).isInstanceOf(RunStopped.class);
    permits.release();
    assertThat(permits.tryAcquire()).as("who gave up left the line").isTrue();
  }

  @Test
  void aSessionThatClosesLetsAWaitingOneOpen() throws Exception {
    MemoryBudget budget = Budgets.of(need(100), new ManualClock());
    MemoryOptions patient = MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration.ofMinutes(4));
    Session first = open(100, 1, patient, RunObserver.Source.NONE);
    Tensor x = input(100, 1);
    Result held = first.run(Map.of("x", x));
    first.close();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Session> second = thread.submit(() -> open(100, 2, patient, RunObserver.Source.NONE));
      Session opened = second.get(); // weights alone fit beside the result
      Future<?> run = thread.submit(() -> runAndCheck(opened, 100, 2, 1));
      Budgets.awaitWaiting(budget.queue(), 1);
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
    }, Budgets.queue());
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> first = thread.submit(() -> plans.take(Map.of(), RunLimit.NONE));
      making.await();
      assertThatThrownBy(() -> plans.take(Map.of(), RunLimit.from(() -> false, 1000))).isInstanceOf(RunStopped.class);
      made.countDown();
      assertThatThrownBy(first::get).hasRootCauseMessage("no plan");
    }
  }

  /** One request waits for room, and the next one, for which there is room, waits behind it. */
  @Test
  void aSmallRunDoesNotOvertakeALargeOneThatWaits() throws Exception {
    var queue = Budgets.queue();
    OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> open(100, 1, MemoryBudget.of(1000)));
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    var isRoom = new AtomicBoolean();
    var isFirst = new CountDownLatch(1);
    var large = new MemoryQueue.Request<>(() -> {
      if (!isRoom.get()) {
        throw refusal;
      }
      return order.add("large");
    }, List.of(_ -> {
      isFirst.countDown();
      return false;
    }), Duration.ZERO, RunLimit.NONE);
    var small = new MemoryQueue.Request<>(() -> order.add("small"), List.of(), Duration.ZERO, RunLimit.NONE);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      queue.begin(small);
      Future<?> waits = threads.submit(() -> {
        queue.begin(large);
        queue.end();
      });
      isFirst.await();
      Future<?> comesLater = threads.submit(() -> {
        queue.begin(small);
        queue.end();
      });
      Budgets.awaitWaiting(queue, 2);
      assertThat(order).containsExactly("small");
      isRoom.set(true);
      queue.end();
      waits.get();
      comesLater.get();
    }
    assertThat(order).containsExactly("small", "large", "small");
  }

  @Test
  @Tag("soak")
  void aLargeRunIsNotStarvedBySmallOnes() throws Exception {
    MemoryBudget budget = Budgets.of(need(300), new ManualClock());
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
