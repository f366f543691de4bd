package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.Gradients;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Models that need more memory than they may take: steps run again, and every bit stays as it is. */
class RecomputeBitsTest {
  private static final int BATCH = 256;
  private static final int WIDTH = 16;
  private static final int LAYERS = 5;
  /** Enough to find words that fit, not the cheapest. */
  private static final long WORK = 300_000;

  private static SessionOptions options(CompileOptions compile) {
    return SessionOptions.DEFAULT.withThreads(1).withCompile(compile.withRecompute(compile.recompute().withWork(WORK)));
  }

  private static CompiledGraph compiled(Graph graph, SessionOptions options) {
    try (var session = Session.of(graph, options)) {
      return session.compiled().orElseThrow();
    }
  }

  /** What three iterations leave, and how they were compiled. */
  private record Trained(Map<String, float[]> values, CompiledGraph compiled) {}

  private static Trained trained(Graph graph, SessionOptions options) {
    float[] x = new float[BATCH * WIDTH];
    Map<String, float[]> values = new TreeMap<>();
    try (var session = Session.of(graph, options)) {
      for (int run = 0; run < 3; run++) {
        for (int i = 0; i < x.length; i++) {
          x[i] = (i * 7 + run) % 11 / 8f - 0.5f;
        }
        try (var result = session.run(Map.of("x", Tensor.of(x, BATCH, WIDTH)))) {
          values.put("loss" + run, result.get("loss").toFloatArray());
        }
      }
      session.info().variables().keySet().forEach(name -> values.put(name, session.variable(name).toFloatArray()));
      return new Trained(values, session.compiled().orElseThrow());
    }
  }

  @Test
  void aTrainingIterationRunsWithinALimitToTheBit() {
    for (FusionChoice fusion : List.of(FusionChoice.OFF, FusionChoice.ON)) {
      Graph graph = fusion == FusionChoice.ON
        ? TrainingGraphs.adam(LAYERS, BATCH, WIDTH)
        : TrainingGraphs.sgd(LAYERS, BATCH, WIDTH);
      SessionOptions options = options(CompileOptions.DEFAULT.withFusion(fusion));
      Trained once = trained(graph, options);
      MemoryNeed need = MemoryNeed.of(once.compiled, true);
      assertThat(once.compiled.recomputed()).as("no limit, no recomputation").isEmpty();
      for (int percent : List.of(90, 70)) {
        long limit = need.besidePlanBytes() + need.planBytes() * percent / 100;
        Trained again = trained(graph, options.withMemoryLimitBytes(limit));
        Recomputed done = again.compiled.recomputed().orElseThrow();
        assertThat(done.fits()).isTrue();
        assertThat(done.recomputations()).isNotEmpty().allMatch(it -> it.contains("/again"));
        assertThat(done.overhead()).isBetween(0.001, 0.3);
        assertThat(MemoryNeed.of(again.compiled, true).totalBytes()).isLessThanOrEqualTo(limit);
        assertThat(again.compiled.storage().steps()).hasSize(done.steps());
        SameValues.assertSame(again.values, once.values);
      }
    }
  }

