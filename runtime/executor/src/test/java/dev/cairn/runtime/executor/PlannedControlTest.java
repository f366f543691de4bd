package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans with steps that run bodies. */
class PlannedControlTest {
  private static final CompileOptions OPTIONS = CompileOptions.DEFAULT.withUnrolling(false);
  private final CpuDevice device = new CpuDevice(1);
  private final BfcAllocator allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT.withGrowth(
    BfcOptions.Growth.AS_REQUESTED));

  @AfterEach
  void nothingIsHeld() {
    assertThat(allocator.stats().liveCount()).isZero();
    allocator.close();
    device.close();
  }

  private CompiledGraph compiled(Graph graph) {
    return compiled(graph, OPTIONS);
  }

  private CompiledGraph compiled(Graph graph, CompileOptions options) {
    return new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream()).compile(graph,
      InputBinding.ofShapes(graph, Map.of()), options);
  }

  /** Runs twice, the second time with what the first run left in memory. No run asks the allocator for anything. */
  private List<float[]> run(CompiledGraph graph, TensorView... inputs) {
    List<float[]> results = new ArrayList<>();
    try (var weights = new WeightStore(allocator).store(graph.storage().constants());
      var executor = new StaticExecutor(graph, weights.views(), allocator, device)) {
      long asked = allocator.stats().all().count().total();
      executor.run(List.of(inputs));
      executor.run(List.of(inputs));
      assertThat(allocator.stats().all().count().total()).isEqualTo(asked);
      for (int i = 0; i < graph.graph().graph().outputs().size(); i++) {
        results.add(executor.output(i).segment().toArray(ValueLayout.JAVA_FLOAT));
      }
    }
    return results;
  }

  /** Two chains of products, of which one goes through a larger matrix. */
  private static Graph branches() {
    var builder = new GraphBuilder("branches");
    NodeEntry condition = builder.input("condition", TensorType.of(DType.BOOL));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    var then = new ControlFixture("if/then");
    NodeEntry wide = then.apply("wide", "Expand", then.parameter("x"), then.constant("shape", TensorView.ofLongs(1000,
      2)));
    Graph sum = then
      .body(then.apply("sum", "ReduceSum", then.apply("neg", "Sin", wide), then.constant("axes", TensorView
        .ofLongs(0))));
    var otherwise = new ControlFixture("if/else");
    Graph same = otherwise.body(otherwise.apply("row", "Unsqueeze", otherwise.parameter("x"), otherwise.constant("axes",
      TensorView.ofLongs(0))));
    builder.output("y", ControlFixture.branch("if", sum, same, condition, x).entry());
    return builder.build();
  }

  @Test
  void aBranchTakesTheMemoryOfTheLargerBody() {
    CompiledGraph graph = compiled(branches());
    var kernel = (ControlKernel.Branch) graph.kernels().get(0).kernel();
    long then = kernel.bodies().get(0).plan().peakBytes();
    long otherwise = kernel.bodies().get(1).plan().peakBytes();
    assertThat(then).isGreaterThanOrEqualTo(8000).isGreaterThan(otherwise);
    assertThat(kernel.bytes()).isEqualTo(then);
    assertThat(graph.plan().peakBytes()).isEqualTo(then + 64);
    assertThat(run(graph, ControlFixture.bool(false), ControlFixture.floats(1, 2))).containsExactly(new float[] {1, 2});
    assertThat(run(graph, ControlFixture.bool(true), ControlFixture.floats(0, 0))).containsExactly(new float[] {0, 0});
  }

  /** Doubles x and stacks what it had; ends early where the sum reaches a limit. */
  private static Graph doubling(boolean ends) {
    var builder = new GraphBuilder("doubling");
    NodeEntry trips = builder.input("trips", TensorType.of(DType.INT64));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    Node loop = doubling("loop", ends, trips, x);
    builder.output("a", loop.entry());
    builder.output("b", loop.entry(1));
    return builder.build();
  }

  private static Graph twoLoops() {
    var builder = new GraphBuilder("two loops");
    NodeEntry trips = builder.input("trips", TensorType.of(DType.INT64));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    builder.output("a", builder.apply("Sin", doubling("left", false, trips, builder.apply("Cos", x)).entry()));
    builder.output("b", builder.apply("Cos", doubling("right", false, trips, builder.apply("Sin", x)).entry()));
    return builder.build();
  }

  private static Node doubling(String name, boolean ends, NodeEntry trips, NodeEntry x) {
    var body = new ControlFixture(name + "/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry old = body.parameter("x");
    NodeEntry other = body.parameter("other");
    NodeEntry less = body.apply("less", "Less", body.apply("flat", "Reshape", body.apply("sum", "ReduceSum", old), body
      .constant("scalar", TensorView.ofLongs())), body.constant("limit",
        TensorView.ofFloats(
          Shape.SCALAR, 6)));
    // The body swaps the carried values.
    Graph inside = body.body(ends ? less : goesOn, other, body.apply("next", "Add", old, old));
    return ControlFixture.loop(name, inside, 2, trips, Node.absent(), x, x);
  }

  @Test
  void carriedValuesEndInTheResultsWhateverTheNumberOfTrips() {
    CompiledGraph graph = compiled(doubling(false));
    float[][] wanted = {{1, 1}, {1, 2}, {2, 2}, {2, 4}, {4, 4}};
    for (int trips = 0; trips < wanted.length; trips++) {
      List<float[]> results = run(graph, TensorView.ofLong(trips), ControlFixture.floats(1, 10));
      assertThat(results).containsExactly(new float[] {wanted[trips][0], 10 * wanted[trips][0]}, new float[] {
        wanted[trips][1], 10 * wanted[trips][1]});
    }
    assertThat(run(compiled(doubling(true)), TensorView.ofLong(9), ControlFixture.floats(1, 2))).containsExactly(
      new float[] {2, 4}, new float[] {4, 8});
  }

  /** A loop of three trips in a branch: its carried value grows, and the sum counts its elements. */
  @Test
  void aLoopInABranchIsTypedTripByTrip() {
    var builder = new GraphBuilder("growing");
    NodeEntry condition = builder.input("condition", TensorType.of(DType.BOOL));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1));
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry row = body.parameter("row");
    NodeEntry sum = body.parameter("sum");
    NodeEntry size = Node.apply("loop/body/size", "Cast", Attributes.NONE.with("to", new AttributeValue.Text(
      "float32")), List.of(body.apply("shape", "Shape", row))).entry();
    NodeEntry twice = Node.apply("loop/body/twice", "Concat", Attributes.NONE.with("axis", 0), List.of(row, row))
      .entry();
    var then = new ControlFixture("if/then");
    NodeEntry start = then.parameter("x");
    Node loop = ControlFixture.loop("loop", body.body(goesOn, twice, body.apply("add", "Add", sum, size)), 2, then
      .constant("three", TensorView.ofLong(3)), Node.absent(), start, start);
    var otherwise = new ControlFixture("if/else");
    Graph negated = otherwise.body(otherwise.apply("neg", "Neg", otherwise.parameter("x")));
    builder.output("y", ControlFixture.branch("if", then.body(loop.entry(1)), negated, condition, x).entry());
    Graph graph = builder.build();
    for (boolean simplify : new boolean[] {true, false}) {
      assertThat(run(compiled(graph, CompileOptions.DEFAULT.withSimplify(simplify)), ControlFixture.bool(true),
        ControlFixture.floats(10))).containsExactly(new float[] {17});
    }
  }

  /** Types decide the condition inside a loop: the other branch would break a rule. */
  @Test
  void aBranchThatIsNeverTakenIsNotTypedInABody() {
    var builder = new GraphBuilder("squeezed");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry trips = builder.input("trips", TensorType.of(DType.INT64));
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry old = body.parameter("x");
    NodeEntry one = body.apply("is1", "Equal", body.apply("first", "Gather", body.apply("shape", "Shape", old), body
      .constant("zero", TensorView.ofLong(0))), body.constant("one", TensorView.ofLong(1)));
    var then = new ControlFixture("if/then");
    Graph squeezed = then.body(then.apply("squeezed", "Squeeze", then.parameter("x"), then.constant("axes", TensorView
      .ofLongs(0))));
    var otherwise = new ControlFixture("if/else");
    Graph negated = otherwise.body(otherwise.apply("neg", "Neg", otherwise.parameter("x")));
    Graph inside = body.body(goesOn, ControlFixture.branch("if", squeezed, negated, one, old).entry());
    builder.output("y", ControlFixture.loop("loop", inside, 1, trips, Node.absent(), x).entry());
    assertThat(run(compiled(builder.build()), ControlFixture.floats(1, 2),
      TensorView.ofLong(3))).containsExactly(new float[] {-1, -2});
  }

  @Test
  void anEndlessLoopIsCancelledOrEndsAtTheLimitOfTrips() {
    assertStopped(compiled(doubling(false)));
  }

  @Test
  void anEndlessLoopEndsOnSeveralStreams() {
    CompiledGraph graph = compiled(twoLoops(), OPTIONS.withStreams(2).withStreamMemory(10));
    assertThat(graph.schedule().streams()).isEqualTo(2);
    assertStopped(graph);
  }

  /** In the middle of its trips, and after the most trips that the run may have. */
  private void assertStopped(CompiledGraph graph) {
    var asked = new AtomicInteger();
    try (var weights = new WeightStore(allocator).store(graph.storage().constants());
      var executor = new StaticExecutor(graph, weights.views(), allocator, device)) {
      assertStopped(executor, RunLimit.from(() -> asked.incrementAndGet() > 100, Long.MAX_VALUE),
        RunStopped.Reason.CANCELLED);
      assertStopped(executor, RunLimit.from(() -> false, Long.MAX_VALUE, 1000, System::nanoTime),
        RunStopped.Reason.TRIPS);
      executor.run(List.of(TensorView.ofLong(1), ControlFixture.floats(1, 2)));
    }
  }

  private static void assertStopped(StaticExecutor executor, RunLimit limit, RunStopped.Reason reason) {
    assertThatThrownBy(() -> executor.run(List.of(TensorView.ofLong(Long.MAX_VALUE), ControlFixture.floats(0, 0)),
      limit)).isInstanceOfSatisfying(RunStopped.class, e -> {
        assertThat(e.reason()).isEqualTo(reason);
        assertThat(e.step()).isPresent();
      });
  }
}
