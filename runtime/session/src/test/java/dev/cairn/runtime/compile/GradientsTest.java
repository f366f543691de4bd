package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.gradient.GradientGraph;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The way from a model to a session that computes its gradients. */
class GradientsTest {
  private static final Map<String, TensorType> ONE_ROW = Map.of("x", TensorType.of(DType.FLOAT32, 1, 2));

  /** {@code y = (x w)²}, where the number of rows is open and {@code w} is a constant. */
  private static Graph model() {
    var graph = new GraphBuilder("model");
    NodeEntry x = graph.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("rows"),
      new Dimension.Fixed(2))));
    NodeEntry w = graph.constant("w", TensorView.ofFloats(Shape.of(2, 1), 3, 4));
    NodeEntry product = graph.apply("MatMul", x, graph.apply("Identity", w));
    graph.output("y", graph.apply("Mul", product, product));
    return graph.build();
  }

  private static float[] run(Graph graph, String output) {
    try (Session session = Session.of(graph, SessionOptions.DEFAULT.withThreads(1));
      Result result = session.run(Map.of("x", Tensor.of(new float[] {1, 2}, 1, 2)))) {
      return result.get(output).toFloatArray();
    }
  }

  @Test
  void aSessionComputesGradientsOfInputsAndConstants() {
    Graph graph = Gradients.DEFAULT.of(model(), ONE_ROW, List.of("y"), List.of("x", "w")).withOutputs();
    assertThat(run(graph, "y")).containsExactly(121);
    assertThat(run(graph, "x/gradient")).containsExactly(66, 88);
    assertThat(run(graph, "w/gradient")).containsExactly(22, 44);
    assertThat(graph.variables()).extracting(Node::name).containsExactly("w");
  }

  @Test
  void whatIsNotWantedStaysAConstant() {
    GradientGraph gradients = Gradients.DEFAULT.of(model(), ONE_ROW, List.of("y"), List.of("x"));
    assertThat(gradients.graph().variables()).isEmpty();
    assertThat(gradients.graph().nodes()).extracting(Node::operator).doesNotContain("Identity");
  }

  @Test
  void anOutputMayBeTheHeadOfAnother() {
    Graph graph = Gradients.DEFAULT.withHeads(Map.of("y", "y")).of(model(), ONE_ROW, List.of("y"), List.of("x"))
      .withOutputs();
    assertThat(run(graph, "x/gradient")).containsExactly(66 * 121, 88 * 121);
  }

  @Test
  void namesThatTheGraphDoesNotHaveAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Gradients.DEFAULT.of(model(), ONE_ROW, List.of("z"), List.of(
      "x"))).withMessageContaining("no such output: name=z outputs=[y]");
    assertThatIllegalArgumentException().isThrownBy(() -> Gradients.DEFAULT.of(model(), ONE_ROW, List.of("y"), List.of(
      "v"))).withMessageContaining("name=v known=[x]");
  }

  /** D-10: what is folded into constants, or into one node, is never what a gradient is taken of. */
  @Test
  void weightsOfWhichGradientsAreTakenAreNotFolded() {
    var graph = new GraphBuilder("convolution");
    NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 1, 1, 3, 3));
    NodeEntry w = graph.constant("w", TensorView.ofFloats(Shape.of(1, 1, 1, 1), 2));
    NodeEntry one = graph.constant("one", TensorView.ofFloats(Shape.of(1), 1));
    NodeEntry y = graph.apply("BatchNormalization", graph.apply("Conv", x, w), graph.constant("scale", TensorView
      .ofFloats(Shape.of(1), 3)), one, one, one);
    graph.output("y", y);
    Map<String, TensorType> inputs = Map.of("x", TensorType.of(DType.FLOAT32, 1, 1, 3, 3));
    GradientGraph folded = Gradients.DEFAULT.of(graph.build(), inputs, List.of("y"), List.of("x"));
    assertThat(folded.graph().nodes()).extracting(Node::operator).doesNotContain("BatchNormalization");
    GradientGraph kept = Gradients.DEFAULT.of(graph.build(), inputs, List.of("y"), List.of("w", "scale"));
    assertThat(kept.graph().nodes()).extracting(Node::operator).contains("BatchNormalization", "Conv");
  }
}
