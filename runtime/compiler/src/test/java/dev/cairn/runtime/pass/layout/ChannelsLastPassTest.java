package dev.cairn.runtime.pass.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelsLastPassTest {
  private static final OperatorTable OPERATORS = ChannelsLastOperators.in(StandardOperators.table());

  private static Graph pass(String text, String unserved) {
    Graph graph = PassText.graph(text);
    var manager = new PassManager(it -> new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(it, GraphFixture
      .inputTypes(it)));
    return manager.run(graph, List.of(new ChannelsLastPass(OPERATORS, (operator, _) -> !operator.equals(unserved))))
      .graph();
  }

  private static List<String> operators(Graph graph) {
    return graph.nodes().stream().filter(it -> it.kind() instanceof NodeKind.Apply).map(Node::operator).toList();
  }

  @Test
  void convolutionsDecideAndOthersFollow() {
    Graph graph = pass("""
      x = input float32[2x3x8x8]
      w = constant random float32[4x3x3x3]
      v = constant random float32[4x4x3x3]
      c = Conv{pads=[1,1,1,1]}(x, w)
      r = Relu(c)
      d = Conv{pads=[1,1,1,1]}(r, v)
      s = Add(d, r)
      p = MaxPool{kernel_shape=[2,2]}(s)
      y = Flatten(p)
      return y=y
      """, "none");
    assertThat(operators(graph)).containsSubsequence("Transpose", "ConvNhwc", "Relu", "ConvNhwc", "Add", "MaxPoolNhwc",
      "Transpose", "Flatten");
    assertThat(operators(graph)).filteredOn("Transpose"::equals).hasSize(2);
  }

  /** A normalisation becomes a product and a sum, of numbers of its own type. */
  @Test
  void imagesOf16BitsLieSoToo() {
    Graph graph = pass("""
      x = input bfloat16[2x3x8x8]
      w = constant random bfloat16[4x3x3x3]
      s = constant random bfloat16[4]
      v = constant random bfloat16[2x4x1x1]
      c = Conv(x, w)
      d = Relu(c)
      n = BatchNormalization(d, s, s, s, s)
      y = Conv{kernel_shape=[1,1]}(n, v)
      return y=y
      """, "none");
    assertThat(operators(graph)).containsSubsequence("Transpose", "ConvNhwc", "Relu", "Mul", "Add", "ConvNhwc");
    assertThat(graph.nodes()).filteredOn(it -> it.name().matches("n/s(cale|hift)")).hasSize(2).allMatch(it -> it
      .constant().orElseThrow().type().dtype() == DType.BFLOAT16);
  }

  @Test
  void aDeviceWithoutSuchKernelsKeepsTheGraph() {
    String text = """
      x = input float32[2x3x8x8]
      w = constant random float32[4x3x3x3]
      c = Conv(x, w)
      y = Relu(c)
      return y=y
      """;
    assertThat(operators(pass(text, "ConvNhwc"))).containsExactly("Conv", "Relu");
  }

  @Test
  void onePixelNeedsNoTransposition() {
    Graph graph = pass("""
      x = input float32[2x3x8x8]
      w = constant random float32[4x3x3x3]
      c = Conv(x, w)
      y = GlobalAveragePool(c)
      return y=y
      """, "none");
    assertThat(operators(graph)).containsExactly("Transpose", "ConvNhwc", "AveragePoolNhwc", "Reshape");
  }

  @Test
  void plainOperatorsThatReadMoreStayPlain() {
    Graph graph = pass("""
      x = input float32[2x3x8x8]
      r = input float32[2x12x8x8]
      w = constant random float32[4x3x1x1]
      c = Conv(x, w)
      y = Concat{axis=1}(c, r)
      return y=y
      """, "none");
    assertThat(operators(graph)).containsExactly("Transpose", "ConvNhwc", "Transpose", "Concat");
  }

  @Test
  void weightsThatAreNoConstantsKeepAConvolutionPlain() {
    Graph graph = pass("""
      x = input float32[2x3x8x8]
      w = input float32[4x3x1x1]
      y = Conv(x, w)
      return y=y
      """, "none");
    assertThat(operators(graph)).containsExactly("Conv");
  }

  /** What a UNet has between its convolutions: a normalisation of groups, a way up by pixels, and one by weights. */
  @Test
  void aUnetHasNoTranspositionInside() {
    Graph graph = pass("""
      x = input float32[2x3x8x8]
      w = constant random float32[4x3x1x1]
      v = constant random float32[4x4x2x2]
      s = constant random float32[4]
      scales = constant float32:[1,1,2,2]
      c = Conv(x, w)
      n = GroupNormalization{num_groups=2}(c, s, s)
      a = Swish(n)
      r = Resize{mode="nearest"}(a, _, scales)
      t = ConvTranspose{strides=[2,2]}(r, v)
      y = Conv(t, v)
      return y=y
      """, "none");
    assertThat(operators(graph)).containsExactly("Transpose", "ConvNhwc", "GroupNormalizationNhwc", "Swish", "Resize",
      "ConvTransposeNhwc", "ConvNhwc", "Transpose");
    assertThat(graph.nodes()).filteredOn(it -> it.name().equals("scales/nhwc")).singleElement().satisfies(
      it -> assertThat(it.constant().orElseThrow()).isInstanceOfSatisfying(ConstantSource.Given.class,
        given -> assertThat(List.of(given.value().doubleAt(0), given.value().doubleAt(1), given.value().doubleAt(2),
          given.value().doubleAt(3))).containsExactly(1.0, 2.0, 2.0, 1.0)));
  }

  /** Interpolation computes plain images as fast. */
  @Test
  void interpolationStaysPlain() {
    Graph graph = pass("""
      x = input float32[2x3x8x8]
      w = constant random float32[4x3x1x1]
      scales = constant float32:[1,1,2,2]
      c = Conv(x, w)
      y = Resize{mode="linear"}(c, _, scales)
      return y=y
      """, "none");
    assertThat(operators(graph)).containsExactly("Transpose", "ConvNhwc", "Transpose", "Resize");
  }
}
