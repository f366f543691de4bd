package dev.cairn.runtime.pass.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.Gradients;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** G-9: nodes that are computed again for the gradient, where that needs less memory. */
class MirrorTest {
  private static final int ROWS = 128;
  private static final int WIDTH = 64;

  private static NodeEntry weight(GraphBuilder graph, int number, long columns) {
    return graph.input("w" + number, TensorType.of(DType.FLOAT32, WIDTH, columns));
  }

  /** What is between two products is large and cheap. */
  private static Graph activations() {
    var graph = new GraphBuilder("activations");
    NodeEntry y = graph.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    for (int i = 0; i < 6; i++) {
      y = graph.apply("MatMul", y, weight(graph, i, WIDTH));
      for (String operator : List.of("Tanh", "Sigmoid", "Tanh", "Sigmoid")) {
        y = graph.apply(operator, y);
      }
    }
    graph.output("y", y);
    return graph.build();
  }

  private static Graph layers() {
    var graph = new GraphBuilder("layers");
    NodeEntry y = graph.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    for (int i = 0; i < 4; i++) {
      y = graph.apply("MatMul", y, weight(graph, i, WIDTH));
    }
    graph.output("y", y);
    return graph.build();
  }

  private static GradientGraph gradients(Graph graph, MirrorChoice choice) {
    return Gradients.DEFAULT.withOptions(GradientOptions.DEFAULT.withMirror(choice))
      .of(graph, GraphFixture.inputTypes(graph), List.of("y"), graph.inputs().stream().map(Node::name).toList());
  }

  private record Run(long peakBytes, List<float[]> gradients) {}

  private static Run run(GradientGraph gradients) {
    Graph graph = gradients.withOutputs();
    try (Session session = Session.of(graph, SessionOptions.DEFAULT.withThreads(1));
      Result result = session.run(
        values(graph))) {
      List<float[]> all = new ArrayList<>();
      graph.outputs().forEach(it -> all.add(result.get(it.name()).toFloatArray()));
      return new Run(session.compiled().orElseThrow().plan().peakBytes(), all);
    }
  }

  private static Map<String, Tensor> values(Graph graph) {
    Map<String, Tensor> values = new HashMap<>();
    GraphFixture.inputTypes(graph).forEach((name, type) -> {
      float[] numbers = new float[Math.toIntExact(type.shape().elementCount())];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = (float) Math.cos(i + name.hashCode()) / 8;
      }
      values.put(name, Tensor.of(numbers, type.shape().extents()));
    });
    return values;
  }

  private static List<String> copies(GradientGraph gradients) {
    return gradients.withOutputs().nodes().stream().map(Node::name).filter(it -> it.endsWith("_mirror")).toList();
  }

  @Test
  void copiesOfCheapNodesNeedLessMemoryAndGiveTheSameBits() {
    Run kept = run(gradients(activations(), MirrorChoice.NONE));
    GradientGraph mirrored = gradients(activations(), MirrorChoice.NNVM);
    assertThat(copies(mirrored)).isNotEmpty().noneMatch(it -> it.startsWith("MatMul"));
    Run again = run(mirrored);
    assertThat(again.peakBytes).isLessThan(kept.peakBytes / 2);
    for (int i = 0; i < kept.gradients.size(); i++) {
      assertThat(again.gradients.get(i)).containsExactly(kept.gradients.get(i));
    }
  }

  @Test
  void aChoiceThatSavesNothingIsNotTaken() {
    assertThat(copies(gradients(layers(), MirrorChoice.NNVM))).isEmpty();
  }

  @Test
  void notesForceCopiesButNotOfDraws() {
    var fixture = new GraphFixture();
    NodeEntry x = fixture.input("x", "float32[3]");
    NodeEntry noted = fixture.apply("noted", "Exp", x).node().withNotes(Notes.of(Map.of(Notes.FORCE_MIRRORING, "true")))
      .entry();
    NodeEntry product = fixture.apply("p", "Gemm", noted, noted).node().withNotes(Notes.of(Map.of(
      Notes.FORCE_MIRRORING, "1"))).entry();
    NodeEntry dropped = fixture.apply("d", "Dropout", product).node().withNotes(Notes.of(Map.of(Notes.FORCE_MIRRORING,
      "1"))).entry();
    Graph graph = fixture.graph(fixture.apply("y", "Tanh", dropped));
    Map<Node, Node> copies = MirrorChoice.NOTED.of(graph);
    assertThat(copies.keySet()).containsExactlyInAnyOrder(noted.node(), product.node());
    Node copy = Objects.requireNonNull(copies.get(product.node()));
    assertThat(copy.name()).isEqualTo("p_mirror");
    assertThat(copy.inputs().getFirst().node()).isSameAs(copies.get(noted.node()));
    assertThat(MirrorChoice.NNVM.of(graph)).hasSize(3);
  }
}
