package dev.cairn.runtime.train.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.train.initializer.Initializers;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Each layer on small arrays, against numbers by hand (case 160). */
class LayersTest {
  private static final ArrayRuntime ARRAYS = ArrayRuntime.open(ArrayOptions.DEFAULT);
  private static final ArrayScope SCOPE = ARRAYS.scope();

  @AfterAll
  static void close() {
    SCOPE.close();
    ARRAYS.close();
  }

  private static NDArray counted(long... shape) {
    return ARRAYS.arange(0, Shape.of(shape).elementCount(), 1, DType.FLOAT32).reshape(shape);
  }

  /** The layer with all weights 1 and all biases 0. */
  private static NDArray applied(Layer layer, NDArray x) {
    layer.initialize(Initializers.one(), 1, PartialType.of(x.type()));
    try (LayerArrays arrays = LayerArrays.of(layer, ARRAYS)) {
      return arrays.apply(x);
    }
  }

  private static void set(Parameter parameter, double... values) {
    TensorView view = HeapTensor.allocate(TensorType.of(DType.FLOAT32, values.length));
    for (int i = 0; i < values.length; i++) {
      view.segment().setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (float) values[i]);
    }
    parameter.set(view);
  }

  @Test
  void convolutionsSumTheirWindows() {
    assertThat(applied(Conv.conv1d(1, 2), counted(1, 1, 4)).toFloatArray()).containsExactly(1, 3, 5);
    assertThat(applied(Conv.conv2d(1, 2).stride(2), counted(1, 1, 4, 4)).toFloatArray()).containsExactly(10, 18, 42,
      50);
    assertThat(applied(Conv.conv2d(2, 3).padding(1).withoutBias(), counted(1, 1, 2, 2)).toFloatArray()).containsExactly(
      6, 6, 6, 6, 6, 6, 6, 6);
    assertThat(applied(Conv.conv1d(1, 2).dilation(2), counted(1, 1, 4)).toFloatArray()).containsExactly(2, 4);
    assertThat(applied(Conv.conv3d(1, 2), counted(1, 1, 2, 2, 2)).toFloatArray()).containsExactly(28);
    Conv grouped = Conv.conv1d(2, 1).groups(2);
    assertThat(applied(grouped, counted(1, 4, 1)).toFloatArray()).containsExactly(1, 5);
    assertThat(grouped.get("weight").type()).hasToString("float32[2x2x1]");
    assertThatIllegalArgumentException().isThrownBy(() -> Conv.conv2d(1, 2).stride(1, 1, 1)).withMessageContaining(
      "strides");
  }

  @Test
  void transposedConvolutionsSpreadTheirInputs() {
    ConvTranspose layer = ConvTranspose.convTranspose2d(1, 2).stride(2);
    assertThat(applied(layer, counted(1, 1, 1, 2)).toFloatArray()).containsExactly(0, 0, 1, 1, 0, 0, 1, 1);
    assertThat(applied(ConvTranspose.of(1, 3).padding(1), counted(1, 1, 3)).toFloatArray()).containsExactly(1, 3, 3);
  }

  @Test
  void poolsTakeTheLargestOrTheMean() {
    assertThat(applied(MaxPool.window(2, 2), counted(1, 1, 4, 4)).toFloatArray()).containsExactly(5, 7, 13, 15);
    assertThat(applied(MaxPool.window(2).stride(1), counted(1, 1, 4)).toFloatArray()).containsExactly(1, 2, 3);
    assertThat(applied(AvgPool.window(2, 2), counted(1, 1, 4, 4)).toFloatArray()).containsExactly(2.5f, 4.5f, 10.5f,
      12.5f);
    assertThat(applied(AvgPool.window(2).padding(1), counted(1, 1, 2)).toFloatArray()).containsExactly(0, 0.5f);
    assertThat(applied(AvgPool.global(), counted(1, 2, 2, 2)).shape()).isEqualTo(Shape.of(1, 2, 1, 1));
    assertThat(applied(Flatten.of(), counted(2, 3, 2)).shape()).isEqualTo(Shape.of(2, 6));
  }

  @Test
  void batchNormUsesItsRunningValuesInInference() {
    BatchNorm norm = BatchNorm.of(0.9f, 0);
    set(norm.get("weight"), 2);
    set(norm.get("bias"), 1);
    set(norm.get("running_mean"), 3);
    set(norm.get("running_var"), 4);
    try (LayerArrays arrays = LayerArrays.of(norm, ARRAYS)) {
      assertThat(arrays.apply(counted(2, 1, 2)).toFloatArray()).containsExactly(-2, -1, 0, 1);
    }
  }

  /** G-18: two channels, means 2 and 6, variances 5 over N. */
  @Test
  void batchNormUsesTheBatchInTrainingAndUpdatesItsStates() {
    BatchNorm norm = BatchNorm.of(0.9f, 0);
    NDArray x = ARRAYS.of(new float[] {-1, 1, 3, 5, 3, 5, 7, 9}, 1, 2, 4);
    norm.initialize(Initializers.zero(), 1, PartialType.of(x.type()));
    try (LayerArrays arrays = LayerArrays.of(norm, ARRAYS)) {
      double r = 1 / Math.sqrt(5);
      float[] result = arrays.apply(true, x).toFloatArray();
      for (int i = 0; i < result.length; i++) {
        assertThat((double) result[i]).isCloseTo((i % 4 * 2 - 3) * r, within(1e-6));
      }
      arrays.store();
      assertThat(norm.get("running_mean").value().doubleAt(0)).isCloseTo(0.2, within(1e-6));
      assertThat(norm.get("running_mean").value().doubleAt(1)).isCloseTo(0.6, within(1e-6));
      assertThat(norm.get("running_var").value().doubleAt(0)).isCloseTo(0.9 + 0.5, within(1e-6));
      arrays.apply(x);
      arrays.store();
      assertThat(norm.get("running_mean").value().doubleAt(0)).isCloseTo(0.2, within(1e-6));
    }
    LayerGraph graph = LayerGraph.of(norm, true, PartialType.of(x.type()));
    assertThat(graph.updates()).containsOnlyKeys("running_mean", "running_var");
    assertThat(LayerGraph.of(norm, false, PartialType.of(x.type())).updates()).isEmpty();
  }

  @Test
  void normalisationsHaveMeanZeroAndVarianceOne() {
    double r = 1 / Math.sqrt(1.25 + 1e-5);
    double[] expected = {-1.5 * r, -0.5 * r, 0.5 * r, 1.5 * r};
    for (NDArray result : List.of(applied(LayerNorm.of(), counted(2, 4)), applied(LayerNorm.over(2, 1e-5f), counted(2,
      2, 2)), applied(GroupNorm.of(2), counted(1, 4, 2)))) {
      float[] values = result.toFloatArray();
      for (int i = 0; i < values.length; i++) {
        assertThat((double) values[i]).isCloseTo(expected[i % 4], within(1e-5));
      }
    }
    assertThatIllegalArgumentException().isThrownBy(() -> LayerNorm.over(0, 1e-5f));
  }

  @Test
  void embeddingsAreRows() {
    Embedding table = Embedding.of(3, 2);
    table.get("weight").set(TensorView.ofFloats(Shape.of(3, 2), 0, 1, 2, 3, 4, 5));
    try (LayerArrays arrays = LayerArrays.of(table, ARRAYS)) {
      assertThat(arrays.apply(ARRAYS.of(new long[] {2, 0, 2}, 3)).toFloatArray()).containsExactly(4, 5, 0, 1, 4, 5);
    }
  }

  /** W-7: mean and share, in training alone. */
  @Test
  void dropoutDropsInTrainingAlone() {
    NDArray ones = ARRAYS.ones(DType.FLOAT32, 100, 100);
    try (LayerArrays quarter = LayerArrays.of(Dropout.of(0.25), ARRAYS);
      LayerArrays none = LayerArrays.of(Dropout.of(0), ARRAYS);
      LayerArrays all = LayerArrays.of(Dropout.of(1), ARRAYS)) {
      assertThat(quarter.apply(ones)).isSameAs(ones);
      ARRAYS.random().seed(1);
      NDArray first = quarter.apply(true, ones);
      assertThat(first.eq(0).astype(DType.FLOAT32).mean().item()).isCloseTo(0.25, within(0.02));
      assertThat(first.max().item()).isCloseTo(4 / 3.0, within(1e-6));
      NDArray second = quarter.apply(true, ones);
      assertThat(second.toFloatArray()).isNotEqualTo(first.toFloatArray());
      ARRAYS.random().seed(1);
      assertThat(quarter.apply(true, ones).toFloatArray()).isEqualTo(first.toFloatArray());
      assertThat(none.apply(true, ones).min().item()).isEqualTo(1);
      assertThat(all.apply(true, ones).max().item()).isEqualTo(0);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Dropout.of(1.5));
  }

  @Test
  void aGraphCountsItsDraws() {
    Sequential net = Sequential.of(Dropout.of(0.5), Dense.of(2), Dropout.of(0.5));
    PartialType rows = PartialType.of(DType.FLOAT32, 2, 2);
    assertThat(LayerGraph.of(net, true, rows).draws()).isEqualTo(2);
    assertThat(LayerGraph.of(net, true, rows).outputs().arguments()).contains(LayerGraph.RANDOM);
    assertThat(LayerGraph.of(net, false, rows).draws()).isZero();
  }

  @Test
  void residualsAdd() {
    assertThat(applied(Residual.of(Activation.relu()), ARRAYS.of(new float[] {-1, 2}, 1, 2)).toFloatArray())
      .containsExactly(-1, 4);
    assertThat(applied(Residual.of(Dense.of(1), Dense.of(1)), counted(1, 3)).toFloatArray()).containsExactly(6);
  }

  /** The summary's numbers are those of the parameters, by hand. */
  @Test
  void aSummaryHasTypesParametersAndBytes() {
    Sequential net = Sequential.of().add("conv", Conv.conv2d(4, 3)).add("norm", BatchNorm.of()).add("flat", Flatten
      .of()).add("fc", Dense.of(10));
    net.freeze(path -> path.equals("fc.bias"));
    String summary = net.summary(PartialType.of(DType.FLOAT32, 2, 1, 8, 8));
    assertThat(summary.lines().map(it -> it.replaceAll(" +", " "))).containsExactly(
      "layer kind result parameters bytes", "(whole) Sequential float32[2x10] - -",
      "conv Conv float32[2x4x6x6] 40 160", "norm BatchNorm float32[2x4x6x6] 16 64", "flat Flatten float32[2x144] - -",
      "fc Dense float32[2x10] 1,450 5,800", "trainable 1,488 5,952", "frozen 10 40", "states 8 32");
  }
}
