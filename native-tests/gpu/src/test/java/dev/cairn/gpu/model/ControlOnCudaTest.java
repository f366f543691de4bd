package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.session.RunOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Branches and loops that only a run decides give on CUDA what they give on the processor, from plans. */
class ControlOnCudaTest {
  private static final CompileOptions COMPILE = CompileOptions.DEFAULT.withUnrolling(false);

  /** A body while it is written. */
  private static final class Body {
    private final String name;
    private final List<Node> parameters = new ArrayList<>();

    Body(String name) {
      this.name = name;
    }

    NodeEntry parameter() {
      parameters.add(Node.parameter(name + "/" + parameters.size(), Optional.empty()));
      return parameters.getLast().entry();
    }

    NodeEntry constant(String own, TensorView value) {
      return Node.constant(name + "/" + own, value).entry();
    }

    NodeEntry apply(String own, String operator, NodeEntry... reads) {
      return Node.apply(name + "/" + own, operator, Attributes.NONE, List.of(reads)).entry();
    }

    Graph of(NodeEntry... results) {
      List<Graph.Output> outputs = new ArrayList<>();
      for (NodeEntry result : results) {
        outputs.add(new Graph.Output("result" + outputs.size(), result));
      }
      return new Graph(name, parameters, outputs);
    }
  }

  private static Tensor flag(boolean value) {
    return Tensor.of(new boolean[] {value});
  }

  private static Tensor count(long value) {
    return Tensor.of(new long[] {value});
  }

  private static TensorView ones(int count) {
    float[] values = new float[count];
    Arrays.fill(values, 1);
    return TensorView.ofFloats(Shape.of(count), values);
  }

  private static Session open(Graph graph, DeviceOptions device) {
    return Session.of(graph, SessionOptions.DEFAULT.withThreads(1).withDevice(device).withCompile(COMPILE));
  }

  private static List<float[]> run(Session session, Map<String, Tensor> inputs) {
    List<float[]> results = new ArrayList<>();
    try (Result result = session.run(inputs)) {
      result.names().forEach(name -> results.add(result.get(name).toFloatArray()));
    }
    return results;
  }

  /** The same as on the processor, launched, recorded and repeated, and without recording. */
  private static void assertSame(Graph graph, List<Map<String, Tensor>> runs) {
    DeviceOptions device = CudaUnderTest.device();
    try (var cpu = open(graph, DeviceOptions.CPU);
      var gpu = open(graph, device);
      var launched = open(graph, device.withReplay(false))) {
      for (int i = 0; i < runs.size(); i++) {
        float[][] wanted = run(cpu, runs.get(i)).toArray(float[][]::new);
        assertThat(run(gpu, runs.get(i)).toArray(float[][]::new)).as("run %d", i).isDeepEqualTo(wanted);
        assertThat(run(launched, runs.get(i)).toArray(float[][]::new)).as("run %d", i).isDeepEqualTo(wanted);
      }
      assertThat(gpu.compiled().orElseThrow().kernels()).anyMatch(it -> it.kernel() instanceof ControlKernel);
    } finally {
      runs.forEach(it -> it.values().forEach(Tensor::close));
    }
  }

