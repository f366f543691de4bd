package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which steps run again within a limit, case by case: where one may, every bit stays; else the model is refused. */
class RecomputeCasesTest {
  private static final int SIDE = 256;
  /** Enough to find words that fit, not the cheapest. */
  private static final long WORK = 1_000_000;
  private static final KernelOperator DOUBLED = doubling("my::Double");
  private static final KernelOperator CHANGING = doubling("my::Change").withoutPurity();

  private static KernelOperator doubling(String name) {
    return KernelOperator.of(name, 1, context -> List.of(context.input(0))).withKernel(call -> {
      for (long i = 0; i < call.output(0).elementCount(); i++) {
        call.output(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, 2 * (float) call.input(0).doubleAt(i));
      }
    });
  }

  /** What the held value is computed by. */
  private static final Map<String, BiFunction<GraphBuilder, NodeEntry, NodeEntry>> CASES = cases();

  private static Map<String, BiFunction<GraphBuilder, NodeEntry, NodeEntry>> cases() {
    Map<String, BiFunction<GraphBuilder, NodeEntry, NodeEntry>> cases = new HashMap<>();
    cases.put("plain", (graph, x) -> graph.apply("Tanh", x));
    cases.put("absent input", (graph, x) -> graph.apply("Clip", x, Node.absent(), graph.constant("most", TensorView
      .ofFloats(Shape.SCALAR, 0.5f))));
    cases.put("same operand twice", (graph, x) -> graph.apply("Mul", x, x));
    cases.put("fused", (graph, x) -> graph.apply("Tanh", graph.apply("Abs", graph.apply("Neg", x))));
    cases.put("own operator", (graph, x) -> graph.apply("my::Double", x));
    cases.put("own operator without purity", (graph, x) -> graph.apply("my::Change", x));
    cases.put("second result", (graph, x) -> {
      List<NodeEntry> made = graph.applyForAll("LayerNormalization", Attributes.NONE, 2, x, graph.constant("scale",
        TensorView.ofFloats(Shape.of(SIDE), ones(SIDE))));
      graph.output("mean", graph.apply("Neg", made.get(1)));
      return made.get(0);
    });
    cases.put("no elements", (graph, x) -> graph.apply("Concat", Attributes.NONE.with("axis", 0), graph.apply("Tanh",
      x), graph.apply("Tanh", graph.input("none", TensorType.of(DType.FLOAT32, 0, SIDE)))));
    cases.put("output", (graph, x) -> {
      NodeEntry a = graph.apply("Tanh", x);
      graph.output("a", a);
      return a;
    });
    cases.put("alias of an output", (graph, x) -> {
      NodeEntry a = graph.apply("Tanh", x);
      graph.output("flat", graph.apply("Reshape", a, graph.constant("all", TensorView.ofLongs(-1))));
      return a;
    });
    cases.put("branch", (graph, x) -> {
      var then = new ControlFixture("then");
      Graph tanh = then.body(then.apply("tanh", "Tanh", then.parameter("x")));
      var otherwise = new ControlFixture("otherwise");
      Graph neg = otherwise.body(otherwise.apply("neg", "Neg", otherwise.parameter("x")));
      return ControlFixture.branch("if", tanh, neg, graph.input("c", TensorType.of(DType.BOOL)), x).entry();
    });
    return cases;
  }