  private static NodeEntry cast(GraphBuilder graph, NodeEntry value, DType from, DType to) {
    return from == to
      ? value
      : graph.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text(to.toString())), value);
  }

  /**
   * Layers {@code h·sigmoid(h)} and the gradients of their weights: cheap results, all of which gradients read.
   *
   * @param sums whether two more values are added to each layer's
   */
  private static Graph gated(int layers, DType dtype, boolean sums) {
    var graph = new GraphBuilder("gated");
    NodeEntry given = graph.input("x", TensorType.of(DType.FLOAT32, BATCH, WIDTH));
    NodeEntry x = cast(graph, given, DType.FLOAT32, dtype);
    List<String> weights = new ArrayList<>();
    for (int layer = 0; layer < layers; layer++) {
      float[] values = new float[WIDTH * WIDTH];
      for (int i = 0; i < values.length; i++) {
        values[i] = (i * 5 + layer) % 9 / 8f - 0.5f;
      }
      weights.add("w" + layer);
      NodeEntry weight = graph.variable("w" + layer, TensorView.ofFloats(Shape.of(WIDTH, WIDTH), values));
      NodeEntry product = graph.apply("MatMul", x, cast(graph, weight, DType.FLOAT32, dtype));
      x = graph.apply("Mul", product, graph.noting(Notes.PRECISION, "float32").apply("Sigmoid", product));
      x = sums ? graph.apply("Sum", x, graph.apply("Tanh", product), graph.apply("Abs", product)) : x;
    }
    graph.output("loss", cast(graph, graph.apply("ReduceMean", x), dtype, DType.FLOAT32));
    return Gradients.DEFAULT.of(graph.build(), Map.of("x", TensorType.of(DType.FLOAT32, BATCH, WIDTH)), List.of("loss"),
      weights).assigned(Collections.nCopies(layers, GradientRequest.WRITE));
  }

  @Test
  void aRefusalNamesWhatWouldFitAndThatWorks() {
    Graph graph = TrainingGraphs.sgd(LAYERS, BATCH, WIDTH);
    SessionOptions options = options(CompileOptions.DEFAULT);
    MemoryNeed need = MemoryNeed.of(compiled(graph, options), true);
    SessionOptions off = options(CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withMode(
      RecomputeMode.OFF)));
    long limit = need.besidePlanBytes() + need.planBytes() * 8 / 10;
    OutOfMemory refused = catchThrowableOfType(OutOfMemory.class, () -> compiled(graph, off.withMemoryLimitBytes(
      limit)));
    OutOfMemory.Way auto = refused.ways().getFirst();
    assertThat(auto.option()).isEqualTo("--recompute auto");
    assertThat(auto.outcome()).startsWith("by recompute: ");
    assertThat(refused)
      .hasMessageContaining("; or use --recompute auto, which needs " + auto.limitBytes() + " bytes: ");
    assertThat(MemoryNeed.of(compiled(graph, options.withMemoryLimitBytes(limit)), true).totalBytes()).isEqualTo(auto
      .limitBytes());
    OutOfMemory low = catchThrowableOfType(OutOfMemory.class, () -> compiled(graph, options.withMemoryLimitBytes(need
      .besidePlanBytes() + 512)));
    OutOfMemory.Way higher = low.ways().getFirst();
    assertThat(higher.option()).isEmpty();
    assertThat(higher.limitBytes()).isLessThan(low.leastLimitBytes().orElseThrow());
    assertThat(OomReport.of(low).text()).contains("raise the limit to ", "(" + higher.limitBytes() + " B), with which");
    assertThat(compiled(graph, options.withMemoryLimitBytes(higher.limitBytes())).recomputed().orElseThrow().fits())
      .isTrue();
  }

  /** Other systems' choices run to the bit, too, and cost no less than what the search finds. */
  @ParameterizedTest
  @MethodSource("dev.cairn.runtime.compile.RecomputeMode#upstream")
  void otherSystemsChoicesRunToTheBit(RecomputeMode mode) {
    Graph graph = gated(6, DType.FLOAT32, false);
    CompileOptions compile = CompileOptions.DEFAULT.withFusion(FusionChoice.OFF);
    Trained once = trained(graph, options(compile));
    MemoryNeed need = MemoryNeed.of(once.compiled, true);
    long limit = need.besidePlanBytes() + need.planBytes() * 85 / 100;
    Recomputed best = compiled(graph, options(compile).withMemoryLimitBytes(limit)).recomputed().orElseThrow();
    Trained again = trained(graph,
      options(compile.withRecompute(compile.recompute().withMode(mode))).withMemoryLimitBytes(
        limit));
    Recomputed done = again.compiled.recomputed().orElseThrow();
    assertThat(done.recomputations()).isNotEmpty();
    assertThat(done.overhead()).isGreaterThanOrEqualTo(best.overhead());
    SameValues.assertSame(again.values, once.values);
  }

  /** In float64: the processor's sums of float32 would round more often. */
  @Test
  void tensorflowsSumsAddUpOneAddendAtATimeToTheBit() {
    CompileOptions compile = CompileOptions.DEFAULT.withFusion(FusionChoice.OFF).withReorder(false);
    SessionOptions options = options(compile.withRecompute(compile.recompute().withMode(RecomputeMode.TF)));
    Graph graph = gated(3, DType.FLOAT64, true);
    Trained once = trained(graph, options);
    MemoryNeed need = MemoryNeed.of(once.compiled, true);
    Trained again = trained(graph, options.withMemoryLimitBytes(need.besidePlanBytes() + need.planBytes() * 95 / 100));
    Recomputed done = again.compiled.recomputed().orElseThrow();
    long split = again.compiled.storage().steps().stream().filter(it -> it.name().endsWith("/sum1")).count();
    assertThat(done.splitSums()).as("%s", done).isEqualTo((int) split).isPositive();
    SameValues.assertSame(again.values, once.values);
  }

  /** What does not fit says the floor, and what is below the floor never fits. */
  @Test
  void eachOfSomeRandomLimitsIsKeptOrRefusedWithTheFloor() {
    requireKeptOrRefusedWithTheFloor(12);
  }

  @Test
  @Tag("long")
  void eachOfAHundredRandomLimitsIsKeptOrRefusedWithTheFloor() {
    requireKeptOrRefusedWithTheFloor(100);
  }

  private static void requireKeptOrRefusedWithTheFloor(int limits) {
    Graph graph = gated(8, DType.FLOAT32, false);
    Map<String, TensorType> types = Map.of("x", TensorType.of(DType.FLOAT32, BATCH, WIDTH));
    CompileOptions compile = CompileOptions.DEFAULT.withFusion(FusionChoice.OFF);
    var random = new SplittableRandom(24);
    int kept = 0;
    try (ModelCompiler compiler = ModelCompiler.open(options(compile))) {
      MemoryNeed need = MemoryNeed.of(compiler.compile(graph, types, compile), true);
      for (int i = 0; i < limits; i++) {
        long budget = (long) (need.planBytes() * random.nextDouble(0.1, 1));
        long limit = need.besidePlanBytes() + budget;
        CompiledGraph compiled = compiler.compile(graph, types, compile.withRecompute(compile.recompute().withWork(WORK)
          .withLimitBytes(limit)));
        Recomputed done = compiled.recomputed().orElseThrow();
        assertThat(done.fits()).as("limit=%d", limit).isEqualTo(MemoryNeed.of(compiled, true).totalBytes() <= limit);
        assertThat(done.floorBytes()).isBetween(1L, need.planBytes());
        assertThat(done.fits() && budget < done.floorBytes()).isFalse();
        assertThat(done.floorHolds()).isNotEmpty();
        kept += done.fits() ? 1 : 0;
      }
    }
    assertThat(kept).isBetween(limits / 2, limits - 1);
  }

  @Test
  void aLimitThatAPlanMeetsChangesNothing() {
    Graph graph = TrainingGraphs.sgd(4, BATCH, WIDTH);
    SessionOptions options = options(CompileOptions.DEFAULT);
    CompiledGraph once = compiled(graph, options);
    CompiledGraph limited = compiled(graph, options.withMemoryLimitBytes(MemoryNeed.of(once, true).totalBytes()));
    assertThat(limited.recomputed()).isEmpty();
    assertThat(limited.storage().steps()).extracting(it -> it.name()).isEqualTo(once.storage().steps().stream().map(
      it -> it.name()).toList());
    assertThat(limited.plan()).isEqualTo(once.plan());
  }

  @Test
  void whatDoesNotFitIsRefusedWithTheFloor() {
    Graph graph = TrainingGraphs.sgd(3, BATCH, WIDTH);
    SessionOptions options = options(CompileOptions.DEFAULT);
    MemoryNeed need = MemoryNeed.of(compiled(graph, options), true);
    long limit = need.besidePlanBytes() + 512;
    assertThatThrownBy(() -> Session.of(graph, options.withMemoryLimitBytes(limit)).close())
      .isInstanceOf(OutOfMemory.class).hasMessageContaining("no plan takes less than");
    SessionOptions off = options(CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withMode(
      RecomputeMode.OFF)));
    assertThatThrownBy(() -> Session.of(graph, off.withMemoryLimitBytes(need.totalBytes() - 1024)).close())
      .isInstanceOf(OutOfMemory.class);
  }
}
