package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.report.Remedy;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.trace.RunObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions of several models that share one {@link MemoryBudget}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryBudgetTest {
  private static final int WIDTH = 64;

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** y = scale * tanh(x + w), where w is zero, for x of [batch, 64]. */
  private static Graph model(int batch, float scale) {
    var builder = new GraphBuilder("model" + batch);
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(batch),
      new Dimension.Fixed(WIDTH))));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(batch, WIDTH), new float[batch * WIDTH]));
    NodeEntry factor = builder.constant("scale", TensorView.ofFloats(Shape.of(1), scale));
    builder.output("y", builder.apply("Mul", builder.apply("Tanh", builder.apply("Add", x, w)), factor));
    return builder.build();
  }

  private static Tensor input(int batch, float value) {
    float[] values = new float[batch * WIDTH];
    Arrays.fill(values, value);
    return Tensor.of(values, batch, WIDTH);
  }

  private Session open(int batch, float scale, MemoryBudget budget) {
    return open(batch, scale, MemoryOptions.DEFAULT.withBudget(budget), RunObserver.Source.NONE);
  }

  private Session open(int batch, float scale, MemoryOptions memory, RunObserver.Source observers) {
    return Session.of(model(batch, scale), SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(8).withMemory(
      memory).withObservers(observers), source);
  }

  private static void runAndCheck(Session session, int batch, float scale, float value) {
    try (Tensor x = input(batch, value); Result result = session.run(Map.of("x", x))) {
      float[] y = result.get("y").toFloatArray();
      assertThat(y).hasSize(batch * WIDTH);
      assertThat((double) y[y.length - 1]).isCloseTo(scale * Math.tanh(value), within(1e-5));
    }
  }

  /** What one run of such a model needs, with its weights. */
  private static long need(int batch) {
    try (Session session = Session.of(model(batch, 1), SessionOptions.DEFAULT.withThreads(1))) {
      return MemoryNeed.of(session.compiled().orElseThrow(), true).totalBytes();
    }
  }

  @Test
  void manyThreadsOfThreeModelsStayWithinTheBudgetAndAllGetThrough() throws Exception {
    shareOneBudget(16, 100, Duration.ZERO);
  }

  /** 10 minutes, or as long as {@code -Dcairn.soak.minutes} says. */
  @Test
  @Tag("soak")
  @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void soakOneBudget() throws Exception {
    shareOneBudget(64, 100, Duration.ofMinutes(Integer.getInteger("cairn.soak.minutes", 10)));
  }

  /** Fits two runs of the largest model at a time, and not the weights and plans of all three. */
  private void shareOneBudget(int threads, int runs, Duration atLeast) throws Exception {
    int[] batches = {100, 150, 200};
    MemoryBudget budget = MemoryBudget.of(2 * need(200));
    List<Session> sessions = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int batch : batches) {
        sessions.add(open(batch, batch / 100f, MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration
          .ofMinutes(1)), RunObserver.Source.NONE));
      }
      long end = System.nanoTime() + atLeast.toNanos();
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        var random = new SplittableRandom(thread);
        all.add(pool.submit(() -> {
          for (int run = 0; run < runs || System.nanoTime() < end; run++) {
            int which = random.nextInt(batches.length);
            runAndCheck(sessions.get(which), batches[which], batches[which] / 100f, random.nextInt(9) - 4);
          }
        }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(budget.peakBytes()).isLessThanOrEqualTo(budget.limitBytes()).isGreaterThan(need(200));
      assertThat(budget.bytesInUse()).isLessThanOrEqualTo(budget.limitBytes());
    } finally {
      sessions.forEach(Session::close);
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void anIdleSessionGivesItsMemoryUpAndRunsAgainLater() {
    MemoryBudget budget = MemoryBudget.of(need(200));
    try (Session small = open(100, 2, budget); Session large = open(200, 3, budget)) {
      for (int i = 0; i < 3; i++) {
        runAndCheck(small, 100, 2, i);
        runAndCheck(large, 200, 3, -i);
      }
      assertThat(budget.peakBytes()).isEqualTo(budget.limitBytes());
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void aRefusalNamesTheBudgetAndItsAdviceWorksWhenFollowed() {
    long fits = need(100);
    MemoryBudget tooSmall = MemoryBudget.of(fits);
    long advised;
    try (Session first = open(100, 1, tooSmall);
      Tensor x = input(100, 1);
      Result held = first.run(Map.of("x", x))) {
      assertThat(held.names()).hasSize(1);
      OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> open(150, 1, tooSmall).close());
      assertThat(refusal.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
      OutOfMemory.Budget facts = refusal.budget().orElseThrow();
      assertThat(facts.limitBytes()).isEqualTo(fits);
      assertThat(refusal.getMessage()).contains("budget: limitBytes=" + fits,
        "raise the limit of budget to " + facts.leastLimitBytes() + " bytes");
      assertThat(OomReport.of(refusal).remedies()).singleElement().satisfies(it -> {
        assertThat(it.kind()).isEqualTo(Remedy.Kind.RAISE_BUDGET);
        assertThat(it.sentence()).contains("(" + facts.leastLimitBytes() + " B)");
      });
      advised = facts.leastLimitBytes();
    }
    MemoryBudget raised = MemoryBudget.of(advised);
    try (Session first = open(100, 1, raised);
      Tensor x = input(100, 1);
      Result held = first.run(Map.of("x", x));
      Session second = open(150, 1, raised)) {
      assertThat(held.names()).hasSize(1);
      runAndCheck(second, 150, 1, 0.5f);
    }
  }

  @Test
  void aPartOfABudgetIsAQuota() {
    MemoryBudget whole = MemoryBudget.of(10 * need(200));
    MemoryBudget part = whole.within("small", need(100));
    try (Session small = open(100, 1, part); Session large = open(200, 1, whole)) {
      runAndCheck(small, 100, 1, 1);
      runAndCheck(large, 200, 1, 1);
      assertThat(whole.bytesInUse()).isGreaterThan(part.bytesInUse());
      assertThat(part.bytesInUse()).isLessThanOrEqualTo(part.limitBytes());
      OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> open(400, 1, part).close());
      assertThat(refusal.budget().orElseThrow().name()).isEqualTo("budget/small");
    }
    assertThat(whole.bytesInUse()).isZero();
  }

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

  @Test
  void aSessionThatItsOwnLimitRefusesTakesNothingFromOthers() {
    MemoryBudget budget = MemoryBudget.of(1L << 30);
    MemoryBudget tenant = budget.within("tenant", 1000);
    try (Session large = open(100, 1, budget)) {
      long held = budget.bytesInUse();
      assertThat(held).isPositive();
      MemoryOptions limited = MemoryOptions.DEFAULT.withBudget(budget).withLimitBytes(1000);
      assertThatThrownBy(() -> open(50, 1, limited, RunObserver.Source.NONE)).isInstanceOf(OutOfMemory.class);
      assertThatThrownBy(() -> open(50, 1, tenant)).isInstanceOf(OutOfMemory.class);
      assertThat(budget.bytesInUse()).isEqualTo(held);
      runAndCheck(large, 100, 1, 1);
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
    var plans = new PlanCache(1, (types, limit) -> {
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

  @Test
  void aBudgetIsOfOneDevice() {
    MemoryBudget budget = MemoryBudget.of(1 << 20);
    MemoryBudget.Member other = new MemoryBudget.Member() {
      @Override
      public void releaseExecutors() {}

      @Override
      public void releaseWeights() {}
    };
    budget.join(other, "cuda:0");
    assertThatThrownBy(() -> open(1, 1, budget)).isInstanceOf(IllegalArgumentException.class).hasMessage(
      "sessions of one budget must use one device: budget=budget device=cuda:0 session's=cpu");
    budget.leave(other);
    open(1, 1, budget).close();
    assertThatThrownBy(() -> MemoryBudget.of(-1)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "limitBytes=-1");
  }
}
