package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.executor.RandomGraphs;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.order.ChosenOrder;
import dev.cairn.runtime.memory.order.MemoryOrder;
import dev.cairn.runtime.memory.order.OrderPeak;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StepOrderTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();

  private final GraphFixture fixture = new GraphFixture();

  private static Storage storage(Graph graph, OperatorTable operators) {
    GraphTypes types = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(graph));
    return StorageAnalysis.analyse(new IndexedGraph(graph), types, operators,
      node -> node.operator().equals("MatMul") ? 100 : 0, 64);
  }

  private static StepOrder steps(Graph graph) {
    return new StepOrder(new IndexedGraph(graph), storage(graph, OPERATORS.withoutInPlace()));
  }

  private static long given(OrderProblem problem) {
    return OrderPeak.of(problem, IntStream.range(0, problem.nodes()).toArray());
  }

  @Test
  void theQuestionHoldsWhatTheGraphHolds() {
    for (int seed = 0; seed < 200; seed++) {
      Graph graph = RandomGraphs.of(seed, 30);
      OrderProblem separate = steps(graph).problem(OPERATORS.withoutInPlace());
      assertThat(given(separate)).as("seed %d", seed)
        .isEqualTo(LowerBound.of(storage(graph, OPERATORS.withoutInPlace()).problem()).bytes());
      OrderProblem inPlace = steps(graph).problem(OPERATORS);
      assertThat(given(inPlace)).as("seed %d, in place", seed)
        .isLessThanOrEqualTo(LowerBound.of(storage(graph, OPERATORS).problem()).bytes());
    }
  }

  @Test
  void theAnswerIsAValidGraphThatHoldsWhatWasPromised() {
    int better = 0;
    for (int seed = 0; seed < 200; seed++) {
      Graph graph = RandomGraphs.of(seed, 30);
      StepOrder steps = steps(graph);
      ChosenOrder chosen = MemoryOrder.choose(steps.problem(OPERATORS.withoutInPlace()));
      Graph reordered = steps.reordered(chosen.order());
      assertThat(reordered.outputs()).isEqualTo(graph.outputs());
      assertThat(reordered.nodes()).containsExactlyInAnyOrderElementsOf(graph.nodes());
      Storage storage = storage(reordered, OPERATORS.withoutInPlace());
      assertThat(LowerBound.of(storage.problem()).bytes()).as("seed %d", seed).isEqualTo(chosen.peakBytes());
      List<Node> before = storage(graph, OPERATORS).steps();
      assertThat(storage.steps()).isEqualTo(chosen.order().stream().map(before::get).toList());
      better += chosen.isBetter() ? 1 : 0;
    }
    assertThat(better).isGreaterThan(20);
  }

  @Test
  void anOrderThatReadsBeforeItWritesIsRefused() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry flat = fixture.apply("flat", "Reshape", a, fixture.longs("shape", 24));
    Graph graph = fixture.graph(fixture.apply("b", "Relu", flat));
    assertThat(steps(graph).problem(OPERATORS).nodes()).isEqualTo(2);
    assertThat(steps(graph).reordered(List.of(0, 1)).nodes()).containsExactlyElementsOf(graph.nodes());
    List<Node> wrong = new ArrayList<>(graph.nodes());
    Collections.swap(wrong, 1, wrong.size() - 1);
    assertThatThrownBy(() -> graph.inOrder(wrong)).hasMessageContaining("G3 order");
    assertThatThrownBy(() -> graph.inOrder(wrong.subList(0, 2))).isInstanceOf(IllegalArgumentException.class);
  }
}