  private static float[] ones(int count) {
    float[] ones = new float[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** A value that is read twice, far apart: four times by one step, and by the last. */
  private static Graph held(String name, Dimension rows) {
    var graph = new GraphBuilder(name);
    NodeEntry x = graph.input("x", new DeclaredType(DType.FLOAT32, List.of(rows, new Dimension.Fixed(SIDE))));
    NodeEntry a = Objects.requireNonNull(CASES.get(name)).apply(graph, x);
    NodeEntry wide = graph.apply("Concat", Attributes.NONE.with("axis", 0), a, a, a, a);
    Attributes turn = Attributes.NONE.with("perm", AttributeValue.Ints.of(1, 0));
    NodeEntry mean = graph.apply("ReduceMean", graph.apply("Transpose", turn, wide), graph.constant("axes", TensorView
      .ofLongs(0, 1)));
    graph.output("y", graph.apply("Transpose", turn, graph.apply("Add", mean, a)));
    return graph.build();
  }

  private static Graph held(String name) {
    return held(name, new Dimension.Fixed(SIDE));
  }

  /** With a limit that all plans keep to, so that kernels are those of limited memory. */
  private static SessionOptions options(CompileOptions compile) {
    return SessionOptions.DEFAULT.withThreads(1).withCompile(compile.withRecompute(compile.recompute().withWork(WORK)))
      .withOperators(OperatorRegistry.of(DOUBLED,
        CHANGING))
      .withMemoryLimitBytes(1L << 30);
  }

  private static Map<String, byte[]> run(Session session, int rows) {
    Map<String, Tensor> inputs = new HashMap<>();
    session.info().inputs().keySet().forEach(name -> inputs.put(name, switch (name) {
      case "c" -> Tensor.of(new boolean[] {true});
      case "none" -> Tensor.of(new float[0], 0, SIDE);
      default -> {
        float[] values = new float[rows * SIDE];
        for (int i = 0; i < values.length; i++) {
          values[i] = (i * 7 % 31 - 15) / 8f;
        }
        yield Tensor.of(values, rows, SIDE);
      }
    }));
    Map<String, byte[]> values = new TreeMap<>();
    try (Result result = session.run(inputs)) {
      result.names().forEach(name -> values.put(name, result.get(name).toByteArray()));
    }
    inputs.values().forEach(Tensor::close);
    return values;
  }

  private static void openAndRun(Graph graph, SessionOptions options) {
    try (var session = Session.of(graph, options)) {
      run(session, SIDE);
    }
  }

  /** Just below what the plan needs without recomputations. */
  private static long limit(MemoryNeed need) {
    return need.besidePlanBytes() + need.planBytes() * 91 / 100;
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "absent input", "same operand twice", "fused", "own operator", "second result",
    "no elements"})
  void runsAgainToTheBit(String name) {
    for (FusionChoice fusion : List.of(FusionChoice.OFF, FusionChoice.ON)) {
      SessionOptions options = options(CompileOptions.DEFAULT.withFusion(fusion));
      try (var whole = Session.of(held(name), options);
        var limited = Session.of(held(name), options.withMemoryLimitBytes(limit(MemoryNeed.of(whole.compiled()
          .orElseThrow(), true))))) {
        assertThat(limited.compiled().orElseThrow().recomputed().orElseThrow().recomputations()).isNotEmpty();
        for (int again = 0; again < 2; again++) {
          SameValues.assertSame(run(limited, SIDE), run(whole, SIDE));
        }
      }
    }
  }

  /** Operators that are not pure, bodies, and what lies in the caller's memory. */
  @ParameterizedTest
  @ValueSource(strings = {"own operator without purity", "branch", "output", "alias of an output"})
  void neverRunsAgain(String name) {
    SessionOptions options = options(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF));
    MemoryNeed need;
    try (var whole = Session.of(held(name), options)) {
      need = MemoryNeed.of(whole.compiled().orElseThrow(), true);
    }
    assertThatThrownBy(() -> openAndRun(held(name), options.withMemoryLimitBytes(limit(need)))).isInstanceOf(
      OutOfMemory.class).hasMessageContaining("no plan takes less than");
  }

  /** The plan of each batch has recomputations of its own. */
  @Test
  void eachShapeHasItsOwn() {
    Graph graph = held("plain", new Dimension.Symbol("rows"));
    SessionOptions options = options(CompileOptions.DEFAULT);
    try (var whole = Session.of(graph, options)) {
      for (int rows : List.of(256, 192, 320)) {
        Map<String, byte[]> expected = run(whole, rows);
        long limit = limit(MemoryNeed.of(whole.compiled().orElseThrow(), true));
        try (var limited = Session.of(graph, options.withMemoryLimitBytes(limit))) {
          SameValues.assertSame(run(limited, 16), run(whole, 16));
          assertThat(limited.compiled().orElseThrow().recomputed()).isEmpty();
          SameValues.assertSame(run(limited, rows), expected);
          assertThat(limited.compiled().orElseThrow().recomputed().orElseThrow().recomputations()).hasSize(1);
        }
      }
    }
  }

