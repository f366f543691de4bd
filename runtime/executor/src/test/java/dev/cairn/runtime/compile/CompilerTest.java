package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.RandomGraphs;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphText;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.StreamReuse;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompilerTest {
  private static final CpuDevice DEVICE = new CpuDevice(1);

  private final GraphFixture fixture = new GraphFixture();

  @AfterAll
  static void close() {
    DEVICE.close();
  }

  private static CompiledGraph compile(Graph graph, CompileOptions options) {
    return compile(graph, options, StandardKernels.catalog());
  }

  private static CompiledGraph compile(Graph graph, CompileOptions options, KernelCatalog catalog) {
    return new Compiler(StandardOperators.table(), catalog, DEVICE.defaultStream()).compile(graph,
      GraphFixture.inputTypes(
        graph),
      options);
  }

  /** y = relu(identity(x) + (1 + 2)), z = the first half of y. */
  private Graph example() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry three = fixture.apply("three", "Add", fixture.constant("one", TensorView.ofFloats(Shape.of(1), 1)),
      fixture
        .constant("two", TensorView.ofFloats(Shape.of(1), 2)));
    NodeEntry y = fixture.apply("y", "Relu", fixture.apply("sum", "Add", fixture.apply("same", "Identity", x), three));
    List<NodeEntry> halves = fixture.applyForAll("halves", "Split{axis=0,num_outputs=2}", 2, y);
    return fixture.graph(y, halves.get(0));
  }

  @Test
  void simplifiesAndPlansAndKeepsTheOutputsNames() {
    CompiledGraph compiled = compile(example(), CompileOptions.DEFAULT.withFusion(FusionChoice.OFF));
    assertThat(compiled.storage().steps()).extracting(Node::name).containsExactly("sum", "y", "halves");
    assertThat(compiled.outputTypes().toString()).isEqualTo("{y=float32[4x6], halves=float32[2x6]}");
    assertThat(compiled.kernels()).hasSize(3).extracting(KernelRow::operator).containsExactly("Add", "Relu", "Split");
    assertThat(compiled.storage().inPlace()).isEqualTo(1);
    assertThat(compiled.score().peakBytes()).isGreaterThanOrEqualTo(compiled.score().boundBytes());
    assertThat(compiled.planNanos()).isNotNegative();
  }

  @Test
  void withoutSimplifyingEveryNodeOfTheModelRuns() {
    CompiledGraph compiled = compile(example(), CompileOptions.DEFAULT.withSimplify(false).withInPlace(false));
    assertThat(compiled.storage().steps()).extracting(Node::name).contains("three", "sum", "y", "halves");
    assertThat(compiled.storage().inPlace()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void everyPlannersPlanIsValidAlignedAndTheSameEachTime(PlannerChoice planner) {
    requireValidPlans(planner, 17);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("soak")
  void everyPlannersPlansOfManyGraphsAreValidAlignedAndTheSameEachTime(PlannerChoice planner) {
    requireValidPlans(planner, 1);
  }

  private static void requireValidPlans(PlannerChoice planner, int step) {
    for (int seed = planner.ordinal() % step; seed < 60; seed += step) {
      Graph graph = RandomGraphs.of(seed, 4 + seed % 30);
      CompileOptions options = CompileOptions.DEFAULT.withPlanner(planner);
      CompiledGraph compiled = compile(graph, options);
      assertThat(PlanValidator.validate(compiled.storage().problem(), compiled.plan())).isEmpty();
      assertThat(compiled.storage().problem().buffers()).allMatch(it -> it.alignment() == Compiler.BUFFER_ALIGNMENT);
      assertThat(compiled.plan().placements()).allMatch(it -> it.offset() % Compiler.BUFFER_ALIGNMENT == 0);
      CompiledGraph again = compile(graph, options);
      assertThat(GraphText.of(again.graph().graph())).isEqualTo(GraphText.of(compiled.graph().graph()));
      assertThat(again.plan()).isEqualTo(compiled.plan());
    }
  }

  @Test
  void plansForSeveralStreamsAreProvedAndOneStreamChangesNothing() {
    requireProvedPlans(8);
    assertThatIllegalArgumentException().isThrownBy(() -> CompileOptions.DEFAULT.withStreams(0))
      .withMessage("at least one stream is needed: streams=0");
  }

  @Test
  @Tag("soak")
  void plansOfManyGraphsForSeveralStreamsAreProved() {
    requireProvedPlans(300);
  }

  private static void requireProvedPlans(int graphs) {
    for (int seed = 0; seed < graphs; seed++) {
      Graph graph = RandomGraphs.of(seed, 30);
      CompiledGraph serial = compile(graph, CompileOptions.DEFAULT);
      assertThat(serial.schedule().events()).isZero();
      assertThat(compile(graph, CompileOptions.DEFAULT.withStreams(1)).plan()).isEqualTo(serial.plan());
      for (int streams = 2; streams <= 4; streams++) {
        StreamReuse reuse = seed % 2 == 0 ? StreamReuse.ORDERED : StreamReuse.SAME_STREAM;
        CompiledGraph compiled = compile(graph, CompileOptions.DEFAULT.withStreams(streams).withStreamReuse(reuse));
        assertThat(compiled.plan().peakBytes()).isLessThanOrEqualTo(serial.plan().peakBytes() * 11 / 10);
        assertThat(compiled.schedule().streams()).isEqualTo(streams);
        assertThat(compiled.schedule().steps()).hasSameSizeAs(compiled.storage().steps());
        assertThat(ConcurrentPlanValidator.validate(compiled.storage().problem(), compiled.plan(), compiled.schedule()))
          .isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyPlannerServesTwoStreamsOrSaysThatItKnowsOne(PlannerChoice planner) {
    if (planner.ofGraphs().isPresent()) {
      CompileOptions ofGraphs = CompileOptions.DEFAULT.withPlanner(planner);
      assertThatIllegalArgumentException().isThrownBy(() -> ofGraphs.withStreams(2))
        .withMessage("planner supports one stream only: planner=%s streams=2", planner);
      return;
    }
    for (int seed = planner.ordinal() % 7; seed < 20; seed += 7) {
      CompiledGraph compiled = compile(RandomGraphs.of(seed, 30), CompileOptions.DEFAULT.withPlanner(planner)
        .withStreams(2));
      assertThat(compiled.schedule().streams()).isEqualTo(2);
      assertThat(ConcurrentPlanValidator.validate(compiled.storage().problem(), compiled.plan(), compiled.schedule()))
        .as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void theNaivePlannerSharesNothingAndTheOthersNeedNoMore() {
    for (int seed = 0; seed < 10; seed++) {
      Graph graph = RandomGraphs.of(seed, 30);
      CompileOptions nothingShared = CompileOptions.DEFAULT.withPlanner(PlannerChoice.NAIVE).withReorder(false);
      long naive = compile(graph, nothingShared).score().peakBytes();
      CompiledGraph best = compile(graph, CompileOptions.DEFAULT.withReorder(false));
      assertThat(naive).isEqualTo(best.storage().problem().unsharedBytes());
      assertThat(best.score().peakBytes()).isBetween(best.score().boundBytes(), naive);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherOrderNeverNeedsMoreAndOftenLess(PlannerChoice planner) {
    // Every 16th graph, and as many more as it takes to find one that needs less.
    int found = 0;
    for (int first = 9; found == 0 && first < 16; first++) {
      found = better(planner, first, 16);
    }
    assertThat(found).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("soak")
  void anotherOrderOfManyGraphsNeverNeedsMoreAndOftenLess(PlannerChoice planner) {
    assertThat(better(planner, 0, 1)).isGreaterThan(10);
  }

  /** How many of these graphs need less memory in another order. */
  private static int better(PlannerChoice planner, int first, int step) {
    int better = 0;
    for (int seed = first; seed < 80; seed += step) {
      Graph graph = RandomGraphs.of(seed, 10 + seed % 50);
      CompileOptions options = CompileOptions.DEFAULT.withPlanner(planner).withFusion(FusionChoice.OFF);
      CompiledGraph given = compile(graph, options.withReorder(false));
      CompiledGraph chosen = compile(graph, options);
      assertThat(chosen.score().peakBytes()).as("seed %d", seed).isLessThanOrEqualTo(given.score().peakBytes());
      assertThat(chosen.graph().graph().nodes()).extracting(Node::name).as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(given.graph().graph().nodes().stream().map(Node::name).toList());
      boolean reported = chosen.passes().changes().stream().anyMatch(it -> it.pass().equals("reorder"));
      boolean less = chosen.score().peakBytes() < given.score().peakBytes();
      assertThat(reported).as("seed %d", seed).isEqualTo(less);
      better += less ? 1 : 0;
    }
    return better;
  }

  @Test
  void allNodesWithoutAKernelAreNamedAtOnceWithTheirTypes() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Tanh", x);
    NodeEntry b = fixture.apply("b", "Relu", a);
    NodeEntry c = fixture.apply("c", "Tanh", b);
    List<KernelRow> rows = new ArrayList<>();
    StandardKernels.catalog().operators().stream().filter(it -> !it.equals("Tanh"))
      .forEach(it -> rows.addAll(StandardKernels
        .catalog().rows(it)));
    assertThatThrownBy(() -> compile(fixture.graph(c), CompileOptions.DEFAULT, new KernelCatalog(rows)))
      .isInstanceOfSatisfying(UnsupportedOperators.class, e -> assertThat(e.gaps()).containsExactly(
        new Gap("a", "Tanh", "no kernel for [float32[4x6]]"), new Gap("c", "Tanh", "no kernel for [float32[4x6]]")));
  }

  @Test
  void shapesThatDoNotFitAreAnInvalidGraphWithTheNode() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry y = fixture.apply("product", "MatMul", x, x);
    assertThatThrownBy(() -> compile(fixture.graph(y), CompileOptions.DEFAULT))
      .isInstanceOfSatisfying(InvalidGraph.class, e -> assertThat(e.node()).isEqualTo("product"));
  }

  @Test
  void aKernelsWorkspaceIsPlanned() {
    NodeEntry x = fixture.input("x", "float32[1x8x20x20]");
    var weights = TensorView.ofFloats(Shape.of(16, 8, 3, 3), new float[16 * 8 * 9]);
    NodeEntry y = fixture.apply("conv", "Conv", x, fixture.constant("w", weights));
    CompiledGraph compiled = compile(fixture.graph(y), CompileOptions.DEFAULT);
    long wanted = compiled.kernels().get(0).kernel()
      .workspaceBytes(KernelChoice.signature(compiled.storage().steps().get(0),
        compiled.types()));
    long planned = compiled.storage().workspaces().get(0)
      .map(it -> compiled.storage().problem().buffer(it.buffer()).bytes())
      .orElse(0L);
    assertThat(planned).isEqualTo(wanted);
    assertThat(compiled.types().type(compiled.graph().graph().outputs().get(0).entry())).isEqualTo(TensorType.of(
      DType.FLOAT32, 1, 16, 18, 18));
  }
}
