package dev.cairn.runtime.pass.fusion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.runtime.executor.RandomGraphs;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import org.junit.jupiter.api.Test;

class PointwiseFusionPassTest {
  private static final OperatorTable OPERATORS = StandardOperators.table().with(FusedOperator.ROW);

  private static Graph fused(Graph graph, String unserved) {
    var pass = new PointwiseFusionPass(OPERATORS, (node, types) -> !node.operator().equals(unserved));
    return new PassManager(it -> new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(it, GraphFixture.inputTypes(
      it))).run(graph, List.of(pass)).graph();
  }

  private static Graph fused(String text) {
    return fused(PassText.graph(text), "none");
  }

  private static List<String> programs(Graph graph) {
    return graph.nodes().stream().filter(node -> node.operator().equals(PointwiseProgram.OPERATOR)).map(
      node -> node.name() + node.inputs() + ": " + PointwiseProgram.of(node.kind().attributes())).toList();
  }

  @Test
  void aChainBecomesOneNodeNamedAsItsLast() {
    Graph graph = fused("""
      x = input float32[2x8]
      b = constant float32:[1]
      a = Add(x, b)
      r = LeakyRelu{alpha=0.5}(a)
      y = Cast{to="float16"}(r)
      return y=y
      """);
    assertThat(programs(graph)).containsExactly("y[x, b]: %0 = Add(x0, x1) float32; %1 = LeakyRelu(%0) float32; "
      + "%2 = Cast(%1) float16; return %2");
    Node node = graph.outputs().getFirst().entry().node();
    assertThat(FusionMap.nodesOf(node)).containsExactly("a", "r", "y");
    FusionMap map = FusionMap.of(graph);
    assertThat(map.find("r")).contains(node);
    assertThat(map.entry("r")).isEmpty();
    assertThat(map.entry("y")).contains(node.entry());
    assertThat(map.entry("x")).contains(graph.inputs().getFirst().entry());
    assertThat(map.find("gone")).isEmpty();
  }

  @Test
  void whatOthersReadStaysAResult() {
    Graph graph = fused("""
      x = input float32[8]
      a = Relu(x)
      y = Neg(a)
      return y=y, a=a
      """);
    assertThat(programs(graph)).containsExactly("y[x]: %0 = Relu(x0) float32; %1 = Neg(%0) float32; return %0, %1");
    assertThat(graph.outputs().toString()).contains("name=y, entry=y:1,").contains("name=a, entry=y,");
  }

  /** Each of two groups would wait for the other. */
  @Test
  void aPathThroughAnotherNodeKeepsNodesApart() {
    Graph graph = fused("""
      x = input float32[4x4]
      a = Relu(x)
      s = Softmax(a)
      y = Add(a, s)
      return y=y
      """);
    assertThat(programs(graph)).isEmpty();
    Graph crossed = fused("""
      x = input float32[4x4]
      z = input float32[4x4]
      a = Relu(x)
      b = Relu(z)
      s = Softmax(a)
      t = Softmax(b)
      u = Add(a, t)
      v = Add(b, s)
      y = Add(u, v)
      return y=y
      """);
    assertThat(Unfolded.lines(crossed)).hasSize(12 - 2).noneMatch(line -> line.contains("Fused"));
  }

  @Test
  void anotherShapeAnotherKindOrAMissingKernelEndsAGroup() {
    assertThat(programs(fused("""
      x = input float32[2x8]
      k = input float32[1x8]
      a = Relu(k)
      y = Add(x, a)
      return y=y
      """))).as("a has fewer elements than y").isEmpty();
    assertThat(programs(fused(PassText.graph("""
      x = input float32[8]
      a = Relu(x)
      y = Neg(a)
      return y=y
      """), "Neg"))).isEmpty();
    assertThat(programs(fused("""
      x = input float32[8]
      a = Relu(x)
      y = Softmax(a)
      return y=y
      """))).isEmpty();
  }

  @Test
  void inputsAreNotHeldLongerThanTheirResultsWere() {
    String text = """
      x = input float32[64x64]
      p = Transpose(x)
      q = Softmax(x)
      a = Add(p, q)
      s = Softmax(x)
      y = Mul(a, s)
      return y=y
      """;
    assertThat(programs(fused(text))).as("two tensors would be held instead of one").isEmpty();
    assertThat(programs(fused(text.replace("Add(p, q)", "Add(p, p)")))).hasSize(1);
  }

  @Test
  void randomGraphsUnfoldToWhatTheyWere() {
    int groups = 0;
    for (int seed = 0; seed < 300; seed++) {
      Graph before = RandomGraphs.of(seed, 10 + seed % 60);
      Graph after = fused(before, "none");
      assertThat(Unfolded.lines(after)).as("seed %d", seed).isEqualTo(Unfolded.lines(before));
      assertThat(after.outputs()).extracting(Graph.Output::name).isEqualTo(before.outputs().stream().map(
        Graph.Output::name).toList());
      assertThat(after.toString()).as("seed %d", seed).isEqualTo(fused(before, "none").toString());
      groups += programs(after).size();
      for (Node node : after.nodes()) {
        if (node.operator().equals(PointwiseProgram.OPERATOR)) {
          assertThat(node.inputs()).hasSizeLessThanOrEqualTo(FusedOperator.MOST_INPUTS).doesNotHaveDuplicates();
          assertThat(node.kind().outputs()).isLessThanOrEqualTo(FusedOperator.MOST_RESULTS);
        }
      }
    }
    assertThat(groups).isGreaterThan(300);
  }
}
