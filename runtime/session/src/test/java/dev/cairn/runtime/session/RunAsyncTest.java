package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.cairn.runtime.trace.Tracer;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RunAsyncTest {
  private final HeldStep held = new HeldStep();
  private final SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(2)
    .withObservers(graph -> held).withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF));

  /** y = tanh(x) + 1. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(2))));
    NodeEntry one = builder.constant("one", TensorView.ofFloats(Shape.of(1), 1));
    builder.output("y", builder.apply("Add", builder.apply("Tanh", x), one));
    return builder.build();
  }

  private static Tensor zeros(int batch) {
    return Tensor.of(new float[2 * batch], batch, 2);
  }

  /** The session closes between the check that it is open and the start of the run. */
  @Test
  void aRunThatBeginsWhileItsSessionClosesIsRefused() {
    var runs = new AsyncRuns(1, System::nanoTime);
    runs.close();
    Tensor x = zeros(1);
    assertThatThrownBy(() -> runs.start(Map.of("x", x), RunOptions.DEFAULT, (_, _) -> new Result(Map.of())))
      .isInstanceOf(IllegalStateException.class).hasMessageContaining("already closed");
    x.close();
  }

  @Test
  void resultsComeWhenTheyAreDone() {
    held.letGo();
    try (var session = Session.of(model(), options)) {
      List<RunFuture> runs = new ArrayList<>();
      for (int batch = 1; batch <= 20; batch++) {
        runs.add(session.runAsync(Map.of("x", zeros(batch))));
      }
      for (int batch = 1; batch <= 20; batch++) {
        try (Result result = runs.get(batch - 1).join()) {
          assertThat(result.get("y").toFloatArray()).hasSize(2 * batch).containsOnly(1);
        }
      }
    }
  }

  @Test
  void cancellingStopsTheRunBeforeItsNextStepAndHoldsNothing() throws Exception {
    Tracer tracer = Tracer.keeping(1);
    var firstEnded = new CountDownLatch(1);
    var ending = new RunObserver() {
      @Override
      public void ended(boolean failed) {
        firstEnded.countDown();
      }
    };
    // The last observer is notified of ends first.
    try (var session = Session.of(model(), options.withObservers(RunObserver.Source.all(graph -> ending, graph -> held,
      tracer)))) {
      Tensor x = zeros(3);
      RunFuture run = session.runAsync(Map.of("x", x));
      held.awaitReached();
      assertThat(run.cancel(true)).isTrue();
      assertThat(run.isCancelled()).isTrue();
      assertThatThrownBy(run::join).isInstanceOf(CancellationException.class);
      held.letGo();
      firstEnded.await();
      assertThat(tracer.trace().runs().getFirst().failed()).isTrue();
      assertThat(tracer.trace().runs().getFirst().steps()).as("the step under way is the last").hasSize(1);
      long atRest = session.memoryStats().bytesInUse();
      session.run(Map.of("x", x)).close();
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(atRest);
      RunFuture done = session.runAsync(Map.of("x", x));
      Result result = done.join();
      assertThat(done.cancel(true)).as("it is done").isFalse();
      assertThat(result.get("y").toFloatArray()).containsOnly(1);
      result.close();
    }
  }

  @Test
  void inputsAreHeldUntilTheEnd() throws Exception {
    try (var session = Session.of(model(), options)) {
      Tensor x = zeros(3);
      RunFuture run = session.runAsync(Map.of("x", x));
      held.awaitReached();
      assertThatThrownBy(x::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("a run reads it now");
      held.letGo();
      run.get().close();
      x.close();
      assertThatThrownBy(() -> session.runAsync(Map.of("x", x))).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tensor is closed");
    }
  }

  @Test
  void failuresArriveAsTheyAre() {
    held.letGo();
    // The clock advances whenever a run checks its deadline.
    Session session = Session.of(model(), options, new NettySubAllocator(), new AtomicLong()::incrementAndGet);
    Tensor wrong = Tensor.of(new float[3], 1, 3);
    assertThatThrownBy(() -> session.runAsync(Map.of("x", wrong)).join()).isInstanceOf(CompletionException.class)
      .hasCauseInstanceOf(IllegalArgumentException.class);
    RunOptions late = RunOptions.DEFAULT.withDeadline(Duration.ofNanos(1));
    assertThatThrownBy(() -> session.runAsync(Map.of("x", zeros(1)), late).get()).isInstanceOf(
      ExecutionException.class).hasCauseInstanceOf(RunStopped.class);
    session.close();
    assertThatThrownBy(() -> session.runAsync(Map.of("x", zeros(1)))).isInstanceOf(IllegalStateException.class)
      .hasMessageContaining("already closed");
  }
}
