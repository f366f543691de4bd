package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.budget.Budgets;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.Gate;
import java.lang.foreign.ValueLayout;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs over arrays keep to {@code maxConcurrentRuns}, also on threads that wait and run operations meanwhile. */
class SessionTurnsTest {
  private static final Executor THREADS = command -> Thread.ofPlatform().start(command);
  private static final int ROUNDS = 300;
  private static final int CLOSES = 20;
  private static final TensorType COUNT = TensorType.of(DType.INT64, 1);

  /** An input's value decides the shape, so that a run over arrays waits for it before it is pushed. */
  private static Graph zeros() {
    var graph = new GraphBuilder("zeros");
    NodeEntry zeros = graph.apply("ConstantOfShape", graph.input("n", COUNT));
    graph.output("y", graph.apply("Add", zeros, graph.input("x", TensorType.of(DType.FLOAT32))));
    return graph.build();
  }

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger helped = new AtomicInteger();
  private final Thread here = Thread.currentThread();

  private RunObserver counting() {
    return new RunObserver() {
      @Override
      public void stepBegan(int step, int stream) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        if (Thread.currentThread().equals(here)) {
          helped.incrementAndGet();
        }
        Thread.yield();
      }

      @Override
      public void stepEnded(int step, int stream) {
        running.decrementAndGet();
      }
    };
  }

  /** Runs work when a thread asks for the first entry. That thread is about to push a run, and may run operations. */
  private static final class Inputs extends AbstractMap<String, NDArray> {
    private final Map<String, NDArray> inputs;
    private final AtomicReference<@Nullable Runnable> work;

    Inputs(Map<String, NDArray> inputs, Runnable work) {
      this.inputs = inputs;
      this.work = new AtomicReference<>(work);
    }

    @Override
    public Set<Entry<String, NDArray>> entrySet() {
      Runnable first = work.getAndSet(null);
      if (first != null) {
        first.run();
      }
      return inputs.entrySet();
    }
  }

  /**
   * Another thread's run holds the only slot; the thread that is about to push a run runs an operation, which runs the
   * session as well.
   */
  @Test
  void aRunInsideAPushTakesItsTurn() throws Exception {
    var held = new Gate();
    var isFirst = new AtomicBoolean(true);
    RunObserver holding = new RunObserver() {
      @Override
      public void stepBegan(int step, int stream) {
        if (isFirst.getAndSet(false)) {
          held.pass();
        }
      }
    };
    MemoryBudget budget = MemoryBudget.of(1L << 30);
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(1).withMemory(
      MemoryOptions.DEFAULT.withBudget(budget)).withObservers(_ -> RunObserver.all(counting(), holding));
    try (Session session = Session.of(zeros(), options);
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
      var _ = arrays.scope();
      Tensor count = Tensor.of(new long[] {3}, 1);
      Tensor value = Tensor.of(new float[] {1})) {
      Runnable run = () -> session.run(Map.of("n", count, "x", value)).close();
      CompletableFuture<Void> first = CompletableFuture.runAsync(run, THREADS);
      held.awaitArrival();
      CompletableFuture<Void> lettingGo = CompletableFuture.runAsync(() -> {
        Budgets.awaitWaiting(budget.queue(), 1);
        held.open();
      }, THREADS);
      Map<String, NDArray> results = arrays.run(session, new Inputs(Map.of("n", arrays.of(new long[] {3}, 1), "x",
        arrays.ones(DType.FLOAT32)), run));
      assertThat(helped).as("the run inside of the push").hasPositiveValue();
      assertThat(most).as("runs at one time").hasValue(1);
      lettingGo.get();
      first.get();
      results.values().forEach(NDArray::waitToRead);
    }
    assertThat(most).hasValue(1);
  }

  /** Nothing is forced: waiting threads run operations now and then. */
  @Test
  @Tag("soak")
  void aRunOnAThreadThatWaitsTakesItsTurn() {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(1).withObservers(
      _ -> counting());
    var ends = new AtomicBoolean();
    try (Session session = Session.of(zeros(), options);
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
      var _ = arrays.scope();
      Tensor count = Tensor.of(new long[] {3}, 1);
      Tensor value = Tensor.of(new float[] {1})) {
      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
        while (!ends.get()) {
          session.run(Map.of("n", count, "x", value)).close();
        }
      }, THREADS);
      NDArray ready = arrays.of(new long[] {3}, 1);
      NDArray x = arrays.ones(DType.FLOAT32);
      for (int i = 0; i < ROUNDS; i++) {
        arrays.run(session, Map.of("n", ready, "x", x));
        NDArray late = arrays.call("late", List.of(ready), List.of(COUNT), (read, written) -> written.get(0).segment()
          .copyFrom(read.get(0).segment())).get(0);
        arrays.run(session, Map.of("n", late, "x", x));
      }
      arrays.waitAll();
      ends.set(true);
      other.join();
    }
    assertThat(helped).hasPositiveValue();
    assertThat(most).hasValue(1);
  }

  /** The engine's thread and a thread that is about to push a run may both run the operation: neither may close. */
  @Test
  @SuppressWarnings("try") // closes the session by hand
  void anOperationCannotCloseTheSessionThatARunIsPushedTo() {
    List<String> refusals = Collections.synchronizedList(new ArrayList<>());
    try (Session session = Session.of(zeros(), SessionOptions.DEFAULT.withThreads(1));
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
      var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32);
      arrays.run(session, Map.of("n", arrays.of(new long[] {3}, 1), "x", x));
      for (int i = 0; i < CLOSES; i++) {
        var pushing = new Gate();
        NDArray late = arrays.call("late", List.of(), List.of(COUNT), (_, written) -> {
          pushing.pass();
          try {
            session.close();
          } catch (IllegalStateException e) {
            refusals.add(String.valueOf(e.getMessage()));
          }
          written.get(0).segment().set(ValueLayout.JAVA_LONG, 0, 3);
        }).get(0);
        arrays.run(session, new Inputs(Map.of("n", late, "x", x), pushing::open)).values().forEach(NDArray::waitToRead);
      }
    }
    assertThat(refusals).hasSize(CLOSES).allMatch(it -> it.contains("inside an operation"));
  }
}