  /** Three times x, or a pass-through of it; each beside a constant. */
  private static Graph branches() {
    var builder = new GraphBuilder("branches");
    NodeEntry flag = builder.input("flag", TensorType.of(DType.BOOL));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 4));
    var then = new Body("if/then");
    NodeEntry captured = then.parameter();
    Graph thrice = then.of(then.apply("sum", "Add", then.apply("twice", "Add", captured, captured), captured), then
      .constant("ones", ones(2)));
    var otherwise = new Body("if/else");
    NodeEntry same = otherwise.parameter();
    Graph passed = otherwise.of(same, otherwise.apply("neg", "Neg", otherwise.constant("ones", ones(2))));
    Node branch = Node.control("if", new NodeKind.Branch(thrice, passed), List.of(flag, builder.apply("Add", x, x)));
    builder.output("y", builder.apply("Neg", branch.entry()));
    builder.output("z", branch.entry(1));
    return builder.build();
  }

  @Test
  @Tag("long")
  void aRunTakesTheBranchThatItsConditionNames() {
    List<Map<String, Tensor>> runs = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      runs.add(Map.of("flag", flag(i % 3 == 0), "x", Tensor.of(new float[] {i, 1, -2, 3}, 4)));
    }
    assertSame(branches(), runs);
  }

  /**
   * Carries two values that change places, and stacks one of them. Ends where the sum of x reaches a limit, if {@code
   * ends}.
   */
  private static Graph loop(boolean ends, Optional<Long> trips) {
    var builder = new GraphBuilder("loop");
    NodeEntry count = trips.map(it -> builder.constant("count", TensorView.ofLong(it))).orElseGet(() -> builder.input(
      "count", TensorType.of(DType.INT64)));
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    var body = new Body("loop/body");
    NodeEntry trip = body.parameter();
    NodeEntry given = body.parameter();
    NodeEntry left = body.parameter();
    NodeEntry right = body.parameter();
    NodeEntry number = Node.apply("loop/body/number", "Cast", Attributes.NONE.with("to",
      new AttributeValue.Text("float32")), List.of(trip)).entry();
    NodeEntry next = body.apply("next", "Add", body.apply("twice", "Add", left, left), number);
    NodeEntry sum = body.apply("flat", "Reshape", body.apply("sum", "ReduceSum", left),
      body.constant("scalar", TensorView
        .ofLongs()));
    NodeEntry less = body.apply("less", "Less", sum, body.constant("limit", TensorView.ofFloats(Shape.SCALAR, 60)));
    Graph inside = body.of(ends ? less : given, right, next);
    Node loop = Node.control("loop", new NodeKind.Repeat(inside, 2, List.of(), List.of()), List.of(count, Node.absent(),
      x, builder.apply("Add", x, x)));
    builder.output("a", builder.apply("Neg", loop.entry()));
    builder.output("b", loop.entry(1));
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLoopEndsByItsCountOrItsCondition(boolean ends) {
    List<Map<String, Tensor>> runs = new ArrayList<>();
    for (long count : new long[] {3, 0, 1, 2, 9, 4}) {
      runs.add(Map.of("count", count(count), "x", Tensor.of(new float[] {1, 10}, 2)));
    }
    assertSame(loop(ends, Optional.empty()), runs);
  }

  @Test
  @Tag("long")
  void anEndlessLoopStopsAtTheLimitAndTheSessionGoesOn() {
    try (var session = open(loop(false, Optional.empty()), CudaUnderTest.device());
      Tensor endless = count(1L << 62);
      Tensor two = count(2);
      Tensor x = Tensor.of(new float[] {1, 10}, 2)) {
      assertThatThrownBy(() -> session.run(Map.of("count", endless, "x", x), RunOptions.DEFAULT.withMaxIterations(50)))
        .isInstanceOf(RunStopped.class);
      assertThat(run(session, Map.of("count", two, "x", x)).get(1)).containsExactly(5, 41);
    }
  }

  /** Sums the columns of a matrix from the last to the first, and stacks the sums as columns, in an inner branch. */
  @Test
  @Tag("long")
  void aScanTakesAndGivesSlicesOfAnyAxisInEitherDirection() {
    var builder = new GraphBuilder("scan");
    NodeEntry matrix = builder.input("matrix", TensorType.of(DType.FLOAT32, 3, 5));
    NodeEntry start = builder.input("start", TensorType.of(DType.FLOAT32, 3));
    NodeEntry flag = builder.input("flag", TensorType.of(DType.BOOL));
    var body = new Body("scan/body");
    body.parameter();
    NodeEntry goesOn = body.parameter();
    NodeEntry sum = body.parameter();
    NodeEntry column = body.parameter();
    NodeEntry inner = body.parameter();
    var then = new Body("if/then");
    NodeEntry negated = then.apply("neg", "Neg", then.parameter());
    NodeEntry other = then.parameter();
    Graph thenBody = then.of(then.apply("sub", "Sub", negated, other));
    var otherwise = new Body("if/else");
    NodeEntry plain = otherwise.parameter();
    Graph elseBody = otherwise.of(otherwise.apply("add", "Add", plain, otherwise.parameter()));
    NodeEntry next = Node.control("scan/if", new NodeKind.Branch(thenBody, elseBody), List.of(inner, sum, column))
      .entry();
    Graph inside = body.of(goesOn, next, body.apply("stacked", "Add", next, column));
    var slices = new NodeKind.Repeat.Slices(1, true);
    Node scan = Node.control("scan", new NodeKind.Repeat(inside, 1, List.of(slices), List.of(
      new NodeKind.Repeat.Slices(-1, true))), List.of(Node.absent(), Node.absent(), start, matrix, flag));
    builder.output("sum", scan.entry());
    builder.output("all", scan.entry(1));
    Graph graph = builder.build();
    List<Map<String, Tensor>> runs = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      float[] values = new float[15];
      for (int i = 0; i < values.length; i++) {
        values[i] = (i * 7 + run) % 11;
      }
      runs.add(Map.of("matrix", Tensor.of(values, 3, 5), "start", Tensor.of(new float[] {1, 2, 3}, 3), "flag",
        flag(run == 1)));
    }
    assertSame(graph, runs);
  }

  /** How often the host waits for a stream in one run after the first three. */
  private static long waits(Graph graph, Map<String, Tensor> inputs) {
    Simulator simulator = CudaUnderTest.simulator();
    try (var session = open(graph, CudaUnderTest.device())) {
      for (int i = 0; i < 3; i++) {
        run(session, inputs);
      }
      List<Long> taken = taken(simulator);
      long before = simulator.calls("cuStreamSynchronize");
      run(session, inputs);
      assertThat(taken(simulator)).as("taken from the driver in a run").isEqualTo(taken);
      return simulator.calls("cuStreamSynchronize") - before;
    }
  }

  private static List<Long> taken(Simulator simulator) {
    return List.of(simulator.calls("cuMemAlloc_v2"), simulator.calls("cuMemAllocHost_v2"), simulator.calls(
      "cuMemHostAlloc"), simulator.calls("cuModuleLoadData"), simulator.calls("cuStreamCreate"));
  }

  /** A known number of trips needs no wait; a count of the run needs one, and a condition one for each trip. */
  @Test
  @Tag("long")
  void theHostWaitsOnlyForWhatDecides() {
    try (Tensor count = count(5);
      Tensor flag = flag(true);
      Tensor x = Tensor.of(new float[] {1, 2}, 2);
      Tensor four = Tensor.of(new float[4], 4)) {
      assertThat(waits(loop(false, Optional.of(5L)), Map.of("x", x))).isEqualTo(1);
      assertThat(waits(loop(false, Optional.empty()), Map.of("count", count, "x", x))).isEqualTo(2);
      // One wait for the count, one after each of five trips, and one at the end of the run.
      assertThat(waits(loop(true, Optional.empty()), Map.of("count", count, "x", x))).isEqualTo(7);
      assertThat(waits(branches(), Map.of("flag", flag, "x", four))).isEqualTo(2);
    }
  }
}
