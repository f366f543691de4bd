package dev.cairn.runtime.pass.fusion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.FusedNodes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.runtime.executor.RandomGraphs;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProductFusionPassTest {
  private static final OperatorTable OPERATORS = StandardOperators.table().with(FusedOperator.ROW).with(
    FusedProductOperator.row(StandardOperators.table()));
  private static final String BLOCK = """
    x = input float32[2x3x8x8]
    r = input float32[2x4x8x8]
    w = constant random float32[4x3x3x3]
    c = Conv{pads=[1,1,1,1]}(x, w)
    a = Add(r, c)
    y = Relu(a)
    return y=y
    """;

  private static Graph run(Graph graph, List<Pass> passes) {
    return new PassManager(it -> new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(it, GraphFixture.inputTypes(
      it))).run(graph, passes).graph();
  }

  private static Graph fused(Graph graph, String unserved) {
    return run(graph, List.of(new PointwiseFusionPass(OPERATORS, (node, types) -> true), new ProductFusionPass(
      OPERATORS, (product, types, signature) -> !product.operator().equals(unserved))));
  }

  private static Graph fused(String text) {
    return fused(PassText.graph(text), "none");
  }

  private static List<Node> products(Graph graph) {
    return graph.nodes().stream().filter(node -> node.operator().equals(FusedProduct.OPERATOR)).toList();
  }

  private static List<String> programs(Graph graph) {
    return products(graph).stream().map(node -> node.name() + node.inputs() + ": " + FusedProduct.of(node.kind()
      .attributes()).operator() + " " + PointwiseProgram.of(node.kind().attributes())).toList();
  }

  /** A node has at most so many inputs; a sum may have more. */
  @Test
  void aSumOfManyStaysApart() {
    for (int many : new int[] {14, 15, 16, 20}) {
      var text = new StringBuilder("x = input float32[2x8]\nw = constant random float32[8x4]\n");
      var names = new StringBuilder("m");
      for (int i = 0; i < many; i++) {
        text.append("r%d = input float32[2x4]\n".formatted(i));
        names.append(", r").append(i);
      }
      Graph graph = fused(text + "m = MatMul(x, w)\ny = Sum(" + names + ")\nreturn y=y\n");
      assertThat(products(graph)).as("many=%d", many).hasSize(many > 15 ? 0 : 1);
      new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(graph));
    }
  }

  @Test
  void aConvolutionTakesInWhatFollowsIt() {
    Graph graph = fused(BLOCK);
    assertThat(programs(graph)).containsExactly(
      "y[x, w, absent, r]: Conv %0 = Add(x1, x0) float32; %1 = Relu(%0) float32; return %1");
    Node node = products(graph).getFirst();
    assertThat(FusedProduct.of(node.kind().attributes()).attributes().getLongs("pads")).containsExactly(1, 1, 1, 1);
    assertThat(FusionMap.nodesOf(node)).containsExactly("c", "a", "y");
    FusionMap map = FusionMap.of(graph);
    assertThat(map.find("c")).contains(node);
    assertThat(map.entry("c")).isEmpty();
    assertThat(map.entry("a")).isEmpty();
    assertThat(map.entry("y")).contains(node.entry());
  }

  @Test
  void aSingleNodeIsTakenInAndReadsTheProductTwice() {
    assertThat(programs(fused("""
      x = input float32[2x8]
      w = constant random float32[8x4]
      b = constant random float32[4]
      m = Gemm{transB=0}(x, w, b)
      y = Mul(m, m)
      return y=y
      """))).containsExactly("y[x, w, b]: Gemm %0 = Mul(x0, x0) float32; return %0");
  }

  @Test
  void otherReadersOutputsShapesTypesAndKernelsKeepThemApart() {
    assertThat(products(fused(PassText.graph(BLOCK), "Conv"))).isEmpty();
    assertThat(products(fused(BLOCK.replace("return y=y", "return y=y, c=c")))).isEmpty();
    assertThat(products(fused(BLOCK.replace("return y=y", "s = Softmax(c)\nreturn y=y, s=s")))).isEmpty();
    assertThat(products(fused(BLOCK.replace("r = input float32[2x4x8x8]", "r = input float32[3x1x4x8x8]").replace(
      "x = input float32[2x3x8x8]", "x = input float32[1x3x8x8]")))).as("c stretches").isEmpty();
    assertThat(products(fused("""
      x = input float32[4x4]
      m = MatMul(x, x)
      y = Cast{to="float64"}(m)
      return y=y
      """))).as("twice the bytes").isEmpty();
  }

  @Test
  void ofTwoProductsTheLastOneTakesIn() {
    assertThat(programs(fused("""
      x = input float32[4x4]
      w = constant random float32[4x4]
      m = MatMul(x, w)
      n = MatMul(w, x)
      y = Add(m, n)
      return y=y
      """))).containsExactly("y[w, x, absent, m]: MatMul %0 = Add(x1, x0) float32; return %0");
  }

  @Test
  void operandsAreNotHeldLongerThanTheProductWas() {
    String text = """
      x = input float32[64x64]
      p = Transpose(x)
      q = Softmax(x)
      m = MatMul(p, q)
      s = Softmax(x)
      t = Softmax(s)
      y = Add(m, t)
      return y=y
      """;
    assertThat(products(fused(text))).as("two tensors would be held instead of one").isEmpty();
    assertThat(products(fused(text.replace("MatMul(p, q)", "MatMul(p, x)")))).hasSize(1);
  }

  @Test
  void whatIsMultipliedIsNotWrittenOver() {
    String text = """
      x = input float32[4x4]
      p = Softmax(x)
      r = Softmax(p)
      s = Reshape(p, shape)
      m = MatMul(s, r)
      y = Add(m, other)
      return y=y
      """.replace("x = input", "shape = constant int64:[4,4]\nx = input");
    assertThat(inPlace(text.replace("other", "p"))).as("p is s").isEmpty();
    assertThat(inPlace(text.replace("other", "r"))).isEmpty();
    assertThat(inPlace(text.replace("MatMul(s, r)", "MatMul(s, s)").replace("other", "r"))).containsExactly(3, 0);
  }

  private static long[] inPlace(String text) {
    return FusedNodes.of(products(fused(text)).getFirst().kind().attributes()).inPlace().orElseThrow();
  }

  @Test
  void anotherGraphGetsTheSameNodes() {
    Graph large = fused(BLOCK);
    Graph small = PassText.graph(BLOCK.replace("[2x", "[1x"));
    Graph alike = run(small, List.of(PointwiseFusionPass.like(large), ProductFusionPass.like(large, OPERATORS)));
    assertThat(programs(alike)).isEqualTo(programs(large));
    Graph other = PassText.graph(BLOCK.replace("c = Conv", "d = Conv").replace("(r, c)", "(r, d)"));
    assertThatThrownBy(() -> run(other, List.of(PointwiseFusionPass.like(large), ProductFusionPass.like(large,
      OPERATORS)))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("missing=c");
    // One image is stretched to the two of r.
    Graph stretched = PassText.graph(BLOCK.replace("x = input float32[2x", "x = input float32[1x"));
    assertThatThrownBy(() -> run(stretched, List.of(PointwiseFusionPass.like(large), ProductFusionPass.like(large,
      OPERATORS)))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fused for the largest shapes");
  }

  @Test
  void randomGraphsUnfoldToWhatTheyWere() {
    int found = 0;
    for (int seed = 0; seed < 200; seed++) {
      Graph before = RandomGraphs.of(seed, 10 + seed % 60);
      Graph after = fused(before, "none");
      assertThat(Unfolded.lines(after)).as("seed %d", seed).isEqualTo(Unfolded.lines(before));
      assertThat(after.toString()).as("seed %d", seed).isEqualTo(fused(before, "none").toString());
      found += products(after).size();
    }
    assertThat(found).isGreaterThan(90);
  }
}
