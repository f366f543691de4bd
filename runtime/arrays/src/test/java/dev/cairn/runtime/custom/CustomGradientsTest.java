package dev.cairn.runtime.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.autograd.DifferentiableFunction;
import dev.cairn.runtime.cached.CachedOp;
import dev.cairn.runtime.cached.CachedOpOptions;
import dev.cairn.runtime.compile.Gradients;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Gradients of operators of users, as docs/howto/custom-operator.md describes them. */
class CustomGradientsTest {
  private static final OperatorRegistry OWN = OperatorRegistry.of(OwnOperators.SQUARE, OwnOperators.MISH,
    OwnOperators.SMOOTH);
  private static final Gradients GRADIENTS = Gradients.DEFAULT.withOperators(OWN);

  private static float[] gradient(Gradients gradients, String operator) {
    Graph graph = gradients.of(OwnOperators.over(operator), Map.of("x", OwnOperators.ROW), List.of("y"), List.of("x"))
      .withOutputs();
    try (Session session = Session.of(graph, SessionOptions.DEFAULT.withThreads(1).withOperators(OWN));
      Result result = session.run(Map.of("x", Tensor.of(new float[] {-1, 1, 2, 3}, 4)))) {
      return result.get("x/gradient").toFloatArray();
    }
  }

  @Test
  void aCompositeHasTheGradientsOfItsBody() {
    assertThat(gradient(GRADIENTS, "my::Mish")).containsExactly(new float[] {0, 1.0490f, 1.0693f, 1.0211f},
      within(1e-4f));
  }

  @Test
  void aKernelHasTheGradientOfTheOptions() {
    var options = GradientOptions.DEFAULT.withRule("my::Square", g -> g.give(0, g.head().mul(g.operand(0).add(g.operand(
      0)))));
    assertThat(gradient(GRADIENTS.withOptions(options), "my::Square")).containsExactly(0, 2, 4, 6);
  }

  @Test
  void aKernelMayBringItsGradient() {
    assertThat(gradient(GRADIENTS, "my::Smooth")).containsExactly(0, 2, 4, 6);
  }

  @Test
  void aRuleOfTheOptionsGoesFirst() {
    var options = GradientOptions.DEFAULT.withRule("my::Smooth", g -> g.give(0, g.head()));
    assertThat(gradient(GRADIENTS.withOptions(options), "my::Smooth")).containsExactly(0, 1, 1, 1);
  }

  @Test
  void theTapeAndCachedFunctionsUseTheGradientThatAKernelBrings() {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withOperators(OWN));
      var _ = arrays.scope();
      var cached = CachedOp.of(CustomGradientsTest::smooth, CachedOpOptions.DEFAULT.withInlineLimit(0))) {
      NDArray x = arrays.of(new float[] {1, 2, 3}, 3).attachGradient();
      for (UnaryOperator<List<NDArray>> function : List.<UnaryOperator<List<NDArray>>>of(CustomGradientsTest::smooth,
        cached::call)) {
        NDArray y;
        try (var _ = Autograd.record()) {
          y = function.apply(List.of(x)).get(0);
        }
        y.backward();
        assertThat(x.gradient().toFloatArray()).containsExactly(6, 12, 18);
      }
    }
  }

  private static List<NDArray> smooth(List<NDArray> operands) {
    return List.of(operands.get(0).call("my::Smooth", Attributes.NONE).mul(3));
  }

  @Test
  void aKernelWithoutAGradientIsNamed() {
    assertThatThrownBy(() -> gradient(GRADIENTS, "my::Square")).isInstanceOf(UnsupportedOperators.class)
      .hasMessageContaining("my::Square").hasMessageContaining("head");
  }

  @Test
  void aFunctionOnArraysJoinsAKernelWithItsGradient() {
    DifferentiableFunction square = Autograd.function((operands, save) -> {
      save.accept(operands.get(0));
      return List.of(operands.get(0).call("my::Square", Attributes.NONE));
    }, (saved, heads) -> List.of(heads.get(0).mul(saved.get(0)).mul(2)));
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withOperators(OWN)); var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {1, 2, 3}, 3).attachGradient();
      NDArray y;
      try (var _ = Autograd.record()) {
        y = square.apply(x).get(0);
      }
      y.backward();
      assertThat(x.gradient().toFloatArray()).containsExactly(2, 4, 6);
    }
  }
}
