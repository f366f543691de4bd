package dev.cairn.runtime.train.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parameters by path, what is shared, and what data tells of types (cases 158, 159 and 163). */
class LayerTest {
  private static final PartialType ROWS = PartialType.of(DType.FLOAT32, 2, 3);

  private static Sequential mlp() {
    return Sequential.of().add("fc1", Dense.of(4)).add("act", Activation.relu()).add("fc2", Dense.of(2));
  }

  @Test
  void parametersHaveThePathsOfTheirLayers() {
    Sequential net = Sequential.of(Dense.of(3), Sequential.of(Dense.withoutBias(2), BatchNorm.of()));
    assertThat(net.parameters()).containsOnlyKeys("0.weight", "0.bias", "1.0.weight", "1.1.weight", "1.1.bias");
    assertThat(net.states()).containsOnlyKeys("1.1.running_mean", "1.1.running_var");
    assertThat(net.layers()).containsKeys("", "0", "1.0");
  }

  @Test
  void extentsThatOnlyDataTellsAreFound() {
    Sequential net = mlp();
    assertThat(net.get("fc1.weight").type()).hasToString("float32[4x?]");
    net.initialize(Initializers.xavier(), 1, ROWS);
    assertThat(net.parameters().values()).extracting(it -> it.value().type().toString()).containsExactly("float32[4x3]",
      "float32[4]", "float32[2x4]", "float32[2]");
  }

  @Test
  void typesThatStayOpenAreListed() {
    assertThatIllegalStateException().isThrownBy(() -> mlp().initialize(Initializers.zero(), 1, PartialType.of(
      DType.FLOAT32, 2, PartialType.OPEN))).withMessageContaining("fc1.weight=float32[4x?]").withMessageNotContaining(
        "fc2");
    assertThatIllegalStateException().isThrownBy(() -> mlp().initialize(Initializers.zero(), 1)).withMessageContaining(
      "fc1.weight").withMessageContaining("types of the data");
  }

  @Test
  void aParameterWithoutValuesSaysWhatToDo() {
    Parameter weight = mlp().get("fc1.weight");
    assertThatIllegalStateException().isThrownBy(weight::value).withMessageContaining("call initialize");
    assertThat(weight.isInitialized()).isFalse();
  }

  @Test
  void anUnknownPathListsTheOthers() {
    assertThatIllegalArgumentException().isThrownBy(() -> mlp().get("fc3.weight")).withMessageContaining(
      "paths=[fc1.weight, fc1.bias, fc2.weight, fc2.bias]");
  }

  @Test
  void valuesOfAnotherTypeAreRefused() {
    Parameter weight = mlp().get("fc1.weight");
    TensorView other = TensorView.ofFloats(Shape.of(5, 3), new float[15]);
    assertThatIllegalArgumentException().isThrownBy(() -> weight.set(other)).withMessageContaining("float32[4x?]")
      .withMessageContaining("float32[5x3]");
  }

