package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies, run node by node: branches, loops and scans. */
class DynamicControlTest {
  private final NettySubAllocator source = new NettySubAllocator();
  private final CpuDevice device = new CpuDevice(1);
  private final BfcAllocator allocator = new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(
    BfcOptions.Growth.AS_REQUESTED));

  @AfterEach
  void nothingIsHeld() {
    assertThat(allocator.stats().liveCount()).isZero();
    allocator.validate();
    allocator.close();
    device.close();
    assertThat(source.heldBytes()).isZero();
  }

  private DynamicExecutor executor(Graph graph) {
    var memory = new DynamicMemory(allocator, new WeightStore(allocator));
    return new DynamicExecutor(graph, StandardOperators.table(), StandardKernels.catalog(), memory, device, null);
  }

  private List<float[]> run(Graph graph, TensorView... inputs) {
    List<float[]> results = new ArrayList<>();
    try (var executor = executor(graph); DynamicRun run = executor.run(List.of(inputs), RunLimit.NONE)) {
      for (int i = 0; i < graph.outputs().size(); i++) {
        results.add(run.output(i).segment().toArray(ValueLayout.JAVA_FLOAT));
      }
    }
    return results;
  }

  /** {@code -x} or {@code x} as it is, and a constant, by a condition. */
  private static Graph negatedOr() {
    var builder = new GraphBuilder("negated");
    NodeEntry condition = builder.input("condition", TensorType.of(DType.BOOL));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    var then = new ControlFixture("if/then");
    Graph negated = then.body(then.apply("neg", "Neg", then.parameter("x")), then.constant("c", ControlFixture.floats(
      7)));
    var otherwise = new ControlFixture("if/else");
    Graph same = otherwise.body(otherwise.parameter("x"), otherwise.constant("c", ControlFixture.floats(8, 9)));
    Node branch = ControlFixture.branch("if", negated, same, condition, x);
    builder.output("y", branch.entry());
    builder.output("c", branch.entry(1));
    return builder.build();
  }

  @Test
  void aBranchRunsAloneAndMayPassACaptureOrAConstant() {
    assertThat(run(negatedOr(), ControlFixture.bool(true), ControlFixture.floats(1, 2))).containsExactly(new float[] {
      -1, -2}, new float[] {7});
    assertThat(run(negatedOr(), ControlFixture.bool(false), ControlFixture.floats(1, 2))).containsExactly(new float[] {
      1, 2}, new float[] {8, 9});
  }

  /** The second carried value is a copy, for which there is no room: the first one's memory comes back, too. */
  @Test
  void aLoopThatFindsNoMemoryHoldsNothing() {
    int count = 1 << 20;
    var builder = new GraphBuilder("large");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, count));
    NodeEntry trips = builder.input("trips", TensorType.of(DType.INT64));
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry old = body.parameter("a");
    body.parameter("b");
    NodeEntry captured = body.parameter("captured");
    Graph inside = body.body(goesOn, body.apply("neg", "Neg", old), captured);
    Node loop = ControlFixture.loop("loop", inside, 2, trips, Node.absent(), x, x, x);
    builder.output("y", loop.entry());
    builder.output("z", loop.entry(1));
    var small = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED)
      .withLimitBytes(6 << 20));
    var memory = new DynamicMemory(small, new WeightStore(small));
    try (var executor = new DynamicExecutor(builder.build(), StandardOperators.table(), StandardKernels.catalog(),
      memory, device, null)) {
      List<TensorView> inputs = List.of(ControlFixture.floats(new float[count]), TensorView.ofLong(1));
      assertThatThrownBy(() -> executor.run(inputs, RunLimit.NONE)).isInstanceOf(OutOfMemory.class);
      assertThat(small.stats().liveCount()).isZero();
    }
    small.close();
  }

  /** The type of a stacked value depends on a value in the body: without a trip, one is tried. */
  @Test
  void aLoopOfNoTripsStacksNothingOfAComputedShape() {
    var builder = new GraphBuilder("none");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry size = builder.input("size", TensorType.of(DType.INT64, 1));
    NodeEntry trips = builder.input("trips", TensorType.of(DType.INT64));
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry old = body.parameter("x");
    Graph inside = body.body(goesOn, old, body.apply("slice", "Reshape", old, body.parameter("size")));
    Node loop = ControlFixture.loop("loop", inside, 1, trips, Node.absent(), x, size);
    builder.output("y", loop.entry());
    builder.output("all", loop.entry(1));
    Graph graph = builder.build();
    assertThat(run(graph, ControlFixture.floats(1, 2), TensorView.ofLongs(2), TensorView.ofLong(0))).containsExactly(
      new float[] {1, 2}, new float[0]);
    assertThat(run(graph, ControlFixture.floats(1, 2), TensorView.ofLongs(2), TensorView.ofLong(2))).containsExactly(
      new float[] {1, 2}, new float[] {1, 2, 1, 2});
  }

  /** Doubles x while its trip count and a condition allow, and stacks what it had. */
  private static Graph doubling(boolean growing) {
    var builder = new GraphBuilder("doubling");
    NodeEntry trips = builder.input("trips", TensorType.of(DType.INT64));
    NodeEntry condition = builder.input("condition", TensorType.of(DType.BOOL));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry limit = builder.input("limit", TensorType.of(DType.FLOAT32));
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    body.parameter("condition");
    NodeEntry old = body.parameter("x");
    NodeEntry most = body.parameter("limit");
    NodeEntry sum = body.apply("sum", "ReduceSum", old);
    NodeEntry next = growing
      ? Node.apply("loop/body/next", "Concat", Attributes.NONE.with("axis", 0), List.of(old,
        old)).entry()
      : body.apply("next", "Add", old, old);
    NodeEntry goesOn = body.apply("less", "Less", body.apply("flat", "Reshape", sum, body.constant("scalar", TensorView
      .ofLongs())), most);
    Graph inside = growing ? body.body(goesOn, next) : body.body(goesOn, next, old);
    Node loop = ControlFixture.loop("loop", inside, 1, trips, condition, x, limit);
    builder.output("x", loop.entry());
    if (!growing) {
      builder.output("all", loop.entry(1));
    }
    return builder.build();
  }

  private static TensorView scalar(float value) {
    return TensorView.ofFloats(Shape.SCALAR, value);
  }

  @Test
  void aLoopEndsByItsCountOrItsConditionAndStacksItsSlices() {
    TensorView x = ControlFixture.floats(1, 2);
    assertThat(run(doubling(false), TensorView.ofLong(3), ControlFixture.bool(true), x, scalar(1e9f))).containsExactly(
      new float[] {8, 16}, new float[] {1, 2, 2, 4, 4, 8});
    assertThat(run(doubling(false), TensorView.ofLong(100), ControlFixture.bool(true), x, scalar(6))).containsExactly(
      new float[] {4, 8}, new float[] {1, 2, 2, 4});
    assertThat(run(doubling(false), TensorView.ofLong(0), ControlFixture.bool(true), x, scalar(6))).containsExactly(
      new float[] {1, 2}, new float[0]);
    assertThat(run(doubling(false), TensorView.ofLong(9), ControlFixture.bool(false), x, scalar(6))).containsExactly(
      new float[] {1, 2}, new float[0]);
  }

  @Test
  void aCarriedValueMayGrow() {
    assertThat(run(doubling(true), TensorView.ofLong(2), ControlFixture.bool(true), ControlFixture.floats(1, 2), scalar(
      1e9f))).containsExactly(new float[] {1, 2, 1, 2, 1, 2, 1, 2});
  }

  @Test
  void aScanTakesAndGivesSlicesOnAnyAxisInEitherDirection() {
    var builder = new GraphBuilder("scan");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 3));
    NodeEntry first = builder.input("first", TensorType.of(DType.FLOAT32, 2));
    var body = new ControlFixture("scan/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry sum = body.apply("add", "Add", body.parameter("sum"), body.parameter("slice"));
    var kind = new NodeKind.Repeat(body.body(goesOn, sum, sum), 1, List.of(new NodeKind.Repeat.Slices(-1, true)), List
      .of(new NodeKind.Repeat.Slices(1, true)));
    Node scan = Node.control("scan", kind, List.of(Node.absent(), Node.absent(), first, x));
    builder.output("sum", scan.entry());
    builder.output("sums", scan.entry(1));
    var matrix = TensorView.ofFloats(Shape.of(2, 3), 1, 2, 3, 10, 20, 30);
    assertThat(run(builder.build(), matrix, ControlFixture.floats(0, 0))).containsExactly(new float[] {6, 60},
      new float[] {6, 5, 3, 60, 50, 30});
  }

  /** Never ends by itself, and has no step inside. */
  private static Graph endless() {
    var builder = new GraphBuilder("endless");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    Graph inside = body.body(goesOn, body.parameter("x"));
    builder.output("x", ControlFixture.loop("loop", inside, 1, Node.absent(), Node.absent(), x).entry());
    return builder.build();
  }

  @Test
  void anEndlessLoopIsCancelledOrEndsAtTheLimitOfTrips() {
    var asked = new AtomicInteger();
    try (var executor = executor(endless())) {
      assertThatThrownBy(() -> executor.run(List.of(ControlFixture.floats(1, 2)), RunLimit.from(() -> asked
        .incrementAndGet() > 10, Long.MAX_VALUE))).isInstanceOfSatisfying(RunStopped.class, e -> assertThat(e.reason())
          .isEqualTo(RunStopped.Reason.CANCELLED));
      assertThatThrownBy(() -> executor.run(List.of(ControlFixture.floats(1, 2)), RunLimit.from(() -> false,
        Long.MAX_VALUE, 1000, System::nanoTime)))
        .isInstanceOfSatisfying(RunStopped.class, e -> assertThat(e.reason()).isEqualTo(
          RunStopped.Reason.TRIPS));
    }
  }

  @Test
  void aFaultNamesTheNodeInTheBodyAndTheTrip() {
    var builder = new GraphBuilder("fault");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 4));
    var body = new ControlFixture("loop/body");
    NodeEntry trip = body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry picked = body.apply("pick", "Gather", body.parameter("x"), body.apply("index", "Mul", trip, body.constant(
      "two", TensorView.ofLong(2))));
    builder.output("all", ControlFixture.loop("loop", body.body(goesOn, picked), 0, builder.constant("trips", TensorView
      .ofLong(5)), Node.absent(), x).entry());
    try (var executor = executor(builder.build())) {
      assertThatThrownBy(() -> executor.run(List.of(ControlFixture.floats(1, 2, 3, 4)), RunLimit.NONE)).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("node=loop/body/pick").hasMessageContaining(
          "loop=loop trip=2");
    }
  }

  @Test
  void aConditionOfSeveralElementsIsRefused() {
    var builder = new GraphBuilder("several");
    NodeEntry condition = builder.input("condition", TensorType.of(DType.BOOL, 2));
    var then = new ControlFixture("if/then");
    var otherwise = new ControlFixture("if/else");
    builder.output("y", ControlFixture.branch("if", then.body(then.constant("c", scalar(1))), otherwise.body(otherwise
      .constant("c", scalar(2))), condition).entry());
    var two = new TensorView(TensorType.of(DType.BOOL, 2), MemorySegment.ofArray(new byte[2]));
    try (var executor = executor(builder.build())) {
      assertThatThrownBy(() -> executor.run(List.of(two), RunLimit.NONE)).isInstanceOfSatisfying(
        InvalidGraph.class, it -> assertThat(it.node()).isEqualTo("if")).hasMessageContaining("condition=bool[2]");
    }
  }

  /** The loop inside stacks as many slices as a value says, but nothing reads them. */
  @Test
  void aLoopWithoutATripNeedsNotKnowTheSizeOfWhatNothingReads() {
    var builder = new GraphBuilder("nested");
    NodeEntry trips = builder.input("trips", TensorType.of(DType.INT64));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    var inner = new ControlFixture("loop/body/inner/body");
    inner.parameter("trip");
    NodeEntry innerGoesOn = inner.parameter("condition");
    NodeEntry value = inner.parameter("x");
    Graph innerBody = inner.body(innerGoesOn, inner.apply("neg", "Neg", value), value);
    var body = new ControlFixture("loop/body");
    NodeEntry trip = body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry result = ControlFixture.loop("loop/body/inner", innerBody, 1, trip, Node.absent(), body.parameter("x"))
      .entry();
    builder.output("all", ControlFixture.loop("loop", body.body(goesOn, result), 0, trips, Node.absent(), x).entry());
    assertThat(run(builder.build(), TensorView.ofLong(0), ControlFixture.floats(1, 2))).containsExactly(new float[0]);
    assertThat(run(builder.build(), TensorView.ofLong(3), ControlFixture.floats(1, 2))).containsExactly(new float[] {1,
      2, -1, -2, 1, 2});
  }
}
