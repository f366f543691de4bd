package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.RandomGraphs;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.analysis.NnvmAnalysis.NnvmView;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import dev.cairn.runtime.memory.planner.nnvm.PlanMemory;
import dev.cairn.runtime.memory.planner.nnvm.PooledStorages;
import dev.cairn.runtime.memory.planner.nnvm.StoragePlan;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NnvmAnalysisTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();

  private final GraphFixture fixture = new GraphFixture();

  /** A view with its plan and what it was made from. */
  private record Planned(IndexedGraph graph, NnvmView view, StoragePlan plan) {
    int storage(NodeEntry entry) {
      return plan.storageIds().get(entryId(entry));
    }

    int inPlace(NodeEntry entry) {
      return plan.inPlaceIndex().get(entryId(entry));
    }

    private int entryId(NodeEntry entry) {
      return view.entries().get(graph.entryId(entry));
    }
  }

  private static Planned plan(Graph graph, NnvmOptions options) {
    GraphTypes types = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(graph));
    var indexed = new IndexedGraph(graph);
    // Nodes whose name ends in W want 100 bytes.
    NnvmView view = NnvmAnalysis.analyse(indexed, types, OPERATORS, node -> node.name().endsWith("W") ? 100 : 0);
    return new Planned(indexed, view, PlanMemory.plan(view.graph(), options));
  }

  private Planned plan(NodeEntry... outputs) {
    return plan(fixture.graph(outputs), NnvmOptions.DEFAULT);
  }

  @Test
  void aChainRunsInOneStorageButNeverInTheCallersInput() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry b = fixture.apply("b", "Tanh", a);
    Planned it = plan(fixture.apply("c", "Relu", b));
    assertThat(it.plan().storageIds()).containsExactly(-1, 0, 0, 0);
    assertThat(it.plan().allocatedBytes()).isEqualTo(96);
  }

  @Test
  void anAliasIsItsRootAndItsReadersAreTheRootsReaders() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry flat = fixture.apply("flat", "Reshape", a, fixture.longs("shape", 24));
    NodeEntry b = fixture.apply("b", "Tanh", a);
    NodeEntry c = fixture.apply("c", "Relu", flat);
    Planned it = plan(b, c);
    assertThat(it.view().graph().nodes()).extracting("name").contains("a", "b", "c").doesNotContain("flat");
    assertThat(it.storage(flat)).isEqualTo(it.storage(a));
    assertThat(it.inPlace(b)).as("flat is read after b").isEqualTo(-1);
    assertThat(it.inPlace(c)).as("the last reader of the bytes").isZero();
  }

  @Test
  void anAliasThatIsAnOutputKeepsItsRoot() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry flat = fixture.apply("flat", "Reshape", a, fixture.longs("shape", 24));
    NodeEntry b = fixture.apply("b", "Tanh", a);
    Planned it = plan(flat, b);
    assertThat(it.storage(b)).isNotEqualTo(it.storage(a));
    Planned ofInput = plan(fixture.apply("flatX", "Reshape", x, fixture.longs("shape2", 24)));
    assertThat(ofInput.plan().storageIds()).containsOnly(-1);
  }

  @Test
  void aSquareDoesNotRunInPlaceInNnvm() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry square = fixture.apply("square", "Mul", a, a);
    assertThat(plan(square).inPlace(square)).isEqualTo(-1);
  }

  @Test
  void anAbsentInputIsLeftOut() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry low = fixture.apply("low", "Relu", x);
    NodeEntry most = fixture.constant("most", TensorView.ofFloats(Shape.of(), 3));
    NodeEntry clip = fixture.apply("clip", "Clip", low, Node.absent(), most);
    Planned it = plan(clip);
    assertThat(it.inPlace(clip)).isZero();
    assertThat(it.storage(clip)).isEqualTo(it.storage(low));
  }

  @Test
  void aWorkspaceIsAnOutputThatNobodyReads() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("aW", "Relu", x);
    NodeEntry b = fixture.apply("b", "MatMul", a, fixture.input("y", "float32[6x4]"));
    Planned it = plan(b);
    assertThat(it.plan().inPlaceIndex()).contains(StoragePlan.NEVER_READ);
    assertThat(it.plan().storageBytes()).as("b takes the workspace's bytes over").containsExactly(100L, 96L);
  }

  @Test
  void resultsOfSeveralOutputsAreToldApart() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split{axis=0,num_outputs=2}", 2, x);
    NodeEntry y = fixture.apply("y", "Relu", parts.get(1));
    Planned it = plan(y);
    assertThat(it.inPlace(parts.get(0))).isEqualTo(StoragePlan.NEVER_READ);
    assertThat(it.storage(y)).isEqualTo(it.storage(parts.get(1))).isNotEqualTo(it.storage(parts.get(0)));
  }

  @Test
  void inRandomGraphsEveryStepFindsWhatItReadsAndTheValidatorAgrees() {
    int inPlace = 0;
    for (int seed = 0; seed < 60; seed++) {
      for (NnvmOptions options : List.of(NnvmOptions.DEFAULT, NnvmOptions.DEFAULT.withAutoSearch().withColours(2))) {
        Graph graph = RandomGraphs.of(seed, 3 + seed % 50);
        Planned it = plan(graph, options);
        PooledStorages pooled = PooledStorages.of(it.view().graph(), it.plan());
        assertThat(PlanValidator.validate(pooled.problem(), pooled.plan())).as("seed %d", seed).isEmpty();
        assertThat(pooled.plan().peakBytes()).isEqualTo(it.plan().allocatedBytes())
          .isGreaterThanOrEqualTo(LowerBound.of(pooled.problem()).bytes());
        requireEveryStepFindsWhatItReads(seed, it);
        inPlace += (int) it.plan().inPlaceIndex().stream().filter(index -> index >= 0).count();
      }
    }
    assertThat(inPlace).isGreaterThan(150);
  }

  /** What a session runs takes the bytes that PlanMemory allocates, to the bit. */
  @Test
  void aGraphLaidOutByNnvmTakesWhatThePassAllocates() {
    for (int seed = 0; seed < 60; seed++) {
      Graph graph = RandomGraphs.of(seed, 3 + seed % 50);
      GraphTypes types = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(graph));
      for (NnvmOptions options : List.of(NnvmOptions.DEFAULT, NnvmOptions.DEFAULT.withAutoSearch().withColours(2))) {
        StoragePlan answer = plan(graph, options).plan();
        GraphPlanner.PlannedStorage laid = new NnvmGraphPlanner(options).plan(new IndexedGraph(graph), types, OPERATORS,
          node -> node.name().endsWith("W") ? 100 : 0, 1);
        assertThat(PlanValidator.validate(laid.storage().problem(), laid.plan())).as("seed %d", seed).isEmpty();
        assertThat(laid.plan().peakBytes()).as("seed %d", seed).isEqualTo(answer.allocatedBytes());
        assertThat(laid.storage().inPlace()).as("seed %d", seed)
          .isEqualTo((int) answer.inPlaceIndex().stream().filter(index -> index >= 0).count());
      }
    }
  }

  private static void requireEveryStepFindsWhatItReads(int seed, Planned it) {
    Map<Integer, Integer> contents = new HashMap<>();
    for (Node node : it.graph().graph().nodes()) {
      int first = it.graph().entryId(node.entry());
      boolean alias = node.kind() instanceof NodeKind.Apply
        && it.view().entries().get(first) == it.entryId(node.inputs().get(0));
      for (NodeEntry input : node.inputs()) {
        if (!input.isAbsent() && !alias && it.storage(input) >= 0) {
          assertThat(contents.get(it.storage(input))).as("seed %d %s", seed, node).isEqualTo(it.entryId(input));
        }
      }
      for (int i = 0; i < node.kind().outputs() && !alias; i++) {
        contents.put(it.storage(node.entry(i)), it.entryId(node.entry(i)));
      }
    }
    for (Graph.Output output : it.graph().graph().outputs()) {
      if (it.storage(output.entry()) >= 0) {
        assertThat(contents.get(it.storage(output.entry()))).as("seed %d", seed).isEqualTo(it.entryId(output.entry()));
      }
    }
  }
}
