package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.device.ForeignWork;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.budget.Budgets;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of a session inside of its own runs, on the threads of their streams. */
class NestedRunsTest {
  /** Products of this size are worth a stream. */
  private static final int SIDE = 128;
  private static final int TOWERS = 3;

  private final NettySubAllocator source = new NettySubAllocator();
  private final AtomicReference<Session> opened = new AtomicReference<>();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** Three towers over x, a stream each, and their sum. */
  private static GraphBuilder towers(String name) {
    var builder = new GraphBuilder(name);
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, SIDE, SIDE));
    List<NodeEntry> tops = new ArrayList<>();
    for (int tower = 0; tower < TOWERS; tower++) {
      NodeEntry w = builder.constant("w" + tower, TensorView.ofFloats(Shape.of(SIDE, SIDE), filled(tower + 1)));
      NodeEntry top = x;
      for (int floor = 0; floor < 4; floor++) {
        top = builder.apply("Tanh", builder.apply("MatMul", top, w));
      }
      tops.add(top);
    }
    builder.output("y", builder.apply("Sum", tops.toArray(NodeEntry[]::new)));
    return builder;
  }

  private static float[] filled(float value) {
    float[] values = new float[SIDE * SIDE];
    Arrays.fill(values, value);
    return values;
  }

  private static Graph reading() {
    GraphBuilder builder = towers("reading");
    NodeEntry w = builder.variable("w", TensorView.ofFloats(Shape.of(1), 3));
    builder.output("twice", builder.apply("Add", w, w));
    return builder.build();
  }

  private static Graph assigning() {
    GraphBuilder builder = towers("assigning");
    NodeEntry w = builder.variable("w", TensorView.ofFloats(Shape.of(1), 3));
    builder.output("next", builder.assign(w, builder.apply("Add", w, builder.constant("one", TensorView.ofFloats(Shape
      .of(1), 1)))));
    return builder.build();
  }

  /** Does something once, before the first step of the first run on a stream of a thread of its own. */
  private static final class OnStream implements RunObserver.Source {
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final Consumer<Integer> work;

    OnStream(Consumer<Integer> work) {
      this.work = work;
    }

    @Override
    public RunObserver observe(TracedGraph graph) {
      if (runs.getAndIncrement() > 0) {
        return RunObserver.NONE;
      }
      return new RunObserver() {
        private final boolean[] done = new boolean[TOWERS];

        @Override
        public void stepBegan(int step, int stream) {
          if (stream > 0 && !done[stream]) {
            done[stream] = true;
            assertThat(Thread.currentThread().getName()).startsWith("cairn-stream");
            work.accept(stream);
            calls.incrementAndGet();
          }
        }
      };
    }
  }

  private static SessionOptions options(RunObserver.Source observers, MemoryBudget budget) {
    return SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(1).withCompile(CompileOptions.DEFAULT.withFusion(
      FusionChoice.OFF).withStreams(TOWERS).withStreamMemory(100)).withMemory(MemoryOptions.DEFAULT.withBudget(budget))
      .withObservers(
        observers);
  }

  private Session open(Graph graph, RunObserver.Source observers, MemoryBudget budget) {
    Session session = Session.of(graph, options(observers, budget), source);
    opened.set(session);
    return session;
  }

  private Session session() {
    return Objects.requireNonNull(opened.get());
  }

  /** Streams with steps, besides the caller's. */
  private static int otherStreams(Session session) {
    int count = (int) session.compiled().orElseThrow().schedule().steps().stream().map(it -> it.stream()).filter(
      it -> it > 0).distinct().count();
    assertThat(count).as("streams with threads").isEqualTo(TOWERS - 1);
    return count;
  }

  private static float[] run(Session session, String output) {
    try (Tensor x = Tensor.of(new float[SIDE * SIDE], SIDE, SIDE); Result result = session.run(Map.of("x", x))) {
      return result.get(output).toFloatArray();
    }
  }

  @Test
  void aRunInsideARunOfTheOneSlotHasItsPlace() {
    List<float[]> inner = Collections.synchronizedList(new ArrayList<>());
    var onStreams = new OnStream(_ -> {
      assertThat(ForeignWork.isRefused()).as("another run would count as inside").isTrue();
      inner.add(run(session(), "y"));
    });
    try (Session session = open(towers("plain").build(), onStreams, MemoryBudget.unlimited())) {
      float[] outer = run(session, "y");
      assertThat(inner).hasSize(otherStreams(session)).allSatisfy(it -> assertThat(it).containsExactly(outer));
      assertThat(run(session, "y")).containsExactly(outer);
    }
  }

  @Test
  void whatWouldWaitForTheRunItselfIsRefused() {
    var onStreams = new OnStream(_ -> {
      assertThatThrownBy(session()::close).isInstanceOf(IllegalStateException.class).hasMessageContaining(
        "inside one of its runs");
      try (Tensor value = Tensor.of(new float[] {5}, 1)) {
        assertThatThrownBy(() -> session().setVariable("w", value)).isInstanceOf(IllegalStateException.class)
          .hasMessage("a variable cannot be set inside a run of its session: name=w");
      }
    });
    for (Graph graph : List.of(reading(), assigning())) {
      onStreams.runs.set(0);
      try (Session session = open(graph, onStreams, MemoryBudget.unlimited())) {
        run(session, "y");
        assertThat(session.variable("w").toFloatArray()).isNotEmpty();
      }
    }
    assertThat(onStreams.calls).hasValue(2 * (TOWERS - 1));
  }

  /** The outer run keeps the session open: what is inside of it does not queue behind the thread that closes. */
  @Test
  void callsInsideARunPassAThreadThatClosesTheSession() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      List<Future<?>> closing = Collections.synchronizedList(new ArrayList<>());
      var onStreams = new OnStream(stream -> {
        if (stream == 1) {
          closing.add(other.submit(session()::close));
          while (!session().isAwaited()) {
            Thread.onSpinWait();
          }
          assertThat(run(session(), "twice")).containsExactly(6);
          assertThat(session().variable("w").toFloatArray()).containsExactly(3);
          session().newInput(DType.FLOAT32, 4).close();
        }
      });
      Session session = open(reading(), onStreams, MemoryBudget.unlimited());
      run(session, "y");
      closing.getFirst().get();
      assertThatThrownBy(() -> run(session, "y")).isInstanceOf(IllegalStateException.class);
    }
  }

  /** The outer run holds the variables: what is inside of it does not queue behind the thread that sets one. */
  @Test
  void callsInsideARunPassAThreadThatSetsAVariable() throws Exception {
    MemoryBudget budget = MemoryBudget.of(1L << 40);
    for (Graph graph : List.of(reading(), assigning())) {
      try (ExecutorService other = Executors.newSingleThreadExecutor();
        Tensor value = Tensor.of(new float[] {50}, 1)) {
        List<Future<?>> setting = Collections.synchronizedList(new ArrayList<>());
        var onStreams = new OnStream(stream -> {
          if (stream == 1) {
            setting.add(other.submit(() -> session().setVariable("w", value)));
            Budgets.awaitWaiting(budget.queue(), 1);
            run(session(), "y");
            assertThat(session().variable("w").toFloatArray()[0]).isLessThan(50);
          }
        });
        try (Session session = open(graph, onStreams, budget)) {
          run(session, "y");
          setting.getFirst().get();
          assertThat(session.variable("w").toFloatArray()).containsExactly(50);
        }
      }
    }
  }

  /** Two runs inside of one, on two streams: they assign to the same variable. */
  @Test
  void runsInsideARunAssignOneAfterTheOther() {
    MemoryBudget budget = MemoryBudget.of(1L << 40);
    var runs = new AtomicInteger();
    var first = new AtomicInteger();
    List<Integer> steps = Collections.synchronizedList(new ArrayList<>());
    RunObserver.Source observers = _ -> {
      int number = runs.getAndIncrement();
      boolean[] done = new boolean[TOWERS];
      return new RunObserver() {
        @Override
        public void stepBegan(int step, int stream) {
          if (number == 0) {
            if (stream > 0 && !done[stream]) {
              done[stream] = true;
              run(session(), "y");
            }
          } else {
            if (first.compareAndSet(0, number)) {
              // The other run inside waits for this one.
              Budgets.awaitWaiting(budget.queue(), 1);
            }
            steps.add(number);
          }
        }
      };
    };
    try (Session session = open(assigning(), observers, budget)) {
      assertThat(otherStreams(session)).isEqualTo(2);
      run(session, "y");
      assertThat(session.variable("w").toFloatArray()[0]).isGreaterThan(3);
    }
    int half = steps.size() / 2;
    assertThat(steps.subList(0, half)).containsOnly(first.get());
    assertThat(steps.subList(half, steps.size())).containsOnly(3 - first.get());
  }

  /** Two towers' run holds the budget and waits for its stream, whose observer asks for more than is left. */
  @Test
  void aRunOnAStreamThatWaitsForTheOuterRunsMemoryIsRefused() {
    int bytes = 1 << 20;
    MemoryBudget budget = MemoryBudget.of(bytes);
    var refused = new AtomicInteger();
    try (Session large = Session.of(negative(bytes), options(RunObserver.Source.NONE, budget), source);
      Tensor given = Tensor.of(new byte[bytes], DType.INT8, bytes)) {
      var onStreams = new OnStream(_ -> runOrCount(large, given, refused));
      try (Session session = open(towers("outer").build(), onStreams, budget)) {
        run(session, "y");
      }
    }
    assertThat(refused).as("each stream's").hasValue(TOWERS - 1);
  }

  /** A run without a plan that had to wait is the first request of the queue until it ends. */
  @Test
  void runsInsideARunThatHasTheQueuesTurnAskOneAfterTheOther() throws Exception {
    int bytes = 1 << 20;
    MemoryBudget budget = Budgets.of(bytes + (16 << 10), new ManualClock());
    var shared = MemoryOptions.DEFAULT.withBudget(budget);
    var refused = new AtomicInteger();
    GraphBuilder builder = towers("values");
    NodeEntry x = builder.input("z", TensorType.of(DType.FLOAT32, SIDE, SIDE));
    builder.output("found", builder.apply("NonZero", builder.apply("Relu", x)));
    SessionOptions twoRuns = SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(2).withMemory(shared);
    try (Session holding = Session.of(negative(bytes), twoRuns, source);
      Session large = Session.of(negative(2 * bytes), twoRuns, source);
      Tensor small = Tensor.of(new byte[bytes], DType.INT8, bytes);
      Tensor given = Tensor.of(new byte[2 * bytes], DType.INT8, 2 * bytes);
      ExecutorService other = Executors.newSingleThreadExecutor()) {
      var onStreams = new OnStream(_ -> runOrCount(large, given, refused));
      Result held = holding.run(Map.of("x", small));
      SessionOptions patient = options(onStreams, budget).withMemory(shared.withWaitingTime(Duration.ofMinutes(4)));
      try (Session session = Session.of(builder.build(), patient, source)) {
        Future<?> run = other.submit(() -> {
          try (Tensor zeros = Tensor.of(new float[SIDE * SIDE], SIDE, SIDE);
            Result result = session.run(Map.of("x", zeros, "z", zeros))) {
            assertThat(result.get("found").shape()).isEqualTo(Shape.of(2, 0));
          }
        });
        Budgets.awaitWaiting(budget.queue(), 1);
        assertThat(onStreams.calls).hasValue(0);
        held.close();
        run.get();
      }
    }
    assertThat(refused).as("each stream's").hasValue(TOWERS - 1);
  }

  private static void runOrCount(Session session, Tensor given, AtomicInteger refused) {
    try (Result result = session.run(Map.of("x", given))) {
      assertThat(result.names()).isNotEmpty();
    } catch (OutOfMemory e) {
      refused.incrementAndGet();
    }
  }

  /** y = -x, whose result needs as many bytes. */
  private static Graph negative(int bytes) {
    var builder = new GraphBuilder("negative" + bytes);
    NodeEntry x = builder.input("x", TensorType.of(DType.INT8, bytes));
    builder.output("y", builder.apply("Neg", x));
    return builder.build();
  }
}
