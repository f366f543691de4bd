package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.trace.RunObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cancellation and deadlines, while a run is at work and at each place where it may wait. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunLimitsTest {
  private static final RunOptions SOON = RunOptions.DEFAULT.withDeadline(Duration.ofMillis(20));

  private final NettySubAllocator source = new NettySubAllocator();
  private final HeldStep held = new HeldStep();
  /** Without fusion, so that the model has two steps. */
  private final SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withObservers(graph -> held)
    .withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF));

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
      assertThat(e).hasMessageContaining("while waiting to begin, elapsedNanos=");
    });
  }

  @Test
  void aRunIsCancelledBetweenStepsAndTheNextOneIsWell() throws Throwable {
    var cancellation = new Cancellation();
    try (var session = Session.of(model(), options, source)) {
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
    try (var session = Session.of(model(), options.withMaxConcurrentRuns(1), source)) {
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        assertStopped(RunStopped.Reason.DEADLINE, () -> session.run(batch(100), SOON));
        var cancellation = new Cancellation();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
          Future<?> waiting = other.submit(() -> assertStopped(RunStopped.Reason.CANCELLED, () -> session.run(
            batch(100), RunOptions.DEFAULT.withCancellation(cancellation))));
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
    try (var session = Session.of(model(), options.withMemoryLimitBytes(limit), source)) {
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        for (int i = 0; i < 3; i++) {
          assertStopped(RunStopped.Reason.DEADLINE, () -> session.run(batch(90), SOON));
        }
      });
      session.run(batch(90), RunOptions.DEFAULT.withDeadline(Duration.ofDays(1))).close();
    }
  }

  /** As before, and what the held run's result takes may stay taken when the next one begins. */
  @Test
  void whoWaitsForTheTurnBehindAnotherWaiterHonoursTheDeadline() throws Throwable {
    long limit = 256 + 1024 + 256 + 512;
    try (var session = Session.of(summed(), options.withMemoryLimitBytes(limit), source);
      ExecutorService other = Executors.newSingleThreadExecutor()) {
      List<Future<?>> first = new ArrayList<>();
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        first.add(other.submit(() -> session.run(batch(90)).close()));
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
    try (var session = Session.of(builder.build(), options, source)) {
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
    try (var session = Session.of(model(), options.withMaxConcurrentRuns(1), source)) {
      var interrupted = new AtomicBoolean();
      var waiter = new Thread(() -> {
        session.run(batch(100), how).close();
        interrupted.set(Thread.currentThread().isInterrupted());
      });
      whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
        waiter.start();
        waiter.interrupt();
        waiter.join(20);
        assertThat(waiter.isAlive()).isTrue();
      });
      waiter.join();
      assertThat(interrupted).isTrue();
    }
  }

  @Test
  void closingWaitsForTheRunUnderWay() throws Throwable {
    var session = Session.of(model(), options, source);
    var closer = new Thread(session::close);
    whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
      closer.start();
      closer.join(30);
      assertThat(closer.isAlive()).isTrue();
    });
    closer.join();
    assertThatThrownBy(() -> session.run(batch(1))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whoComesWhileTheSessionClosesHonoursTheDeadline() throws Throwable {
    var session = Session.of(model(), options, source);
    var closer = new Thread(session::close);
    whileOneIsHeld(session, RunOptions.DEFAULT, () -> {
      closer.start();
      while (closer.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertStopped(RunStopped.Reason.DEADLINE, () -> session.run(batch(1), SOON));
    });
    closer.join();
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
    try (var session = Session.of(model(), options.withObservers(graph -> closes), source)) {
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
    var deadline = Duration.ofSeconds(1);
    var isLate = new AtomicBoolean();
    var inLastStep = new RunObserver() {

      @Override
      public void stepBegan(int step, int stream) {
        if (step == 1) {
          cancellation.cancel();
        }
      }
    };
    try (var session = Session.of(model(), options.withObservers(graph -> inLastStep), source)) {
      session.run(batch(4), RunOptions.DEFAULT.withCancellation(cancellation)).close();
      assertThat(cancellation.isCancelled()).isTrue();
    }
    try (var session = Session.of(model(), options.withObservers(graph -> new LateStep(isLate, deadline)), source)) {
      session.run(batch(4)).close();
      isLate.set(true);
      long began = System.nanoTime();
      session.run(batch(4), RunOptions.DEFAULT.withDeadline(deadline)).close();
      assertThat(System.nanoTime() - began).as("it is over").isGreaterThan(deadline.toNanos());
    }
  }

  /** Lets the second step begin when a time is over. */
  private record LateStep(AtomicBoolean late, Duration after) implements RunObserver {

    @Override
    public void stepBegan(int step, int stream) {
      long began = System.nanoTime();
      while (late.get() && step == 1 && System.nanoTime() - began < after.toNanos()) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  @Test
  void aDeadlineIsPositiveAndMayBeFarAway() {
    assertThatThrownBy(() -> RunOptions.DEFAULT.withDeadline(Duration.ZERO)).isInstanceOf(
      IllegalArgumentException.class);
    assertThatThrownBy(() -> RunOptions.DEFAULT.withDeadline(Duration.ofNanos(-1))).isInstanceOf(
      IllegalArgumentException.class);
    held.letGo();
    try (var session = Session.of(model(), options, source)) {
      session.run(batch(3), RunOptions.DEFAULT.withDeadline(Duration.ofSeconds(Long.MAX_VALUE))).close();
    }
  }
}
