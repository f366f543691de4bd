package dev.cairn.runtime.cached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.symbol.SymbolTypes;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/** S-7; upstream's cases 92 to 94, and defect 19. */
class BoundSymbolTest extends ArrayContract {
  private static final Map<String, GradientRequest> BOTH = Map.of("a", GradientRequest.WRITE, "b",
    GradientRequest.WRITE);

  /** A binary operator, and its gradients by numbers. */
  private record Case(String operator, BinaryOperator<Symbol> symbol, float y, float byA, float byB) {}

  @Test
  void binaryOperatorsHaveValuesAndGradients() {
    List<Case> cases = List.of(new Case("add", Symbol::add, 8, 1, 1), new Case("sub", Symbol::sub, 4, 1, -1),
      new Case("mul", Symbol::mul, 12, 2, 6), new Case("div", Symbol::div, 3, 0.5f, -1.5f), new Case("max",
        Symbol::maximum, 6, 1, 0),
      new Case("min", Symbol::minimum, 2, 0, 1));
    for (Case it : cases) {
      Symbol net = it.symbol.apply(Symbol.variable("a"), Symbol.variable("b"));
      try (var bound = BoundSymbol.bind(net, Map.of("a", floats(6, 6), "b", floats(2, 2)), BOTH)) {
        assertThat(bound.forward(true).get(0).toFloatArray()).as(it.operator).containsOnly(it.y);
        bound.backward(floats(1, 10));
        assertThat(bound.gradient("a").toFloatArray()).as(it.operator).containsExactly(it.byA, 10 * it.byA);
        assertThat(bound.gradient("b").toFloatArray()).as(it.operator).containsExactly(it.byB, 10 * it.byB);
      }
    }
  }

  @Test
  void productsHaveValuesAndGradients() {
    Symbol net = Symbol.variable("a").matmul(Symbol.variable("b"));
    try (var bound = BoundSymbol.bind(net, Map.of("a", counting(2, 3), "b", counting(3, 2)), BOTH)) {
      assertThat(bound.forward(true).get(0).toFloatArray()).containsExactly(10, 13, 28, 40);
      bound.backward();
      assertThat(bound.gradient("a").toFloatArray()).containsExactly(1, 5, 9, 1, 5, 9);
      assertThat(bound.gradient("b").toFloatArray()).containsExactly(3, 3, 5, 5, 7, 7);
    }
  }

