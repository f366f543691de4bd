package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D-10: gradients of a graph with open shapes, which the compiler builds for the shapes of a run. */
class GradientOperatorTest {
  private static SessionOptions options(boolean simplify) {
    return SessionOptions.DEFAULT.withCompile(CompileOptions.DEFAULT.withSimplify(simplify));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void servesEveryShapeOfAnOpenInput(boolean simplify) {
    var builder = new GraphBuilder("square");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("n"))));
    builder.output("g", builder.apply("Gradient", builder.apply("Mul", x, x), x));
    try (Session session = Session.of(builder.build(), options(simplify))) {
      for (float[] values : List.of(new float[] {1, 2, 3}, new float[] {5})) {
        try (Tensor given = Tensor.of(values, values.length); var result = session.run(Map.of("x", given))) {
          float[] wanted = values.clone();
          for (int i = 0; i < wanted.length; i++) {
            wanted[i] *= 2;
          }
          assertThat(result.get("g").toFloatArray()).containsExactly(wanted);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aGradientMayBeOfAGradient(boolean simplify) {
    var builder = new GraphBuilder("cube");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry cube = builder.apply("Mul", x, builder.apply("Mul", x, x));
    builder.output("second", builder.apply("Gradient", builder.apply("Gradient", cube, x), x));
    try (Session session = Session.of(builder.build(), options(simplify));
      Tensor given = Tensor.of(new float[] {1, 3},
        2);
      var result = session.run(Map.of("x", given))) {
      assertThat(result.get("second").toFloatArray()).containsExactly(6, 18);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void operatorsWithoutGradientsAndWholeNumbersAreNamed(boolean simplify) {
    var builder = new GraphBuilder("bits");
    NodeEntry x = builder.input("x", TensorType.of(DType.INT32, 2));
    builder.output("g", builder.apply("Gradient", builder.apply("Add", x, x), x));
    assertThatThrownBy(() -> Session.of(builder.build(), options(simplify))).isInstanceOf(InvalidGraph.class)
      .hasMessageContaining("only floats have gradients");
    var other = new GraphBuilder("transform");
    NodeEntry signal = other.input("x", TensorType.of(DType.FLOAT32, 1, 2, 2));
    other.output("g", other.apply("Gradient", other.apply("DFT", signal), signal));
    assertThatThrownBy(() -> Session.of(other.build(), options(simplify))).isInstanceOfSatisfying(
      UnsupportedOperators.class, it -> assertThat(it.gaps()).extracting(Gap::operator).containsExactly("DFT"));
  }
}
