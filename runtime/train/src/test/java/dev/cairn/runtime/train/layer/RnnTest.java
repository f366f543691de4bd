package dev.cairn.runtime.train.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.initializer.Initializer;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recurrent layers against loops over doubles, with PyTorch's gates (case 165). */
class RnnTest {
  private static final int STEPS = 4;
  private static final int BATCH = 2;
  private static final int WIDTH = 3;
  private static final int HIDDEN = 2;
  private static final ArrayRuntime ARRAYS = ArrayRuntime.open(ArrayOptions.DEFAULT);
  private static final ArrayScope SCOPE = ARRAYS.scope();

  @AfterAll
  static void close() {
    SCOPE.close();
    ARRAYS.close();
  }

  private static Rnn layer(String kind) {
    return switch (kind) {
      case "tanh" -> Rnn.tanh(HIDDEN);
      case "relu" -> Rnn.relu(HIDDEN);
      case "lstm" -> Rnn.lstm(HIDDEN);
      default -> Rnn.gru(HIDDEN);
    };
  }

  private static void fill(Layer layer) {
    layer.astype(DType.FLOAT64);
    layer.initialize(Initializers.mixed(Map.of("*", Initializers.normal(0.7))), 11, PartialType.of(DType.FLOAT64, STEPS,
      BATCH, WIDTH));
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  /** One step of one item; the states are changed. */
  private static void step(String kind, Layer layer, String suffix, double[] x, double[] h, double[] c) {
    double[] input = gates(layer.get("weight_ih" + suffix).value(), layer.get("bias_ih" + suffix).value(), x);
    double[] hidden = gates(layer.get("weight_hh" + suffix).value(), layer.get("bias_hh" + suffix).value(), h);
    for (int i = 0; i < HIDDEN; i++) {
      int g = HIDDEN;
      switch (kind) {
        case "tanh" -> h[i] = Math.tanh(input[i] + hidden[i]);
        case "relu" -> h[i] = Math.max(0, input[i] + hidden[i]);
        case "lstm" -> {
          double forget = sigmoid(input[g + i] + hidden[g + i]);
          c[i] = forget * c[i] + sigmoid(input[i] + hidden[i]) * Math.tanh(input[2 * g + i] + hidden[2 * g + i]);
          h[i] = sigmoid(input[3 * g + i] + hidden[3 * g + i]) * Math.tanh(c[i]);
        }
        default -> {
          double reset = sigmoid(input[i] + hidden[i]);
          double kept = sigmoid(input[g + i] + hidden[g + i]);
          h[i] = (1 - kept) * Math.tanh(input[2 * g + i] + reset * hidden[2 * g + i]) + kept * h[i];
        }
      }
    }
  }

  private static double[] gates(TensorView weight, TensorView bias, double... x) {
    double[] result = new double[(int) bias.elementCount()];
    for (int row = 0; row < result.length; row++) {
      result[row] = bias.doubleAt(row);
      for (int i = 0; i < x.length; i++) {
        result[row] += weight.doubleAt((long) row * x.length + i) * x[i];
      }
    }
    return result;
  }

  /** {@code [step][item][hidden]} of one way, from states of 0. */
  private static double[][][] read(String kind, Layer layer, String suffix, double[][][] x, boolean backwards) {
    double[][] h = new double[BATCH][HIDDEN];
    double[][] c = new double[BATCH][HIDDEN];
    double[][][] y = new double[x.length][x[0].length][];
    for (int i = 0; i < x.length; i++) {
      int t = backwards ? x.length - 1 - i : i;
      for (int item = 0; item < x[0].length; item++) {
        step(kind, layer, suffix, x[t][item], h[item], c[item]);
        y[t][item] = h[item].clone();
      }
    }
    return y;
  }

  private static double[][][] data() {
    double[][][] x = new double[STEPS][BATCH][WIDTH];
    for (int i = 0; i < STEPS * BATCH * WIDTH; i++) {
      x[i / (BATCH * WIDTH)][i / WIDTH % BATCH][i % WIDTH] = Math.sin(i + 1);
    }
    return x;
  }

  private static double[] flat(double[][][] x) {
    return Arrays.stream(x).flatMap(Arrays::stream).flatMapToDouble(
      Arrays::stream).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tanh", "relu", "lstm", "gru"})
  void aSequenceEqualsTheLoop(String kind) {
    Rnn rnn = layer(kind);
    fill(rnn);
    try (LayerArrays eager = LayerArrays.of(rnn, ARRAYS)) {
      NDArray result = eager.apply(ARRAYS.of(flat(data()), STEPS, BATCH, WIDTH));
      double[][][] expected = read(kind, rnn, "_l0", data(), false);
      assertThat(result.toDoubleArray()).containsExactly(flat(expected), within(1e-12));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lstm", "gru"})
  void givenStatesGoOnWhereTheyWere(String kind) {
    Rnn rnn = layer(kind);
    fill(rnn);
    try (LayerArrays eager = LayerArrays.of(rnn, ARRAYS)) {
      NDArray x = ARRAYS.of(flat(data()), STEPS, BATCH, WIDTH);
      List<NDArray> whole = eager.applyAll(false, List.of(x));
      List<NDArray> half = eager.applyAll(false, List.of(x.rows(0, 2)));
      List<NDArray> inputs = new ArrayList<>(List.of(x.rows(2, 4)));
      inputs.addAll(half.subList(1, half.size()));
      List<NDArray> rest = eager.applyAll(false, inputs);
      for (int i = 1; i < whole.size(); i++) {
        assertThat(rest.get(i).toDoubleArray()).containsExactly(whole.get(i).toDoubleArray(), within(1e-12));
      }
      assertThat(rest.get(0).toDoubleArray()).containsExactly(whole.get(0).rows(2, 4).toDoubleArray(), within(1e-12));
      assertThatIllegalArgumentException().isThrownBy(() -> eager.applyAll(false, List.of(x, x, x, x)))
        .withMessageContaining("first states");
    }
  }

  @Test
  void layersAndWaysStackAsInPytorch() {
    Rnn rnn = Rnn.lstm(HIDDEN).layers(2).bidirectional();
    fill(rnn);
    assertThat(rnn.parameters()).containsKeys("weight_ih_l0", "weight_hh_l0_reverse", "bias_ih_l1",
      "bias_hh_l1_reverse").hasSize(16);
    assertThat(rnn.get("weight_ih_l1").type()).hasToString("float64[8x4]");
    double[][][] x = data();
    for (int layer = 0; layer < 2; layer++) {
      double[][][] there = read("lstm", rnn, "_l" + layer, x, false);
      double[][][] back = read("lstm", rnn, "_l" + layer + "_reverse", x, true);
      x = both(there, back);
    }
    try (LayerArrays eager = LayerArrays.of(rnn, ARRAYS)) {
      List<NDArray> results = eager.applyAll(false, List.of(ARRAYS.of(flat(data()), STEPS, BATCH, WIDTH)));
      assertThat(results.get(0).toDoubleArray()).containsExactly(flat(x), within(1e-12));
      assertThat(results).extracting(NDArray::shape).containsExactly(Shape.of(STEPS, BATCH, 2 * HIDDEN), Shape.of(4,
        BATCH, HIDDEN), Shape.of(4, BATCH, HIDDEN));
    }
  }

  private static double[][][] both(double[][][] there, double[][][] back) {
    double[][][] all = new double[STEPS][BATCH][2 * HIDDEN];
    for (int t = 0; t < STEPS; t++) {
      for (int item = 0; item < BATCH; item++) {
        System.arraycopy(there[t][item], 0, all[t][item], 0, HIDDEN);
        System.arraycopy(back[t][item], 0, all[t][item], HIDDEN, HIDDEN);
      }
    }
    return all;
  }

  /** The axes are exchanged in a graph, too, whose batch is open. */
  @Test
  void batchFirstExchangesTheAxes() {
    Rnn timeFirst = Rnn.gru(HIDDEN);
    timeFirst.initialize(Initializers.normal(1), 2, PartialType.of(DType.FLOAT32, STEPS, BATCH, WIDTH));
    Rnn batchFirst = Rnn.gru(HIDDEN).batchFirst();
    Map<String, TensorView> values = new LinkedHashMap<>();
    timeFirst.parameters().forEach((path, it) -> values.put(path, it.value()));
    StateDict.load(batchFirst, values);
    float[] x = new float[STEPS * BATCH * WIDTH];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % 5 - 2;
    }
    try (LayerArrays eager = LayerArrays.of(timeFirst, ARRAYS);
      Session session = Session.of(batchFirst.graph(PartialType.of(DType.FLOAT32, PartialType.OPEN, STEPS, WIDTH)),
        SessionOptions.DEFAULT);
      var run = session.run(Map.of("data", Tensor.of(x, BATCH, STEPS, WIDTH)))) {
      float[] expected = eager.apply(ARRAYS.of(x, BATCH, STEPS, WIDTH).transpose(1, 0, 2)).transpose(1, 0, 2)
        .toFloatArray();
      assertThat(run.get(run.names().iterator().next()).toFloatArray()).containsExactly(expected, within(1e-6f));
    }
  }

  @Test
  void theForgetGateMayBeginOpen() {
    Rnn lstm = Rnn.lstm(HIDDEN);
    Map<String, Initializer> patterns = new LinkedHashMap<>();
    patterns.put("*bias_ih*", Initializers.lstmBias(1));
    patterns.put("*", Initializers.standard());
    lstm.initialize(Initializers.mixed(patterns), 1, PartialType.of(DType.FLOAT32, STEPS, BATCH, WIDTH));
    TensorView bias = lstm.get("bias_ih_l0").value();
    assertThat(List.of(bias.doubleAt(1), bias.doubleAt(2), bias.doubleAt(3), bias.doubleAt(4))).containsExactly(0.0,
      1.0, 1.0, 0.0);
    assertThat(lstm.get("bias_hh_l0").value().doubleAt(2)).isZero();
  }

  @Test
  void anOpenNumberOfStepsIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Rnn.tanh(2).graph(PartialType.of(DType.FLOAT32,
      PartialType.OPEN, BATCH, WIDTH))).withMessageContaining("number of steps");
  }
}
