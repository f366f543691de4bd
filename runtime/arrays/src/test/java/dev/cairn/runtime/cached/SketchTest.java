package dev.cairn.runtime.cached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** C-1; upstream's case 164. */
class SketchTest extends ArrayContract {
  private static final TensorType MATRIX = TensorType.of(DType.FLOAT32, 2, 3);

  private Sketch sketch(UnaryOperator<NDArray> function) {
    return Sketch.of(arrays, List.of(MATRIX), it -> List.of(function.apply(it.get(0))));
  }

  @Test
  void aSketchIsTheGraphThatABuilderGives() {
    NDArray weight = counting(3, 4);
    Sketch sketch = sketch(x -> x.matmul(weight).relu().add(1).sum(1));
    var graph = new GraphBuilder("sketch");
    NodeEntry x = graph.input("x0", MATRIX);
    NodeEntry w = graph.input("w0", weight.type());
    NodeEntry sum = graph.apply("Add", graph.apply("Relu", graph.apply("MatMul", x, w)), graph.constant("constant",
      HeapTensor.allocate(TensorType.of(DType.FLOAT32))));
    graph.output("y0", graph.apply("ReduceSum", Attributes.NONE.with("keepdims", 0), sum,
      graph.constant("constant", TensorView.ofLongs(1))));
    assertThat(sketch.graph()).hasToString(graph.build().toString());
    assertThat(sketch.parameters()).containsExactly(weight);
  }

  @Test
  void parametersAreKnownByIdentity() {
    NDArray a = counting(2, 3);
    Sketch sketch = sketch(x -> x.add(a).mul(a.mul(a)));
    assertThat(sketch.parameters()).containsExactly(a);
    assertThat(sketch.graph().inputs()).hasSize(2);
  }

  @Test
  void shapesMayBeAskedAndElementsNot() {
    Sketch sketch = sketch(x -> x.shape().extent(0) == 2 ? x.neg() : x);
    assertThat(sketch.graph().toString()).contains("Neg");
    List<UnaryOperator<NDArray>> values = List.of(x -> x.mul(x.sum().item()), x -> x.mul(x.toFloatArray()[0]),
      x -> x.sum().truth() ? x : x.neg());
    for (UnaryOperator<NDArray> function : values) {
      assertThatThrownBy(() -> sketch(function)).isInstanceOf(IllegalStateException.class).hasMessageContaining(
        "no elements yet").hasMessageContaining("SketchTest.java");
    }
    assertThatThrownBy(() -> sketch(x -> x.apply("NonZero", Attributes.NONE, 1, List.of(x))
      .get(0))).isInstanceOf(ValueDependentShape.class);
  }

  @Test
  void writingAndClosingAreRefused() {
    NDArray outside = counting(2, 3);
    List<UnaryOperator<NDArray>> writes = List.of(x -> x.add(1).addi(1), x -> x.fill(1), x -> x.set(0, Index.at(0)),
      x -> outside.addi(x), x -> {
        x.write(segment -> {});
        return x;
      });
    for (UnaryOperator<NDArray> function : writes) {
      assertThatThrownBy(() -> sketch(function)).isInstanceOf(IllegalStateException.class).hasMessageContaining(
        "SketchTest.java");
    }
    assertThatThrownBy(() -> sketch(x -> {
      x.close();
      return x;
    })).isInstanceOf(IllegalStateException.class);
    assertThat(outside.toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void arraysOfAnotherSketchAreRefused() {
    List<NDArray> kept = new ArrayList<>();
    sketch(x -> {
      kept.add(x);
      return x.neg();
    });
    assertThatThrownBy(() -> sketch(x -> x.add(kept.get(0)))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("another sketch");
    assertThatThrownBy(() -> kept.get(0).neg()).isInstanceOf(IllegalStateException.class);
    assertThat(kept.get(0)).hasToString("float32[2x3] cpu sketched");
  }

  @Test
  void selectionsAndViewsBecomeNodes() {
    Sketch sketch = sketch(x -> x.rows(0, 1).add(x.get("1, ::2").sum()).detach().reshape(3));
    assertThat(sketch.graph().toString()).contains("Slice", "Reshape", "StopGradient");
    Sketch many = Sketch.of(arrays, List.of(MATRIX), it -> it.get(0).split(1, 1, 2));
    assertThat(many.graph().outputs()).hasSize(2);
  }

  @Test
  void anOperandMayBeAResult() {
    NDArray outside = counting(2);
    Sketch sketch = Sketch.of(arrays, List.of(MATRIX), it -> List.of(it.get(0), outside, it.get(0)));
    assertThat(sketch.graph()).hasToString("""
      x0 = input float32[2x3]
      w0 = input float32[2]
      return y0=x0, y1=w0, y2=x0
      """);
  }
}
