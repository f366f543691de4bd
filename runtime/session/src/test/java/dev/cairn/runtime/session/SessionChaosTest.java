package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
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
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads run one session while listeners fail anywhere, runs are cancelled and time runs out. */
class SessionChaosTest {
  private static final int THREADS = 6;
  private static final int RUNS = 25;
  private static final int SOAKED_RUNS = 1000;

  private final NettySubAllocator source = new NettySubAllocator();
  private final AtomicBoolean chaos = new AtomicBoolean(true);
  private final AtomicInteger planted = new AtomicInteger();
  private final AtomicInteger saboteurs = new AtomicInteger();
  /** Runs that were stopped before their first step, perhaps while another made the plan. */
  private final AtomicInteger stoppedWaiting = new AtomicInteger();

  /** What a listener throws here. */
  private static final class Planted extends Error {
    private static final long serialVersionUID = 1L;

    Planted() {
      super("planted", null, false, false);
    }
  }

  /** The saboteur of one run. It does the same in each execution of the test, up to what streams do at one time. */
  private final class Saboteur implements RunObserver {
    private final SplittableRandom random = new SplittableRandom(saboteurs.getAndIncrement());

    private synchronized int dice() {
      return random.nextInt(200);
    }

    private void perhapsFail() {
      if (chaos.get()) {
        int dice = dice();
        if (dice == 0) {
          planted.incrementAndGet();
          throw new Planted();
        }
        if (dice == 1) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void admitted() {
      perhapsFail();
    }

    @Override
    public void stepBegan(int step, int stream) {
      perhapsFail();
    }

    @Override
    public void stepEnded(int step, int stream) {
      perhapsFail();
    }

    @Override
    public void ended(boolean failed) {
      perhapsFail();
    }
  }

  /** Two towers over x of [batch, 4], and their sum. */
  private static Graph model() {
    var builder = new GraphBuilder("towers");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(4))));
    NodeEntry half = builder.constant("half", TensorView.ofFloats(Shape.of(1), 0.5f));
    NodeEntry left = x;
    NodeEntry right = builder.apply("Mul", x, half);
    for (int i = 0; i < 5; i++) {
      left = builder.apply("Tanh", builder.apply("Add", left, half));
      right = builder.apply("Sigmoid", builder.apply("Mul", right, half));
    }
    builder.output("y", builder.apply("Add", left, right));
    return builder.build();
  }

  private static Map<String, Tensor> batch(int items) {
    var values = new float[items * 4];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i % 17 - 8) / 5f;
    }
    return Map.of("x", Tensor.of(values, items, 4));
  }

  private static List<float[]> expected(int shapes) {
    List<float[]> all = new ArrayList<>();
    try (var session = Session.of(model(), SessionOptions.DEFAULT.withThreads(1))) {
      for (int items = 1; items <= shapes; items++) {
        try (Result result = session.run(batch(items))) {
          all.add(result.get("y").toFloatArray());
        }
      }
    }
    return all;
  }

  private void oneThread(Session session, int seed, int runs, List<float[]> expected) {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < runs; i++) {
      int items = 1 + random.nextInt(expected.size());
      RunOptions how = switch (random.nextInt(4)) {
        case 0 -> RunOptions.DEFAULT.withDeadline(Duration.ofNanos(1 + random.nextInt(400_000)));
        case 1 -> {
          var cancellation = new Cancellation();
          if (random.nextBoolean()) {
            cancellation.cancel();
          }
          yield RunOptions.DEFAULT.withCancellation(cancellation);
        }
        default -> RunOptions.DEFAULT;
      };
      try (Result result = session.run(batch(items), how)) {
        assertThat(result.get("y").toFloatArray()).containsExactly(expected.get(items - 1));
      } catch (Planted e) {
        // The injected failure is expected; every other one fails the test.
      } catch (RunStopped e) {
        stoppedWaiting.addAndGet(e.step().isEmpty() ? 1 : 0);
      } finally {
        Thread.interrupted();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whateverFailsTheRestIsRightAndNothingIsLeft(int streams) throws Exception {
    chaos(streams, RUNS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @Tag("soak")
  void soakChaos(int streams) throws Exception {
    chaos(streams, SOAKED_RUNS);
  }

  private void chaos(int streams, int runs) throws Exception {
    List<float[]> expected = expected(3);
    Tracer tracer = Tracer.keeping(5);
    SessionOptions options = SessionOptions.DEFAULT.withThreads(3).withStreams(streams).withMaxConcurrentRuns(2)
      .withMaxPlans(2).withObservers(RunObserver.Source.all(graph -> new Saboteur(), tracer));
    try (var session = Session.of(model(), options, source);
      ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int seed = 100 * streams + thread;
        all.add(threads.submit(() -> oneThread(session, seed, runs, expected)));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(planted).as("the test counts on it").hasPositiveValue();
      chaos.set(false);
      assertThat(tracer.trace().forgotten()).as("every run that had a plan ended for the tracer").isBetween(
        THREADS * runs - 5L - stoppedWaiting.get(), THREADS * runs - 5L);
      for (int items = 1; items <= 3; items++) {
        try (Result result = session.run(batch(items))) {
          assertThat(result.get("y").toFloatArray()).containsExactly(expected.get(items - 1));
        }
      }
      assertThat(tracer.trace().runs().getLast().lane()).as("no lane was left taken").isZero();
    }
    assertThat(source.heldBytes()).isZero();
  }

  /** Each call of an observer fails in turn, in one run after the other. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anObserverThatFailsAnywhereLeavesNothing(int streams) {
    List<float[]> expected = expected(1);
    var failing = new FailingCall();
    Tracer tracer = Tracer.keeping(1);
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withStreams(streams).withMaxConcurrentRuns(2)
      .withObservers(RunObserver.Source.all(graph -> failing, tracer));
    try (var session = Session.of(model(), options, source)) {
      session.run(batch(1)).close();
      long held = session.memoryStats().bytesInUse();
      int calls = 0;
      boolean ended = false;
      while (!ended) {
        failing.failAt(calls);
        try {
          session.run(batch(1)).close();
          ended = true;
        } catch (Planted e) {
          calls++;
        }
        failing.failAt(-1);
        assertThat(session.memoryStats().bytesInUse()).as("after call %d", calls).isEqualTo(held);
        try (Result result = session.run(batch(1))) {
          assertThat(result.get("y").toFloatArray()).containsExactly(expected.getFirst());
        }
        assertThat(tracer.trace().runs().getLast().lane()).as("no lane was left taken").isZero();
      }
      int steps = session.compiled().orElseThrow().storage().steps().size();
      assertThat(calls).as("admitted, begin and end of each step, ended").isEqualTo(2 + 2 * steps);
    }
    assertThat(source.heldBytes()).isZero();
  }

  /** Fails at a call, counted from 0. */
  private static final class FailingCall implements RunObserver {
    private final AtomicInteger left = new AtomicInteger(-1);

    void failAt(int call) {
      left.set(call);
    }

    private void called() {
      if (left.getAndDecrement() == 0) {
        throw new Planted();
      }
    }

    @Override
    public void admitted() {
      called();
    }

    @Override
    public void stepBegan(int step, int stream) {
      called();
    }

    @Override
    public void stepEnded(int step, int stream) {
      called();
    }

    @Override
    public void ended(boolean failed) {
      called();
    }
  }
}
