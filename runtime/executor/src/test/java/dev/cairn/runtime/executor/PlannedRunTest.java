package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A planned run gives what an unplanned one gives: random graphs, run with everything shared, against the same graphs
 * with nothing simplified, nothing in place and nothing shared.
 */
class PlannedRunTest {
  private static final int GRAPHS = 120;
  /** A planner runs every twentieth graph, the next planner other ones. */
  private static final int STEP = 20;
  /** What a graph gives with nothing shared, which no planner changes. */
  private static final Map<Integer, List<float[]>> REFERENCES = new HashMap<>();
  private static CpuDevice device;

  @BeforeAll
  static void open() {
    device = new CpuDevice(2);
  }

  private static List<float[]> reference(int seed) {
    return REFERENCES.computeIfAbsent(seed, it -> run(graph(it), StandardKernels.portable(), CompileOptions.DEFAULT
      .withSimplify(false).withPlanner(PlannerChoice.NAIVE).withInPlace(false)));
  }

  @AfterAll
  static void close() {
    REFERENCES.clear();
    device.close();
  }

  private static Graph graph(int seed) {
    return RandomGraphs.of(seed, 5 + seed % 40);
  }

  @ParameterizedTest
  @EnumSource
  void everyPlannerGivesTheReferencesValues(PlannerChoice planner) {
    requireReferences(planner, planner.ordinal() % 4 * 5, STEP);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("soak")
  void everyPlannerGivesTheReferencesValuesOfAllGraphs(PlannerChoice planner) {
    requireReferences(planner, 0, 1);
  }

  private static void requireReferences(PlannerChoice planner, int first, int step) {
    KernelCatalog portable = StandardKernels.portable();
    CompileOptions options = CompileOptions.DEFAULT.withSimplify(false);
    for (int seed = first; seed < GRAPHS; seed += step) {
      Graph graph = graph(seed);
      List<float[]> reference = reference(seed);
      List<float[]> inPlace = run(graph, portable, options.withPlanner(planner));
      for (int i = 0; i < reference.size(); i++) {
        assertThat(inPlace.get(i)).as("seed %d output %d", seed, i).containsExactly(reference.get(i));
      }
      List<float[]> simplified = run(graph, StandardKernels.catalog(), CompileOptions.DEFAULT.withPlanner(planner));
      for (int i = 0; i < reference.size(); i++) {
        assertClose(simplified.get(i), reference.get(i), seed);
      }
    }
  }

  private static void assertClose(float[] actual, float[] expected, int seed) {
    for (int i = 0; i < expected.length; i++) {
      boolean bothUndefined = !Float.isFinite(expected[i]) && !Float.isFinite(actual[i]);
      double allowed = 1e-4 * Math.max(1, Math.abs(expected[i]));
      assertThat(bothUndefined || Math.abs(actual[i] - expected[i]) <= allowed)
        .as("seed %d element %d: %s and %s", seed, i, actual[i], expected[i]).isTrue();
    }
  }

  private static List<float[]> run(Graph graph, KernelCatalog catalog, CompileOptions options) {
    Map<String, TensorType> types = InputBinding.ofShapes(graph, Map.of());
    CompiledGraph compiled = new Compiler(StandardOperators.table(), catalog, device.defaultStream()).compile(graph,
      types, options);
    assertThat(PlanValidator.validate(compiled.storage().problem(), compiled.plan())).isEmpty();
    try (var allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT);
      var weights = new WeightStore(allocator).store(compiled.storage().constants());
      var executor = new StaticExecutor(compiled, weights.views(), allocator, device);
      Arena arena = Arena.ofShared()) {
      long before = allocator.stats().allocationCount();
      List<float[]> results = new ArrayList<>();
      executor.run(inputs(arena, 9));
      executor.run(inputs(arena, 1));
      for (int i = 0; i < graph.outputs().size(); i++) {
        results.add(executor.output(i).segment().toArray(ValueLayout.JAVA_FLOAT));
      }
      assertThat(allocator.stats().allocationCount()).as("a run allocates nothing").isEqualTo(before);
      return results;
    }
  }

  private static List<TensorView> inputs(Arena arena, int salt) {
    List<TensorView> views = new ArrayList<>();
    for (int input = 0; input < 2; input++) {
      float[] values = new float[24];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) Math.sin(i * 1.7 + input * 3 + salt);
      }
      views.add(new TensorView(new TensorType(DType.FLOAT32, Shape.of(4, 6)), arena.allocateFrom(
        ValueLayout.JAVA_FLOAT, values)));
    }
    return views;
  }
}
