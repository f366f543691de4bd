package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loops of bad models and bad inputs end with an error that names them, and the session goes on. */
class BadControlTest {
  private static final long ENDLESS = 1L << 62;
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1).withCompile(
    CompileOptions.DEFAULT.withUnrolling(false));

  /** Adds x to a carried value, and stacks what it had where that is wanted. */
  private static Graph sums(NodeEntry trips, GraphBuilder builder, boolean stacked) {
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry old = body.parameter("old");
    NodeEntry next = body.apply("next", "Add", old, body.parameter("x"));
    Graph inside = stacked ? body.body(goesOn, next, old) : body.body(goesOn, next);
    Node loop = ControlFixture.loop("loop", inside, 1, trips, Node.absent(), x, x);
    builder.output("y", loop.entry());
    if (stacked) {
      builder.output("all", loop.entry(1));
    }
    return builder.build();
  }

  private static Graph sums(boolean stacked) {
    var builder = new GraphBuilder("sums");
    return sums(builder.input("trips", TensorType.of(DType.INT64)), builder, stacked);
  }

  private static float[] run(Session session, long trips, RunOptions options) {
    try (Tensor count = Tensor.of(new long[] {trips});
      Tensor x = Tensor.of(new float[] {1, 2}, 2);
      Result result = session.run(Map.of("trips", count, "x", x), options)) {
      return result.get("y").toFloatArray();
    }
  }

  @Test
  void anEndlessLoopEndsAtTheDeadlineOrTheMostTrips() {
    // The clock advances whenever the run checks its deadline.
    var time = new AtomicLong();
    LongSupplier clock = () -> time.addAndGet(1_000);
    try (Session session = Session.of(sums(false), OPTIONS, new NettySubAllocator(), clock)) {
      assertThatThrownBy(() -> run(session, ENDLESS, RunOptions.DEFAULT.withDeadline(Duration.ofMillis(20))))
        .isInstanceOfSatisfying(RunStopped.class, e -> assertThat(e.reason()).isEqualTo(RunStopped.Reason.DEADLINE));
      assertThatThrownBy(() -> run(session, ENDLESS, RunOptions.DEFAULT.withMaxIterations(100))).isInstanceOfSatisfying(
        RunStopped.class, e -> assertThat(e.reason()).isEqualTo(RunStopped.Reason.TRIPS));
      assertThat(session.compiled()).isPresent();
      assertThat(run(session, 3, RunOptions.DEFAULT)).containsExactly(4, 8);
    }
  }

  /** Another thread cancels when the loop has made some trips: before each, the run looks for its deadline, too. */
  @Test
  void anEndlessLoopIsCancelledBetweenItsTrips() {
    var cancellation = new Cancellation();
    var looks = new AtomicLong();
    LongSupplier clock = () -> {
      if (looks.incrementAndGet() == 1_000) {
        CompletableFuture.runAsync(cancellation::cancel).join();
      }
      return 0;
    };
    RunOptions how = RunOptions.DEFAULT.withCancellation(cancellation).withDeadline(Duration.ofDays(1));
    try (Session session = Session.of(sums(false), OPTIONS, new NettySubAllocator(), clock)) {
      assertThatThrownBy(() -> run(session, ENDLESS, how))
        .isInstanceOfSatisfying(RunStopped.class, e -> {
          assertThat(e.reason()).isEqualTo(RunStopped.Reason.CANCELLED);
          assertThat(e.step()).as("the loop, which is the only one").hasValue(0);
        });
      assertThat(run(session, 3, RunOptions.DEFAULT)).containsExactly(4, 8);
    }
  }

  /** The slices of so many trips have no place in any memory: told before a trip, or when the limit is reached. */
  @ParameterizedTest
  @CsvSource({"4611686018427387904, loop", "1099511627776, result/all"})
  void slicesOfTooManyTripsAreRefused(long trips, String named) {
    try (Session session = Session.of(sums(true), OPTIONS.withMemoryLimitBytes(1 << 20))) {
      assertThatThrownBy(() -> run(session, trips, RunOptions.DEFAULT))
        .satisfies(it -> assertThat(it instanceof OutOfMemory refusal
          ? refusal.owner().label()
          : ((InvalidGraph) it).node()).isEqualTo(named));
      assertThat(run(session, 3, RunOptions.DEFAULT)).containsExactly(4, 8);
    }
  }

  @Test
  void slicesOfAConstantNumberOfTripsAreRefusedBeforeTheRun() {
    var builder = new GraphBuilder("constant");
    Graph graph = sums(builder.constant("trips", TensorView.ofLong(ENDLESS)), builder, true);
    assertThatThrownBy(() -> Session.of(graph, OPTIONS).close()).isInstanceOfSatisfying(InvalidGraph.class,
      it -> assertThat(it.node()).isEqualTo("loop"));
  }

  /** In a loop in a loop, with a plan: the error has the whole way, and both trips. */
  @Test
  void anIndexOutsideOfItsAxisNamesTheWayToItsNode() {
    var builder = new GraphBuilder("outside");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 4));
    var inner = new ControlFixture("outer/body/inner/body");
    NodeEntry trip = inner.parameter("trip");
    NodeEntry innerGoesOn = inner.parameter("condition");
    NodeEntry table = inner.parameter("x");
    NodeEntry shift = inner.parameter("shift");
    NodeEntry picked = Node.apply("outer/body/inner/body/pick", "Gather", Attributes.NONE, List.of(table, inner.apply(
      "index", "Add", trip, shift))).entry();
    var outer = new ControlFixture("outer/body");
    NodeEntry outerTrip = outer.parameter("trip");
    NodeEntry outerGoesOn = outer.parameter("condition");
    NodeEntry captured = outer.parameter("x");
    Node loop = ControlFixture.loop("outer/body/inner", inner.body(innerGoesOn, picked), 0, outer.constant("three",
      TensorView.ofLong(3)), Node.absent(), captured, outerTrip);
    builder.output("y", ControlFixture.loop("outer", outer.body(outerGoesOn, loop.entry()), 0, builder.constant("trips",
      TensorView.ofLong(3)), Node.absent(), x).entry());
    try (Session session = Session.of(builder.build(), OPTIONS); Tensor four = Tensor.of(new float[4], 4)) {
      assertThatThrownBy(() -> session.run(Map.of("x", four)).close()).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node=outer/body/inner/body/pick").hasMessageContaining("loop=outer/body/inner trip=2")
        .hasMessageContaining("loop=outer trip=2");
      assertThat(session.compiled()).isPresent();
    }
  }
}