  @Test
  void aPlanForTheLargestShapesHasNone() {
    Graph graph = held("plain", new Dimension.Symbol("rows"));
    SessionOptions options = options(CompileOptions.DEFAULT).withLargestShapes(Map.of("x", Shape.of(SIDE, SIDE)));
    try (var whole = Session.of(graph, options)) {
      run(whole, SIDE);
      MemoryNeed need = MemoryNeed.of(whole.compiled().orElseThrow(), true);
      assertThatThrownBy(() -> openAndRun(graph, options.withMemoryLimitBytes(limit(need)))).isInstanceOf(
        OutOfMemory.class);
      try (var kept = Session.of(graph, options.withMemoryLimitBytes(need.totalBytes()))) {
        SameValues.assertSame(run(kept, 100), run(whole, 100));
        assertThat(kept.compiled().orElseThrow().recomputed()).isEmpty();
      }
    }
  }

  @Test
  void aPlanWithRecomputationsUsesOneStream() {
    SessionOptions options = options(CompileOptions.DEFAULT.withStreams(2));
    try (var whole = Session.of(held("plain"), options);
      var limited = Session.of(held("plain"), options.withMemoryLimitBytes(limit(MemoryNeed.of(whole.compiled()
        .orElseThrow(), true))))) {
      SameValues.assertSame(run(limited, SIDE), run(whole, SIDE));
      CompiledGraph compiled = limited.compiled().orElseThrow();
      assertThat(compiled.recomputed().orElseThrow().recomputations()).isNotEmpty();
      assertThat(compiled.schedule().streams()).isEqualTo(1);
    }
  }

  /** A step that writes a variable directly, or one that reads a variable after its assign, never does. */
  @Test
  void stepsThatWriteVariablesRunOnce() {
    Graph graph = TrainingGraphs.adam(8, SIDE, 16);
    SessionOptions options = options(CompileOptions.DEFAULT);
    try (var whole = Session.of(graph, options)) {
      MemoryNeed need = MemoryNeed.of(whole.compiled().orElseThrow(), true);
      try (var limited = Session.of(graph, options.withMemoryLimitBytes(need.besidePlanBytes() + need.planBytes() * 7
        / 10))) {
        CompiledGraph compiled = limited.compiled().orElseThrow();
        Set<String> again = compiled.recomputed().orElseThrow().recomputations().stream()
          .map(it -> it.replaceAll("/again\\d+$",
            ""))
          .collect(Collectors.toSet());
        List<Node> direct = compiled.storage().variables().direct();
        assertThat(again).isNotEmpty();
        assertThat(direct).isNotEmpty();
        assertThat(direct).extracting(it -> it.inputs().get(1).node().name()).noneMatch(again::contains);
        assertThat(compiled.graph().graph().assigns()).hasSameSizeAs(whole.compiled().orElseThrow().graph().graph()
          .assigns());
      }
    }
  }

  @Test
  void aRunThatFailsAtAnyStepLeavesNothing() {
    SessionOptions options = options(CompileOptions.DEFAULT);
    var planted = new PlantedFailure();
    try (var whole = Session.of(held("plain"), options);
      var limited = Session.of(held("plain"), options.withMemoryLimitBytes(limit(MemoryNeed.of(whole.compiled()
        .orElseThrow(), true))).withObservers(_ -> planted))) {
      Map<String, byte[]> expected = run(whole, SIDE);
      int steps = limited.compiled().orElseThrow().storage().steps().size();
      assertThat(steps).isGreaterThan(whole.compiled().orElseThrow().storage().steps().size());
      long held = limited.memoryStats().bytesInUse();
      for (int step = 0; step < steps; step++) {
        planted.plantAt(step);
        assertThatThrownBy(() -> run(limited, SIDE)).hasStackTraceContaining("planted at step " + step);
        planted.remove();
        assertThat(limited.memoryStats().bytesInUse()).isEqualTo(held);
        SameValues.assertSame(run(limited, SIDE), expected);
      }
    }
  }

  @Test
  void upstreamModesNeedGradients() {
    for (RecomputeMode mode : RecomputeMode.upstream()) {
      SessionOptions options = options(
        CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withMode(mode)));
      try (var whole = Session.of(held("plain"), options)) {
        long limit = limit(MemoryNeed.of(whole.compiled().orElseThrow(), true));
        assertThatThrownBy(() -> openAndRun(held("plain"), options.withMemoryLimitBytes(limit))).as("%s", mode)
          .isInstanceOfSatisfying(OutOfMemory.class, it -> assertThat(it.ways()).extracting(OutOfMemory.Way::option)
            .contains("--recompute auto"));
      }
    }
  }
}