  @Test
  void outputsAreThereAfterAForward() {
    Symbol net = Symbol.variable("a").exp();
    SymbolTypes types = net.infer(Map.of("a", PartialType.of(DType.FLOAT32, 2)));
    try (var bound = BoundSymbol.of(net, arrays, types, GradientRequest.WRITE)) {
      assertThatThrownBy(bound::outputs).isInstanceOf(IllegalStateException.class).hasMessageContaining("forward");
      assertThatThrownBy(bound::backward).isInstanceOf(IllegalStateException.class);
      NDArray first = bound.forward(false).get(0);
      assertThat(bound.outputs()).containsExactly(first);
      assertThatThrownBy(bound::backward).isInstanceOf(IllegalStateException.class).hasMessageContaining(
        "forward(true)");
      bound.argument("a").fill(1);
      NDArray second = bound.forward(true).get(0);
      assertThat(first.isClosed()).isTrue();
      assertThat(second.toFloatArray()).containsOnly((float) Math.E);
      bound.backward();
      assertThat(bound.gradients()).containsOnlyKeys("a");
      assertThat(bound.gradient("a").toFloatArray()).containsOnly((float) Math.E);
      assertThatThrownBy(bound::backward).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void requestsAreByName() {
    Symbol net = Symbol.variable("a").mul(Symbol.variable("b")).exp().log();
    NDArray a = floats(1, 2);
    NDArray b = floats(3, 4);
    try (var bound = BoundSymbol.bind(net, Map.of("a", a, "b", b), Map.of("a", GradientRequest.ADD, "b",
      GradientRequest.NONE))) {
      for (int i = 0; i < 3; i++) {
        bound.forward(true);
        bound.backward(floats(1, 1));
      }
      float[] sum = bound.gradient("a").toFloatArray();
      assertThat(sum[0]).isCloseTo(9, within(1e-3f));
      assertThat(bound.gradients()).containsOnlyKeys("a");
      assertThatThrownBy(() -> bound.gradient("b")).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> bound.argument("c")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
        "[a, b]");
    }
    assertThatThrownBy(() -> BoundSymbol.bind(net, Map.of("a", a), Map.of())).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("differ");
  }

  @Test
  void anotherShapeSharesWhatItCan() {
    Symbol net = Symbol.dense("fc", Symbol.variable("x"), 4);
    SymbolTypes types = net.infer(Map.of("x", PartialType.of(DType.FLOAT32, 5, 4)));
    try (var bound = BoundSymbol.of(net, arrays, types, GradientRequest.WRITE)) {
      bound.argument("x").fill(1);
      bound.argument("fc_weight").fill(1);
      assertThat(bound.forward(false).get(0).toFloatArray()).hasSize(20).containsOnly(4);
      try (var smaller = bound.reshape(Map.of("x", PartialType.of(DType.FLOAT32, 3, 4)))) {
        assertThat(smaller.argument("fc_weight")).isSameAs(bound.argument("fc_weight"));
        assertThat(smaller.argument("x").sharesStorageWith(bound.argument("x"))).isTrue();
        assertThat(smaller.forward(true).get(0).toFloatArray()).hasSize(12).containsOnly(4);
        smaller.backward();
        assertThat(smaller.gradient("x").toFloatArray()).hasSize(12).containsOnly(4);
        assertThat(bound.gradient("fc_weight").toFloatArray()).containsOnly(3);
      }
      try (var larger = bound.reshape(Map.of("x", PartialType.of(DType.FLOAT32, 6, 4)))) {
        assertThat(larger.argument("x").sharesStorageWith(bound.argument("x"))).isFalse();
        assertThat(larger.forward(true).get(0).toFloatArray()).hasSize(24).containsOnly(0);
      }
      assertThat(bound.forward(false).get(0).toFloatArray()).hasSize(20);
    }
  }

  @Test
  void trainingOverwritesRunningStatisticsWhichPredictionReads() {
    Attributes training = Attributes.NONE.with("training_mode", 1).with("momentum", new AttributeValue.Real(0.5f));
    Symbol net = Symbol.variable("x").callAll("BatchNormalization", training, 1, List.of(Symbol.variable("w"), Symbol
      .variable("b"), Symbol.variable("mean"), Symbol.variable("variance"))).getFirst();
    Map<String, NDArray> given = Map.of("x", arrays.of(new float[] {1, 3, 5, 7}, 4, 1), "w", floats(1), "b", floats(
      0), "mean", floats(0), "variance", floats(1));
    try (var bound = BoundSymbol.bind(net, given, Map.of("x", GradientRequest.WRITE))) {
      assertThat(bound.states()).containsOnlyKeys("mean", "variance");
      float[] first = bound.forward(true).get(0).toFloatArray();
      bound.backward();
      assertThat(first[3]).isCloseTo(1.3416f, within(1e-3f));
      assertThat(bound.argument("mean").toFloatArray()).containsExactly(2);
      assertThat(bound.argument("variance").toFloatArray()).containsExactly(3);
      bound.forward(true);
      assertThat(bound.argument("mean").toFloatArray()).containsExactly(3);
      assertThat(bound.argument("variance").toFloatArray()).containsExactly(4);
      assertThat(bound.forward(false).get(0).toFloatArray()).containsExactly(new float[] {-1, 0, 1, 2}, within(1e-4f));
      assertThat(bound.argument("mean").toFloatArray()).containsExactly(3);
    }
  }

  @Test
  void predictionReadsRunningStatisticsThatAreResultsToo() {
    Symbol net = Symbol.group(Symbol.variable("x").callAll("BatchNormalization", Attributes.NONE.with("training_mode",
      1), 3, List.of(Symbol.variable("w"), Symbol.variable("b"), Symbol.variable("mean"), Symbol.variable("variance")))
      .toArray(Symbol[]::new));
    Map<String, NDArray> given = Map.of("x", arrays.of(new float[] {1, 3, 5, 7}, 4, 1), "w", floats(1), "b", floats(
      0), "mean", floats(3), "variance", floats(4));
    try (var bound = BoundSymbol.bind(net, given, Map.of())) {
      List<NDArray> results = bound.forward(false);
      assertThat(results.get(0).toFloatArray()).containsExactly(new float[] {-1, 0, 1, 2}, within(1e-4f));
      assertThat(results.get(1).toFloatArray()).containsExactly(3);
      assertThat(results.get(2).toFloatArray()).containsExactly(4);
    }
  }
}
