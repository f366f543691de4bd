package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.budget.Budgets;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cancellation and deadlines, while a run is at work and at each place where it may wait. */
class RunLimitsTest {
  private static final Duration LOOK = Duration.ofMillis(1);
  /** More looks than a run takes that does not wait. */
  private static final RunOptions SOON = RunOptions.DEFAULT.withDeadline(LOOK.multipliedBy(40));

  private final NettySubAllocator source = new NettySubAllocator();
  /** Moves on whenever a run looks for its deadline: so that a run that waits reaches it, however fast the machine. */
  private final AtomicLong time = new AtomicLong();
  private final LongSupplier clock = () -> time.addAndGet(LOOK.toNanos());
  /** A budget; its queue shows which threads wait. */
  private final MemoryBudget budget = MemoryBudget.of(1L << 40);
  private final HeldStep held = new HeldStep();
  /** Without fusion, so that the model has two steps. */
  private final SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(4).withObservers(
    graph -> held).withMemory(MemoryOptions.DEFAULT.withBudget(budget)).withCompile(CompileOptions.DEFAULT.withFusion(
      FusionChoice.OFF));

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** y = tanh(x) + 1 for x of [batch, 2], the batch open. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(2)));
    NodeEntry x = builder.input("x", type);
    NodeEntry one = builder.constant("one", TensorView.ofFloats(Shape.of(1), 1));
    builder.output("y", builder.apply("Add", builder.apply("Tanh", x), one));
    return builder.build();
  }

  /** The sum of the same over all items: little but the plan is large. */
  private static Graph summed() {
    var builder = new GraphBuilder("summed");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(2))));
    NodeEntry one = builder.constant("one", TensorView.ofFloats(Shape.of(1), 1));
    builder.output("y", builder.apply("ReduceSum", builder.apply("Add", builder.apply("Tanh", x), one)));
    return builder.build();
  }

  private static Map<String, Tensor> batch(int items) {
    return Map.of("x", Tensor.of(new float[items * 2], items, 2));
  }

  /** Does something while a run of these options is held before its first step. */
  private void whileOneIsHeld(Session session, RunOptions how, ThrowingCallable work) throws Throwable {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> run = other.submit(() -> session.run(batch(100), how).close());
      try {
        held.awaitReached();
        work.call();
      } finally {
        held.letGo();
      }
      run.get();
    }
  }

  private static void assertStopped(RunStopped.Reason reason, ThrowingCallable run) {
    assertThatThrownBy(run).isInstanceOfSatisfying(RunStopped.class, e -> {
      assertThat(e.reason()).isEqualTo(reason);
      assertThat(e.step()).isEmpty();
    });
  }

  @Test
  void aRunIsCancelledBetweenStepsAndTheNextOneIsWell() throws Throwable {
    var cancellation = new Cancellation();
    try (var session = Session.of(model(), options, source, clock)) {
      assertThatThrownBy(() -> whileOneIsHeld(session, RunOptions.DEFAULT.withCancellation(cancellation),
        cancellation::cancel)).isInstanceOf(ExecutionException.class)
        .cause().isInstanceOfSatisfying(RunStopped.class, e -> {
          assertThat(e.reason()).isEqualTo(RunStopped.Reason.CANCELLED);
          assertThat(e.step()).hasValue(1);
        });
      long kept = session.memoryStats().bytesInUse();
      session.run(batch(100)).close();
      assertThat(session.memoryStats().bytesInUse()).as("the stopped run gave its result back").isEqualTo(kept);
      assertThat(cancellation.isCancelled()).isTrue();
      assertThatThrownBy(() -> session.run(batch(100), RunOptions.DEFAULT.withCancellation(cancellation)))
        .as("a cancellation is for good").isInstanceOf(RunStopped.class);
    }
  }

  @Test
  void whoWaitsForAnExecutorHonoursDeadlineAndCancellation() throws Throwable {
    try (var session = Session.of(model(), options.withMaxConcurrentRuns(1), source, clock)) {
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        assertStopped(RunStopped.Reason.DEADLINE, () -> session.run(batch(100), SOON));
        var cancellation = new Cancellation();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
          Future<?> waiting = other.submit(() -> assertStopped(RunStopped.Reason.CANCELLED, () -> session.run(
            batch(100), RunOptions.DEFAULT.withCancellation(cancellation))));
          Budgets.awaitWaiting(budget.queue(), 1);
          cancellation.cancel();
          waiting.get();
        }
      });
      session.run(batch(100)).close();
    }
  }

  /** Room for the weights, one run of 100 items, and half of another: another shape waits in the queue for memory. */
  @Test
  void whoWaitsForMemoryHonoursTheDeadline() throws Throwable {
    long limit = 256 + 1024 + 512;
    try (var session = Session.of(model(), options.withMemoryLimitBytes(limit), source, clock)) {
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        for (int i = 0; i < 3; i++) {
          assertStopped(RunStopped.Reason.DEADLINE, () -> session.run(batch(90), SOON));
        }
      });
      session.run(batch(90), RunOptions.DEFAULT.withDeadline(Duration.ofDays(1))).close();
    }
  }

  /** The other waiter waits as before, and what the held run's result takes may stay taken when the next run begins. */
  @Test
  void whoWaitsForTheTurnBehindAnotherWaiterHonoursTheDeadline() throws Throwable {
    long limit = 256 + 1024 + 256 + 512;
    try (var session = Session.of(summed(), options.withMemoryLimitBytes(limit), source, clock);
      ExecutorService other = Executors.newSingleThreadExecutor()) {
      List<Future<?>> first = new ArrayList<>();
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        first.add(other.submit(() -> session.run(batch(90)).close()));
        Budgets.awaitWaiting(budget.queue(), 1);
        assertStopped(RunStopped.Reason.DEADLINE, () -> session.run(batch(80), SOON));
      });
      first.getFirst().get();
    }
  }

  @Test
  void whoWaitsForVariablesHonoursTheDeadline() throws Throwable {
    var builder = new GraphBuilder("counter");
    NodeEntry count = builder.variable("count", TensorView.ofFloats(Shape.of(2), 0, 0));
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(2))));
    builder.assign(count, builder.apply("Add", count, builder.constant("one", TensorView.ofFloats(Shape.of(1), 1))));
    builder.output("y", builder.apply("Tanh", x));
    try (var session = Session.of(builder.build(), options, source, clock)) {
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> assertStopped(RunStopped.Reason.DEADLINE,
        () -> session.run(batch(1), SOON)));
      session.run(batch(1)).close();
      assertThat(session.variable("count").toFloatArray()).containsExactly(2, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptWhileWaitingIsKeptForLater(boolean limited) throws Throwable {
    RunOptions how = limited ? RunOptions.DEFAULT.withDeadline(Duration.ofDays(1)) : RunOptions.DEFAULT;
    // Only the waiting run reads the clock, since the other run has no deadline.
    var looks = new CountDownLatch(limited ? 20 : 0);
    LongSupplier counting = () -> {
      looks.countDown();
      return clock.getAsLong();
    };
    try (var session = Session.of(model(), options.withMaxConcurrentRuns(1), source, counting)) {
      var interrupted = new AtomicBoolean();
      var waiter = new Thread(() -> {
        Thread.currentThread().interrupt();
        session.run(batch(100), how).close();
        interrupted.set(Thread.currentThread().isInterrupted());
      });
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        waiter.start();
        Budgets.awaitWaiting(budget.queue(), 1);
        looks.await();
        assertThat(waiter.isAlive()).isTrue();
      });
      waiter.join();
      assertThat(interrupted).isTrue();
    }
  }

  /** What the run ends with when its deadline comes while it waits to begin; null when it does not wait. */
  private @Nullable RunStopped stoppedWaiting(Session session) {
    try {
      session.run(batch(1), SOON).close();
      return null;
    } catch (RunStopped e) {
      assertThat(e.reason()).isEqualTo(RunStopped.Reason.DEADLINE);
      assertThat(e.step()).as("it waits to begin").isEmpty();
      return e;
    }
  }

  @Test
  void closingWaitsForTheRunUnderWayAndWhoComesMeanwhileHonoursTheDeadline() throws Throwable {
    var session = Session.of(model(), options, source, clock);
    var closer = new Thread(session::close);
    whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
      assertThat(stoppedWaiting(session)).as("nothing to wait for").isNull();
      closer.start();
      // Runs continue until the closing thread waits; from then on they wait behind it.
      RunStopped stopped = null;
      while (stopped == null) {
        stopped = stoppedWaiting(session);
      }
      assertThat(closer.isAlive()).isTrue();
    });
    closer.join();
    assertThatThrownBy(() -> session.run(batch(1))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSessionIsNotClosedInsideOneOfItsRuns() {
    var made = new AtomicReference<Session>();
    var refusal = new AtomicReference<Throwable>();
    var closes = new RunObserver() {

      @Override
      public void stepBegan(int step, int stream) {
        refusal.set(catchThrowable(() -> Objects.requireNonNull(made.get()).close()));
      }
    };
    try (var session = Session.of(model(), options.withObservers(graph -> closes), source, clock)) {
      made.set(session);
      session.run(batch(2)).close();
      assertThat(refusal.get()).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside one of its runs");
      session.run(batch(2)).close();
    }
  }

  @Test
  void aLimitReachedInTheLastStepTakesNoResultAway() {
    held.letGo();
    var cancellation = new Cancellation();
    var inLastStep = new RunObserver() {

      @Override
      public void stepBegan(int step, int stream) {
        if (step == 1) {
          cancellation.cancel();
        }
      }
    };
    try (var session = Session.of(model(), options.withObservers(graph -> inLastStep), source, clock)) {
      session.run(batch(4), RunOptions.DEFAULT.withCancellation(cancellation)).close();
      assertThat(cancellation.isCancelled()).isTrue();
    }
    var deadline = Duration.ofSeconds(1);
    var manual = new ManualClock();
    var late = new RunObserver() {

      @Override
      public void stepBegan(int step, int stream) {
        if (step == 1) {
          manual.advance(deadline);
        }
      }
    };
    try (var session = Session.of(model(), options.withObservers(graph -> late), source, manual)) {
      session.run(batch(4), RunOptions.DEFAULT.withDeadline(deadline)).close();
      assertThat(manual.getAsLong()).as("it is over").isEqualTo(deadline.toNanos());
    }
  }

  @Test
  void aDeadlineIsPositiveAndMayBeFarAway() {
    assertThatThrownBy(() -> RunOptions.DEFAULT.withDeadline(Duration.ZERO)).isInstanceOf(
      IllegalArgumentException.class);
    assertThatThrownBy(() -> RunOptions.DEFAULT.withDeadline(Duration.ofNanos(-1))).isInstanceOf(
      IllegalArgumentException.class);
    held.letGo();
    try (var session = Session.of(model(), options, source, clock)) {
      session.run(batch(3), RunOptions.DEFAULT.withDeadline(Duration.ofSeconds(Long.MAX_VALUE))).close();
    }
  }
}
