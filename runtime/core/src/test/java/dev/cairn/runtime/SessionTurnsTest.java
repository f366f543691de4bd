package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.trace.RunObserver;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs over arrays keep to {@code maxConcurrentRuns}, also on threads that wait and run operations meanwhile. */
@Timeout(120)
class SessionTurnsTest {
  private static final int ROUNDS = 300;
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
        sleep();
      }

      @Override
      public void stepEnded(int step, int stream) {
        running.decrementAndGet();
      }
    };
  }

  private static void sleep() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
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
      });
      NDArray ready = arrays.of(new long[] {3}, 1);
      NDArray x = arrays.ones(DType.FLOAT32);
      for (int i = 0; i < ROUNDS; i++) {
        session.run(arrays, Map.of("n", ready, "x", x));
        NDArray late = arrays.call("late", List.of(ready), List.of(COUNT), (read, written) -> written.get(0).segment()
          .copyFrom(read.get(0).segment())).get(0);
        session.run(arrays, Map.of("n", late, "x", x));
      }
      arrays.waitAll();
      ends.set(true);
      other.join();
    }
    assertThat(helped).hasPositiveValue();
    assertThat(most).hasValue(1);
  }

  /** Neither on the engine's thread nor on the one that is about to push a run and waits. */
  @Test
  @SuppressWarnings("try") // closes the session by hand
  void anOperationCannotCloseTheSessionThatARunIsPushedTo() {
    List<String> refusals = Collections.synchronizedList(new ArrayList<>());
    try (Session session = Session.of(zeros(), SessionOptions.DEFAULT.withThreads(1));
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
      var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32);
      session.run(arrays, Map.of("n", arrays.of(new long[] {3}, 1), "x", x));
      for (int i = 0; i < ROUNDS; i++) {
        NDArray late = arrays.call("late", List.of(), List.of(COUNT), (_, written) -> {
          // Until the run is about to be pushed.
          sleep();
          try {
            session.close();
          } catch (IllegalStateException e) {
            refusals.add(String.valueOf(e.getMessage()));
          }
          written.get(0).segment().set(ValueLayout.JAVA_LONG, 0, 3);
        }).get(0);
        session.run(arrays, Map.of("n", late, "x", x)).values().forEach(NDArray::waitToRead);
      }
    }
    assertThat(refusals).hasSize(ROUNDS).allMatch(it -> it.contains("inside an operation"));
  }
}
