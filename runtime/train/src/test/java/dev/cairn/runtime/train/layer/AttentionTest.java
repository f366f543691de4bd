package dev.cairn.runtime.train.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.train.initializer.Initializers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attention against loops over doubles (case 129), and layers of encoders. */
class AttentionTest {
  private static final int TOKENS = 3;
  private static final int WIDTH = 4;
  private static final int HEADS = 2;
  private static final PartialType TEXTS = PartialType.of(DType.FLOAT64, 1, TOKENS, WIDTH);

  private static double[] data() {
    double[] x = new double[TOKENS * WIDTH];
    for (int i = 0; i < x.length; i++) {
      x[i] = Math.cos(3 * i);
    }
    return x;
  }

  private static void fill(Layer layer) {
    layer.astype(DType.FLOAT64);
    layer.initialize(Initializers.mixed(Map.of("*", Initializers.normal(0.5))), 3, TEXTS);
  }

  private static double[] linear(double[] x, int inputs, TensorView weight, TensorView bias, int firstRow, int units) {
    int rows = x.length / inputs;
    double[] y = new double[rows * units];
    for (int row = 0; row < rows; row++) {
      for (int unit = 0; unit < units; unit++) {
        double sum = bias.doubleAt(firstRow + unit);
        for (int i = 0; i < inputs; i++) {
          sum += weight.doubleAt((long) (firstRow + unit) * inputs + i) * x[row * inputs + i];
        }
        y[row * units + unit] = sum;
      }
    }
    return y;
  }

  private static double[] attention(Layer layer, String path, double[] x, boolean isCausal) {
    TensorView weight = layer.get(path + "in_proj_weight").value();
    TensorView bias = layer.get(path + "in_proj_bias").value();
    double[] q = linear(x, WIDTH, weight, bias, 0, WIDTH);
    double[] k = linear(x, WIDTH, weight, bias, WIDTH, WIDTH);
    double[] v = linear(x, WIDTH, weight, bias, 2 * WIDTH, WIDTH);
    double[] mixed = new double[TOKENS * WIDTH];
    int each = WIDTH / HEADS;
    for (int head = 0; head < HEADS; head++) {
      for (int t = 0; t < TOKENS; t++) {
        double total = 0;
        double[] share = new double[TOKENS];
        for (int s = 0; s < (isCausal ? t + 1 : TOKENS); s++) {
          double score = 0;
          for (int i = 0; i < each; i++) {
            score += q[t * WIDTH + head * each + i] * k[s * WIDTH + head * each + i];
          }
          share[s] = Math.exp(score / Math.sqrt(each));
          total += share[s];
        }
        for (int s = 0; s < TOKENS; s++) {
          for (int i = 0; i < each; i++) {
            mixed[t * WIDTH + head * each + i] += share[s] / total * v[s * WIDTH + head * each + i];
          }
        }
      }
    }
    return linear(mixed, WIDTH, layer.get(path + "out_proj.weight").value(), layer.get(path + "out_proj.bias").value(),
      0, WIDTH);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void attentionEqualsTheLoop(boolean isCausal) {
    MultiHeadAttention layer = isCausal
      ? MultiHeadAttention.of(WIDTH, HEADS).causal()
      : MultiHeadAttention.of(WIDTH, HEADS);
    fill(layer);
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      ArrayScope _ = arrays.scope();
      LayerArrays eager = LayerArrays.of(layer, arrays)) {
      NDArray x = arrays.of(data(), 1, TOKENS, WIDTH);
      double[] expected = attention(layer, "", data(), isCausal);
      assertThat(eager.apply(x).toDoubleArray()).containsExactly(expected, within(1e-7));
      assertThat(eager.applyAll(false, List.of(x, x, x)).getFirst().toDoubleArray()).containsExactly(expected, within(
        1e-7));
      assertThatIllegalArgumentException().isThrownBy(() -> eager.applyAll(false, List.of(x, x)));
    }
  }

  @Test
  void aMaskHidesKeys() {
    MultiHeadAttention layer = MultiHeadAttention.of(WIDTH, HEADS);
    fill(layer);
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      ArrayScope _ = arrays.scope();
      LayerArrays eager = LayerArrays.of(layer, arrays)) {
      NDArray x = arrays.of(data(), 1, TOKENS, WIDTH);
      NDArray below = arrays.ones(DType.INT32, TOKENS, TOKENS).tril().astype(DType.BOOL);
      assertThat(eager.applyAll(false, List.of(x, x, x, below)).getFirst().toDoubleArray()).containsExactly(attention(
        layer, "", data(), true), within(1e-7));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEncoderLayerIsItsParts(boolean normFirst) {
    var layer = new TransformerEncoderLayer(MultiHeadAttention.of(WIDTH, HEADS), 6, Activation.relu(), 0.1, normFirst);
    fill(layer);
    assertThat(layer.parameters()).containsOnlyKeys("norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias",
      "self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias",
      "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias");
    double[] x = data();
    double[] first = added(x, attention(layer, "self_attn.", normFirst ? normalised(layer, "norm1", x) : x, false));
    double[] sum = normFirst ? first : normalised(layer, "norm1", first);
    double[] inner = linear(normFirst ? normalised(layer, "norm2", sum) : sum, WIDTH, layer.get("linear1.weight")
      .value(), layer.get("linear1.bias").value(), 0, 6);
    for (int i = 0; i < inner.length; i++) {
      inner[i] = Math.max(0, inner[i]);
    }
    double[] second = added(sum, linear(inner, 6, layer.get("linear2.weight").value(), layer.get("linear2.bias")
      .value(), 0, WIDTH));
    double[] expected = normFirst ? second : normalised(layer, "norm2", second);
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      ArrayScope _ = arrays.scope();
      LayerArrays eager = LayerArrays.of(layer, arrays)) {
      assertThat(eager.apply(arrays.of(x, 1, TOKENS, WIDTH)).toDoubleArray()).containsExactly(expected, within(1e-5));
    }
  }

  private static double[] added(double[] a, double[] b) {
    double[] sum = a.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += b[i];
    }
    return sum;
  }

  private static double[] normalised(Layer layer, String path, double[] x) {
    double[] y = new double[x.length];
    for (int row = 0; row < TOKENS; row++) {
      double mean = 0;
      double square = 0;
      for (int i = 0; i < WIDTH; i++) {
        mean += x[row * WIDTH + i] / WIDTH;
      }
      for (int i = 0; i < WIDTH; i++) {
        square += Math.pow(x[row * WIDTH + i] - mean, 2) / WIDTH;
      }
      for (int i = 0; i < WIDTH; i++) {
        y[row * WIDTH + i] = (x[row * WIDTH + i] - mean) / Math.sqrt(square + 1e-5) * layer.get(path + ".weight")
          .value().doubleAt(i) + layer.get(path + ".bias").value().doubleAt(i);
      }
    }
    return y;
  }

  /** With an open batch, types still follow from layer to layer. */
  @Test
  void anEncoderOfAnOpenBatchComposes() {
    Layer encoder = Sequential.of(TransformerEncoderLayer.of(WIDTH, HEADS, 6), TransformerEncoderLayer.of(WIDTH, HEADS,
      6));
    LayerGraph graph = LayerGraph.of(encoder, true, PartialType.of(DType.FLOAT32, PartialType.OPEN, TOKENS, WIDTH));
    assertThat(graph.parameterTypes()).hasSize(24);
    assertThat(graph.draws()).isEqualTo(6);
    assertThatIllegalArgumentException().isThrownBy(() -> MultiHeadAttention.of(5, 2)).withMessageContaining("width=5");
  }
}
