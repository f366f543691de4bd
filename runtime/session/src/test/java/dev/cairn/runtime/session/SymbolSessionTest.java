package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.symbol.SymbolLayers;
import dev.cairn.runtime.symbol.SymbolTypes;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed symbols run in sessions. */
class SymbolSessionTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(2);

  /** Numbers that repeat, for each variable but the data. */
  private static Map<String, TensorView> weights(SymbolTypes types) {
    Map<String, TensorView> weights = new LinkedHashMap<>();
    types.known().forEach((name, type) -> {
      if (!name.equals("data")) {
        TensorView value = HeapTensor.allocate(type);
        for (long i = 0; i < value.elementCount(); i++) {
          value.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (i * 7 + name.length()) % 5 * 0.25f - 0.25f);
        }
        weights.put(name, value);
      }
    });
    return weights;
  }

  @Test
  void aSymbolRunsWithItsWeightsAsConstantsOrAsInputs() {
    Symbol net = Symbol.dense("fc2", Symbol.dense("fc1", Symbol.variable("data"), 4).relu().mul(2).add(0.5), 3);
    SymbolTypes types = net.infer(Map.of("data", PartialType.of(DType.FLOAT32, 2, 5)));
    Map<String, TensorView> weights = weights(types);
    Tensor data = Tensor.of(new float[] {1, 2, 3, 4, 5, -1, 0, 2, 1, 3}, 2, 5);
    Map<String, Tensor> all = new LinkedHashMap<>(Map.of("data", data));
    weights.forEach((name, value) -> all.put(name, Tensor.copyOf(value)));
    try (var constant = Session.of(net.withValues(weights).graph(), OPTIONS);
      var open = Session.of(net.graph(), OPTIONS);
      var typed = Session.of(net.graph(types), OPTIONS);
      var first = constant.run(Map.of("data", data));
      var second = open.run(all);
      var third = typed.run(all)) {
      float[] y = first.get("fc2_output").toFloatArray();
      assertThat(y).isEqualTo(expected(weights, data.toFloatArray()));
      assertThat(second.get("fc2_output").toFloatArray()).isEqualTo(y);
      assertThat(third.get("fc2_output").toFloatArray()).isEqualTo(y);
      assertThatThrownBy(() -> typed.run(Map.of("data", Tensor.of(new float[5], 1, 5)))).isInstanceOf(
        IllegalArgumentException.class);
    }
  }

  @Test
  void stringsBindAnOpenTypeAndSoDoNumbersAfterwards() {
    Symbol x = Symbol.variable("x");
    Symbol twice = x.apply("Concat", Attributes.NONE.with("axis", 0), 1, List.of(x, x)).get(0).named("twice");
    try (var session = Session.of(twice.graph(), OPTIONS);
      var words = session.run(Map.of("x", Tensor.of("a", "b")));
      var numbers = session.run(Map.of("x", Tensor.of(new float[] {3}, 1)))) {
      assertThat(words.get("twice_output").toStringArray()).containsExactly("a", "b", "a", "b");
      assertThat(numbers.get("twice_output").toFloatArray()).containsExactly(3, 3);
    }
  }

  /** Case 71: zeros like a transposed tensor need its shape and not its elements. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void zerosLikeATransposedTensorHaveItsShape(int rank) {
    int[] order = IntStream.range(0, rank).map(it -> (it + 1) % rank).toArray();
    long[] shape = LongStream.rangeClosed(1, rank).toArray();
    Symbol turned = Symbol.variable("x").transpose(order);
    Symbol extents = turned.apply("Shape", Attributes.NONE, 1, List.of(turned)).get(0);
    Symbol zeros = extents.apply("ConstantOfShape", Attributes.NONE, 1, List.of(extents)).get(0).named("zeros");
    float[] values = new float[(int) LongStream.of(shape).reduce(1, (a, b) -> a * b)];
    Arrays.fill(values, 7);
    try (var session = Session.of(zeros.graph(), OPTIONS);
      var results = session.run(Map.of("x", Tensor.of(values,
        shape)))) {
      Tensor y = results.get("zeros_output");
      assertThat(y.shape()).isEqualTo(Shape.of(IntStream.of(order).mapToLong(it -> shape[it]).toArray()));
      assertThat(y.toFloatArray()).containsOnly(0).hasSameSizeAs(values);
    }
  }

  private static float[] expected(Map<String, TensorView> weights, float[] data) {
    float[] hidden = dense(data, 5, weights, "fc1");
    for (int i = 0; i < hidden.length; i++) {
      hidden[i] = Math.max(0, hidden[i]) * 2 + 0.5f;
    }
    return dense(hidden, 4, weights, "fc2");
  }

  private static float[] dense(float[] x, int width, Map<String, TensorView> weights, String name) {
    TensorView w = Objects.requireNonNull(weights.get(name + "_weight"));
    TensorView b = Objects.requireNonNull(weights.get(name + "_bias"));
    int units = (int) b.elementCount();
    float[] y = new float[x.length / width * units];
    for (int i = 0; i < y.length; i++) {
      float sum = (float) b.doubleAt(i % units);
      for (int k = 0; k < width; k++) {
        sum += x[i / units * width + k] * (float) w.doubleAt((long) (i % units) * width + k);
      }
      y[i] = sum;
    }
    return y;
  }

  @Test
  void aSmallConvolutionalNetworkRuns() {
    Symbol data = Symbol.variable("data");
    Symbol h = SymbolLayers.convolution("conv", data, 3, new long[] {3, 3},
      Attributes.NONE.with("pads", AttributeValue.Ints.of(
        1, 1, 1, 1)));
    h = SymbolLayers.batchNorm("bn", h, 1e-3f).relu().maxPool(new long[] {2, 2}, new long[] {2, 2});
    Symbol net = Symbol.dense("fc", h.apply("Flatten", Attributes.NONE, 1, List.of(h)).getFirst(), 2).softmax(
      -1).named("prob");
    SymbolTypes types = net.infer(Map.of("data", PartialType.of(DType.FLOAT32, 2, 1, 8, 8)));
    assertThat(types.type("fc_weight")).hasToString("float32[2x48]");
    assertThat(types.type("conv_weight")).hasToString("float32[3x1x3x3]");
    assertThat(types.type("bn_running_var")).hasToString("float32[3]");
    try (var session = Session.of(net.withValues(weights(types)).graph(), OPTIONS);
      var result = session.run(Map.of("data", Tensor.of(new float[128], 2, 1, 8, 8)))) {
      assertThat(result.get("prob_output").shape()).hasToString("2x2");
    }
  }

  @Test
  void stringsMayBeWhatAnOpenTypeTurnsOutToBe() {
    Symbol text = Symbol.variable("text");
    Symbol parts = text.apply("StringSplit", Attributes.NONE, 2, List.of(text)).getFirst().named("parts");
    try (var session = Session.of(Symbol.group(parts).graph(), OPTIONS);
      var result = session.run(Map.of("text", Tensor.of("a b", "c")));
      var longer = session.run(Map.of("text", Tensor.of("a b c")))) {
      assertThat(result.get(parts.outputs().getFirst()).toStringArray()).containsExactly("a", "b", "c", "");
      assertThat(longer.get(parts.outputs().getFirst()).toStringArray()).containsExactly("a", "b", "c");
      assertThat(session.unplannedReason()).hasValueSatisfying(it -> assertThat(it).contains("strings"));
    }
  }

  @Test
  void aSymbolOfOpenTypesTakesNumbersAndStringsInTurn() {
    Symbol x = Symbol.variable("x");
    Symbol last = x.apply("Identity", Attributes.NONE, 1, List.of(x)).getFirst().named("same");
    try (var session = Session.of(last.graph(), OPTIONS);
      var numbers = session.run(Map.of("x", Tensor.of(new float[] {1, 2}, 2)));
      var strings = session.run(Map.of("x", Tensor.of("a", "bc")));
      var again = session.run(Map.of("x", Tensor.of(new float[] {3}, 1)))) {
      assertThat(numbers.get("same_output").toFloatArray()).containsExactly(1, 2);
      assertThat(strings.get("same_output").toStringArray()).containsExactly("a", "bc");
      assertThat(again.get("same_output").toFloatArray()).containsExactly(3);
    }
  }
}
