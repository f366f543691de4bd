package dev.cairn.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Extents and values past what an {@code int} counts, or a machine holds: an error with the node, or a result. */
class LargeExtentsTest {
  private static final long HUGE = 1L << 33;

  private static Graph graph(Function<GraphBuilder, NodeEntry> body) {
    var builder = new GraphBuilder("large");
    builder.output("y", body.apply(builder));
    return builder.build();
  }

  private static NodeEntry input(GraphBuilder builder, String name, long... extents) {
    return builder.input(name, TensorType.of(DType.FLOAT32, extents));
  }

  private static <E extends Exception> E refused(Class<E> type, Graph graph) {
    for (boolean simplify : new boolean[] {true, false}) {
      SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withMemoryLimitBytes(1 << 20);
      assertThrows(type, () -> Session.of(graph, options.withCompile(options.compile().withSimplify(simplify)))
        .close());
    }
    return assertThrows(type, () -> Session.of(graph, SessionOptions.DEFAULT.withMemoryLimitBytes(1 << 20)).close());
  }

  private static void assertSays(Exception error, String part) {
    assertTrue(String.valueOf(error.getMessage()).contains(part), () -> "wanted: %s given: %s".formatted(part, error));
  }

  @Test
  void noKernelCountsSoLargeMatrices() {
    UnsupportedOperators deep = refused(UnsupportedOperators.class, graph(of -> of.apply("MatMul", input(of, "a", 1,
      HUGE), input(of, "b", HUGE, 1))));
    assertEquals("MatMul", deep.gaps().getFirst().operator());
    refused(UnsupportedOperators.class, graph(of -> of.apply("MatMul", input(of, "a", HUGE, 1), input(of, "b", 1,
      1))));
    refused(UnsupportedOperators.class, graph(of -> of.apply("Gemm", input(of, "a", HUGE, 1), input(of, "b", 1, 1))));
  }

  @Test
  void aTensorLargerThanAnAddressSpaceIsRefused() {
    Graph made = graph(of -> of.apply("Expand", input(of, "x", 1), of.constant("shape", TensorView.ofLongs(1L << 50))));
    assertSays(refused(InvalidGraph.class, made), "Expand");
    assertEquals("x", refused(InvalidGraph.class, graph(of -> of.apply("Neg", input(of, "x", 1L << 50)))).node());
  }

  @Test
  void aConstantThatTheMachineCannotHoldMeetsTheLimit() {
    Graph graph = graph(of -> of.apply("ConstantOfShape", of.constant("shape", TensorView.ofLongs(1L << 44))));
    for (boolean simplify : new boolean[] {true, false}) {
      SessionOptions options = SessionOptions.DEFAULT.withMemoryLimitBytes(1 << 20);
      // Without simplification the run computes it; with simplification, opening does.
      assertThrows(OutOfMemory.class, () -> {
        try (Session session = Session.of(graph, options.withCompile(options.compile().withSimplify(simplify)))) {
          session.run(Map.of()).close();
        }
      });
    }
  }

  @Test
  void aConstantThatCannotBeComputedNamesItsNode() {
    long[] many = new long[(1 << 20) + 1];
    Graph graph = graph(of -> of.apply("Gather", of.constant("data", TensorView.ofLongs(many)), of.constant("index",
      TensorView.ofLongs(many.length))));
    InvalidGraph error = assertThrows(InvalidGraph.class, () -> Session.of(graph, SessionOptions.DEFAULT).close());
    assertSays(error, "Gather");
    assertSays(error, Integer.toString(many.length));
  }

  @Test
  void anAxisPastAnIntIsNoAxis() {
    refused(InvalidGraph.class, graph(of -> of.apply("CumSum", input(of, "x", 3), of.constant("axis", TensorView.ofLong(
      1L << 32)))));
    Graph late = graph(of -> of.apply("CumSum", input(of, "x", 3), of.input("axis", TensorType.of(DType.INT64))));
    try (Session session = Session.of(late, SessionOptions.DEFAULT);
      Tensor x = Tensor.of(new float[] {1, 2, 3}, 3);
      Tensor axis = Tensor.of(new long[] {-1L << 40})) {
      Map<String, Tensor> inputs = Map.of("x", x, "axis", axis);
      assertSays(assertThrows(IllegalArgumentException.class, () -> session.run(inputs)), "no such axis");
    }
  }

  /** Whole numbers of each window, padding and dilation fit an int, and no product of them need do so. */
  @Test
  void windowsMayBeFarLargerThanTheInput() {
    Attributes window = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(1 << 20, 1 << 20, 1 << 20)).with(
      "auto_pad", new AttributeValue.Text("SAME_UPPER"));
    float[] values = new float[64];
    for (int i = 0; i < values.length; i++) {
      values[i] = i + 1;
    }
    try (Session session = Session.of(graph(of -> of.apply("AveragePool", window, input(of, "x", 1, 1, 4, 4, 4))),
      SessionOptions.DEFAULT);
      Tensor x = Tensor.of(values, 1, 1, 4, 4, 4);
      Result result = session.run(Map.of("x", x))) {
      assertEquals(Shape.of(1, 1, 4, 4, 4), result.get("y").shape());
      assertEquals(32.5f, result.get("y").toFloatArray()[17]);
    }
    Attributes dilated = Attributes.NONE.with("dilations", AttributeValue.Ints.of(1 << 30, 1 << 30)).with("pads",
      AttributeValue.Ints.of(1 << 30, 1 << 30, 1 << 30, 1 << 30)).with("strides",
        AttributeValue.Ints.of(1 << 30,
          1 << 30));
    TensorView weights = TensorView.ofFloats(Shape.of(1, 1, 2, 2), 1, 2, 3, 4);
    try (Session session = Session.of(graph(of -> of.apply("Conv", dilated, input(of, "x", 1, 1, 1, 1), of.constant("w",
      weights))), SessionOptions.DEFAULT);
      Tensor x = Tensor.of(new float[] {5}, 1, 1, 1, 1);
      Result result = session.run(Map.of("x", x))) {
      assertEquals(Shape.of(1, 1, 2, 2), result.get("y").shape());
      assertEquals(20f, result.get("y").toFloatArray()[0]);
    }
  }
}
