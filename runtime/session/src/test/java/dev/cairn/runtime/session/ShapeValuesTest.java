package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.parts.PlanRate;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans for the values of inputs that decide shapes. */
class ShapeValuesTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** y = (x reshaped to n) + 1, sliced from start in axis 0; x has any number of elements. */
  private static Graph model() {
    var builder = new GraphBuilder("reshape");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("elements"))));
    NodeEntry n = builder.input("n", new DeclaredType(DType.INT64, List.of(new Dimension.Symbol("rank"))));
    NodeEntry start = builder.input("start", TensorType.of(DType.INT64, 1));
    NodeEntry end = builder.constant("end", TensorView.ofLongs(Long.MAX_VALUE));
    NodeEntry more = builder.apply("Add", builder.apply("Reshape", x, n), builder.constant("one", TensorView.ofFloats(
      Shape.of(1), 1)));
    builder.output("y", builder.apply("Slice", more, start, end));
    builder.output("n", n);
    return builder.build();
  }

  private static Map<String, Tensor> inputs(int elements, long start, long... shape) {
    float[] values = new float[elements];
    for (int i = 0; i < elements; i++) {
      values[i] = i;
    }
    return Map.of("x", Tensor.of(values, elements), "n", Tensor.of(shape, shape.length), "start", Tensor.of(
      new long[] {start}, 1));
  }

  private static CompiledGraph planned(Session session, int elements, long start, long... shape) {
    try (Result result = session.run(inputs(elements, start, shape))) {
      long rest = elements / shape[0];
      assertThat(result.get("y").shape().extent(0)).isEqualTo(shape[0] - start);
      assertThat(result.get("y").toFloatArray()).hasSize((int) (elements - start * rest))
        .startsWith((float) (start * rest + 1))
        .endsWith(elements);
      assertThat(result.get("n").toLongArray()).containsExactly(shape);
    }
    assertThat(session.unplannedReason()).isEmpty();
    return session.compiled().orElseThrow();
  }

  @Test
  void aPlanServesTheValuesThatItWasMadeFor() {
    try (var session = Session.of(model(), OPTIONS, source)) {
      CompiledGraph first = planned(session, 12, 1, 3, 4);
      assertThat(planned(session, 12, 1, 3, 4)).isSameAs(first);
      assertThat(planned(session, 12, 2, 3, 4)).isNotSameAs(first);
      assertThat(planned(session, 12, 1, 4, 3)).isNotSameAs(first);
      assertThat(planned(session, 24, 1, 3, 2, 4)).isNotSameAs(first);
      assertThat(planned(session, 12, 1, 3, 4)).isSameAs(first);
      assertThat(first.storage().steps()).extracting(node -> node.operator()).doesNotContain("Reshape");
    }
  }

  @Test
  void aValueThatDoesNotFitIsRefusedAndTheNextRunIsWell() {
    try (var session = Session.of(model(), OPTIONS, source)) {
      assertThatThrownBy(() -> session.run(inputs(12, 0, 5, 5))).isInstanceOfSatisfying(InvalidGraph.class,
        it -> assertThat(it
          .node()).isEqualTo("Reshape"));
      planned(session, 12, 1, 3, 4);
      assertThatThrownBy(() -> session.run(inputs(12, 0, 5, 5))).isInstanceOf(InvalidGraph.class);
      planned(session, 12, 1, 3, 4);
    }
  }

  @Test
  void valuesThatChangeTooOftenAreLeftOpen() {
    try (var session = Session.of(model(), OPTIONS, source)) {
      for (int n = 1; n <= PlanRate.MOST_PLANS; n++) {
        planned(session, 2 * n, 0, n, 2);
      }
      try (Result result = session.run(inputs(60, 1, 30, 2))) {
        assertThat(result.get("y").shape()).isEqualTo(Shape.of(29, 2));
      }
      assertThat(session.unplannedReason()).hasValueSatisfying(it -> assertThat(it).contains("[n, start]"));
      assertThat(session.compiled()).isEmpty();
    }
  }

  @Test
  void valuesThatChangeSeldomAreNot() {
    try (var session = Session.of(model(), OPTIONS, source)) {
      for (int n = 1; n <= 2 * PlanRate.MOST_PLANS; n++) {
        for (int again = 0; again < PlanRate.WINDOW / PlanRate.MOST_PLANS + 1; again++) {
          planned(session, 2 * n, 0, n, 2);
        }
      }
    }
  }

  @Test
  void largeInputsAndLongRowsOfRealNumbersAreNotBound() {
    var types = Map.of("many", TensorType.of(DType.INT64, 1025), "most", TensorType.of(DType.INT64, 1024), "one",
      TensorType.of(DType.BOOL), "scales", TensorType.of(DType.FLOAT32, 16), "data", TensorType.of(DType.FLOAT32, 17));
    assertThat(ShapeValues.areSmall(Set.of("most"), types)).isTrue();
    assertThat(ShapeValues.areSmall(Set.of("most", "one"), types)).isFalse();
    assertThat(ShapeValues.areSmall(Set.of("many"), types)).isFalse();
    assertThat(ShapeValues.areSmall(Set.of("scales", "one"), types)).isTrue();
    assertThat(ShapeValues.areSmall(Set.of("data"), types)).isFalse();
  }

  @Test
  void theCompilerTakesValuesToo() {
    Graph graph = model();
    Map<String, TensorType> types = Map.of("x", TensorType.of(DType.FLOAT32, 12), "n", TensorType.of(DType.INT64, 2),
      "start", TensorType.of(DType.INT64, 1));
    TensorView n = TensorView.ofLongs(3, 4);
    TensorView start = TensorView.ofLongs(1);
    try (ModelCompiler compiler = ModelCompiler.open(OPTIONS, Map.of("n", n, "start", start))) {
      assertThat(compiler.compile(graph, types, CompileOptions.DEFAULT).outputTypes()).containsEntry("y", TensorType.of(
        DType.FLOAT32, 2, 4));
    }
    try (ModelCompiler compiler = ModelCompiler.open(OPTIONS, Map.of("n", n))) {
      assertThatThrownBy(() -> compiler.compile(graph, types, CompileOptions.DEFAULT)).isInstanceOfSatisfying(
        ValueDependentShape.class, it -> {
          assertThat(it.inputs()).containsExactly("start");
          assertThat(it.getMessage()).containsOnlyOnce("node=");
        });
    }
  }
}