  @Test
  void namesAreNewAndHaveNoDots() {
    Sequential net = mlp();
    assertThatIllegalArgumentException().isThrownBy(() -> net.add("fc1", Dense.of(1))).withMessageContaining("fc1");
    assertThatIllegalArgumentException().isThrownBy(() -> net.add("a.b", Dense.of(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> net.add("self", net)).withMessageContaining("within itself");
  }

  @Test
  void aParameterOfAnotherNetworkIsRefused() {
    Dense foreign = Dense.of(2);
    var net = new Layer() {
      @Override
      protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
        return foreign.apply(pass, x);
      }
    };
    assertThatIllegalArgumentException().isThrownBy(() -> LayerGraph.of(net, false, ROWS)).withMessageContaining(
      "register its layer with child");
  }

  @Test
  void aLayerThatIsUsedTwiceHasOneParameter() {
    Dense both = Dense.of(3);
    Sequential net = Sequential.of(both, Activation.tanh(), both);
    assertThat(net.parameters()).containsOnlyKeys("0.weight", "0.bias");
    assertThat(net.allPaths()).containsOnlyKeys("0.weight", "0.bias", "2.weight", "2.bias");
    LayerGraph graph = LayerGraph.of(net, false, ROWS);
    assertThat(graph.outputs().arguments()).containsExactly("data", "0.weight", "0.bias");
  }

  @Test
  void aTiedWeightIsOneParameter() {
    Embedding table = Embedding.of(5, 3);
    Sequential net = Sequential.of().add("encoder", table).add("decoder", Dense.tied(table.weight()));
    assertThat(net.parameters()).containsOnlyKeys("encoder.weight");
    net.initialize(Initializers.normal(1), 3, PartialType.of(DType.INT64, 2));
    assertThat(net.graph(PartialType.of(DType.INT64, 2)).outputs()).hasSize(1);
  }

  @Test
  void frozenParametersAreNotTrainable() {
    Sequential net = mlp();
    net.freeze(path -> path.startsWith("fc1."));
    assertThat(net.parameters()).allSatisfy((path, parameter) -> assertThat(parameter.isTrainable()).isEqualTo(path
      .startsWith("fc2")));
    net.get("fc1.bias").freeze(false);
    assertThat(net.get("fc1.bias").isTrainable()).isTrue();
  }

  @Test
  void nodesAreNamedAfterTheirLayers() {
    Sequential net = Sequential.of().add("body", mlp());
    assertThat(LayerGraph.of(net, false, ROWS).outputs().internals().outputs()).contains("body.fc1.gemm0_output",
      "body.act.relu0_output", "body.fc2.gemm0_output");
  }

  /** Case 160: the same layer eagerly, and as a graph of a session, gives equal bits. */
  @Test
  void arraysAndGraphsComputeTheSame() {
    Sequential net = mlp();
    net.initialize(Initializers.xavier(), 7, ROWS);
    float[] x = {1, 2, 3, -1, 0, 0.5f};
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      LayerArrays eager = LayerArrays.of(net, arrays);
      NDArray data = arrays.of(x, 2, 3);
      NDArray result = eager.apply(data);
      Session session = Session.of(net.graph(ROWS), SessionOptions.DEFAULT);
      var run = session.run(Map.of("data", Tensor.of(x, 2, 3)))) {
      assertThat(result.toFloatArray()).containsExactly(run.get(run.names().iterator().next()).toFloatArray());
    }
  }

  @Test
  void theFirstCallOnArraysInitializes() {
    Sequential net = mlp();
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      LayerArrays eager = LayerArrays.of(net, arrays);
      NDArray data = arrays.ones(DType.FLOAT32, 2, 3);
      NDArray result = eager.apply(data)) {
      assertThat(result.shape()).isEqualTo(Shape.of(2, 2));
      eager.array(net.get("fc2.bias")).fill(5);
      eager.store();
      assertThat(net.get("fc2.bias").value().doubleAt(1)).isEqualTo(5);
    }
  }

  @Test
  void aDenseLayerTakesTheLastAxisOfAnyRank() {
    Dense dense = Dense.of(2);
    dense.initialize(Initializers.one(), 1, PartialType.of(DType.FLOAT32, 2, 2, 3));
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      LayerArrays eager = LayerArrays.of(dense, arrays);
      NDArray data = arrays.arange(0, 12, 1, DType.FLOAT32).reshape(2, 2, 3);
      NDArray result = eager.apply(data)) {
      assertThat(result.shape()).isEqualTo(Shape.of(2, 2, 2));
      assertThat(result.toFloatArray()).containsExactly(3, 3, 12, 12, 21, 21, 30, 30);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Dense.of(2).graph(PartialType.of(DType.FLOAT32,
      PartialType.OPEN, PartialType.OPEN, 3))).withMessageContaining("all but one");
  }

  @Test
  void aLayerOfOneInputRefusesTwo() {
    assertThatIllegalArgumentException().isThrownBy(() -> LayerGraph.of(mlp(), false, ROWS, ROWS))
      .withMessageContaining("Sequential").withMessageContaining("inputs=2");
    assertThat(LayerGraph.of(mlp(), false, ROWS).inputs()).isEqualTo(List.of("data"));
  }
}
