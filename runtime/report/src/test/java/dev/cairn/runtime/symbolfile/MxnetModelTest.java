package dev.cairn.runtime.symbolfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelSource;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.tensorfile.MxnetParams;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MxnetModelTest {
  @TempDir
  Path folder;

  private final List<String> nodes = new ArrayList<>();

  private MxnetModelTest variable(String name) {
    nodes.add("{\"op\":\"null\",\"name\":\"%s\",\"inputs\":[]}".formatted(name));
    return this;
  }

  /** @param attributes as {@code name=value; name=value} */
  private MxnetModelTest node(String op, String name, String attributes, int... inputs) {
    List<String> texts = new ArrayList<>();
    for (String attribute : attributes.split(";", -1)) {
      if (!attribute.isBlank()) {
        String[] parts = attribute.strip().split("=", 2);
        texts.add("\"%s\":\"%s\"".formatted(parts[0], parts[1]));
      }
    }
    List<String> read = new ArrayList<>();
    for (int input : inputs) {
      read.add("[%d,0,0]".formatted(input));
    }
    nodes.add("{\"op\":\"%s\",\"name\":\"%s\",\"attrs\":{%s},\"inputs\":[%s]}".formatted(op, name, String.join(",",
      texts), String.join(",", read)));
    return this;
  }

  private String json() {
    return "{\"nodes\":[%s],\"arg_nodes\":[0],\"heads\":[[%d,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}"
      .formatted(String.join(",", nodes), nodes.size() - 1);
  }

  private Symbol symbol(String heads) {
    return MxnetModel.symbol(ModelSource.of(json().replaceFirst("\"heads\":\\[.*?\\]\\]", "\"heads\":[" + heads
      + "]").getBytes(StandardCharsets.UTF_8)));
  }

  private Symbol symbol() {
    return MxnetModel.symbol(ModelSource.of(json().getBytes(StandardCharsets.UTF_8)));
  }

  private void perceptron() {
    variable("data").variable("fc1_weight").variable("fc1_bias").node("FullyConnected", "fc1", "num_hidden=2", 0, 1, 2)
      .node("Activation", "act1", "act_type=relu", 3).variable("softmax_label").node("SoftmaxOutput", "softmax", "", 4,
        5);
  }

  @Test
  void aSessionOpensASavedNetwork() throws IOException {
    perceptron();
    Files.writeString(folder.resolve("net-symbol.json"), json());
    new MxnetParams().floats("arg:fc1_weight", new long[] {2, 3}, 9, 9, 9, 9, 9, 9).floats("arg:fc1_bias", new long[] {
      2}, 0, 0).write(folder.resolve("net-0001.params"));
    new MxnetParams().floats("arg:fc1_weight", new long[] {2, 3}, 1, 0, -1, 0, 2, 0).floats("arg:fc1_bias", new long[] {
      2}, 0.5f, -1).write(folder.resolve("net-0012.params"));
    try (Session session = Session.open(folder.resolve("net-symbol.json"));
      var result = session.run(Map.of("data", Tensor.of(new float[] {3, 1, 2}, 1, 3)))) {
      float[] probabilities = result.get("softmax_output").toFloatArray();
      double first = Math.exp(1.5) / (Math.exp(1.5) + Math.exp(1)); // relu(3 - 2 + 0.5), relu(2 - 1)
      assertThat(probabilities[0]).isCloseTo((float) first, within(1e-6f));
    }
    assertThat(MxnetModel.load(folder.resolve("net"), 1).parameters()).containsOnlyKeys("fc1_weight", "fc1_bias");
  }

  @Test
  void theNewestParametersAreThoseOfTheLargestNumber() throws IOException {
    variable("data").variable("w").node("elemwise_mul", "y", "", 0, 1);
    Files.writeString(folder.resolve("net-symbol.json"), json());
    new MxnetParams().floats("arg:w", new long[] {1}, 2).write(folder.resolve("net-99999.params"));
    new MxnetParams().floats("arg:w", new long[] {1}, 3).write(folder.resolve("net-100000.params"));
    try (Session session = Session.open(folder.resolve("net-symbol.json"));
      var result = session.run(Map.of("data", Tensor.of(new float[] {5}, 1)))) {
      assertThat(result.get("y_output").toFloatArray()).containsExactly(15);
    }
  }

  @Test
  void batchNormalisationTakesGammaForOneUnlessToldOtherwise() throws IOException {
    for (boolean fixed : new boolean[] {true, false}) {
      nodes.clear();
      variable("data").variable("g").variable("b").variable("m").variable("v").node("BatchNorm", "bn",
        "eps=0; fix_gamma=" + (fixed ? "True" : "False"), 0, 1, 2, 3, 4);
      Map<String, Tensor> values = new HashMap<>();
      values.put("data", Tensor.of(new float[] {5, 7}, 1, 1, 2));
      values.putAll(Map.of("g", one(10), "b", one(1), "m", one(3), "v", one(4)));
      if (fixed) {
        values.remove("g");
      }
      try (Session session = Session.of(symbol().graph(), SessionOptions.DEFAULT); var result = session.run(values)) {
        assertThat(result.get("bn_output").toFloatArray()).containsExactly(fixed
          ? new float[] {2, 3}
          : new float[] {11, 21});
      }
    }
  }

  private static Tensor one(float value) {
    return Tensor.of(new float[] {value}, 1);
  }

  private static Tensor zeros(String extents) {
    long[] shape = Arrays.stream(extents.split(",", -1)).mapToLong(Long::parseLong).toArray();
    return Tensor.of(new float[Math.toIntExact(Arrays.stream(shape).reduce(1, (a, b) -> a * b))], shape);
  }

  /** The shape of the only output. */
  private Shape shape(Map<String, Tensor> inputs) {
    try (Session session = Session.of(symbol().graph(), SessionOptions.DEFAULT); var result = session.run(inputs)) {
      return result.get(result.names().iterator().next()).shape();
    }
  }

  /** The table of MXNet's documentation of Reshape, and more. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "2,3,4 | (4,0,2) | 4x3x2", "2,3,4 | (2,0,0) | 2x3x4", "2,3,4 | (6,1,-1) | 6x1x4", "2,3,4 | (3,-1,8) | 3x1x8",
    "2,3,4 | (-1,) | 24", "2,3,4 | (-2,) | 2x3x4", "2,3,4 | (2,-2) | 2x3x4", "2,3,4 | (-3,4) | 6x4",
    "2,3,4,5 | (-3,-3) | 6x20", "2,3,4 | (0,-3) | 2x12", "2,3,4 | (-4,1,2,-2) | 1x2x3x4",
    "2,3,4 | (2,-4,-1,3,-2) | 2x1x3x4", "2,3,4 | (0,-4,3,-1,0) | 2x3x1x4"})
  void reshapes(String from, String codes, String to) {
    variable("data").node("Reshape", "r", "shape=" + codes, 0);
    assertThat(shape(Map.of("data", zeros(from)))).hasToString(to);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "Convolution | kernel=(3, 3); num_filter=8; pad=(1, 1); stride=(2, 2); no_bias=True | 8,4,3,3 | 1x8x3x4",
    "Deconvolution | kernel=(4, 4); num_filter=8; pad=(1, 1); stride=(2, 2) | 4,8,4,4 | 1x8x12x14",
    "Pooling | kernel=(3, 3); stride=(2, 2); pooling_convention=full; pool_type=max | | 1x4x3x3",
    "Pooling | kernel=(2, 2); stride=(2, 2); pool_type=avg | | 1x4x3x3",
    "Pooling | global_pool=True; kernel=(1, 1) | | 1x4x1x1",
    "Deconvolution | kernel=(2, 2); num_filter=8; stride=(2, 2); target_shape=(0, 0) | 4,8,2,2 | 1x8x12x14",
    "LeakyReLU | act_type=prelu | 4 | 1x4x6x7",
    "UpSampling | scale=2; sample_type=nearest | | 1x4x12x14",
    "slice_axis | axis=2; begin=1; end=None | | 1x4x5x7",
    "Pad | mode=edge; pad_width=(0,0,0,0,1,1,2,2) | | 1x4x8x11",
    "slice | begin=(None, 1, 0); end=(None, 3, 6); step=(None, 1, 2) | | 1x2x3x7",
    "transpose | axes=(0, 2, 3, 1) | | 1x6x7x4",
    "mean | axis=(2, 3); keepdims=True | | 1x4x1x1", "sum | | | 1", "L2Normalization | mode=channel | | 1x4x6x7",
    "expand_dims | axis=1 | | 1x1x4x6x7", "LRN | nsize=5 | | 1x4x6x7", "_rminus_scalar | scalar=2 | | 1x4x6x7",
    "Embedding | input_dim=9; output_dim=5 | 9,5 | 1x4x6x7x5",
    "FullyConnected | num_hidden=3; no_bias=True | 3,168 | 1x3"})
  void convertsLayers(String op, String attributes, String weight, String to) {
    variable("data");
    Map<String, Tensor> inputs = new HashMap<>();
    inputs.put("data", zeros("1,4,6,7"));
    if (weight == null) {
      node(op, "y", attributes == null ? "" : attributes, 0);
    } else {
      variable("weight").node(op, "y", attributes, 0, 1);
      inputs.put("weight", zeros(weight));
    }
    assertThat(shape(inputs)).hasToString(to);
  }

  /** Rules in which MXNet differs from ONNX. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "rint | | 5 ; 0.5 1.5 -1.5 -2.5 0.7 | | | 0 1 -2 -3 1",
    "take | | 3 ; 10 20 30 | 4 ; -1 0 5 2 | | 10 10 30 30",
    "take | axis=-1 | 1,3 ; 10 20 30 | 2 ; -1 5 | | 10 30",
    "Embedding | input_dim=2; output_dim=1 | 3 ; -4 1 7 | 2,1 ; 10 20 | | 10 20 20",
    "slice | begin=(0L, 1L); end=(1L, 3L) | 2,3 ; 1 2 3 4 5 6 | | | 2 3",
    "where | | 2 ; 1 0 | 2,2 ; 1 2 3 4 | 2,2 ; 5 6 7 8 | 1 2 7 8",
    "where | | 2,2 ; 1 0 0 -1 | 2,2 ; 1 2 3 4 | 2,2 ; 5 6 7 8 | 1 6 7 4",
    "L2Normalization | mode=spatial | 1,1,1,1,2 ; 3 4 | | | 0.6 0.8",
    "L2Normalization | mode=spatial | 1,2,2 ; 3 4 0 5 | | | 0.6 0.8 0 1"})
  void computesAsMxnetDoes(String op, String attributes, String x, String second, String third, String wanted) {
    Map<String, Tensor> inputs = new HashMap<>();
    for (String tensor : new String[] {x, second, third}) {
      if (tensor != null) {
        variable("x" + inputs.size());
        String[] parts = tensor.split(";", -1);
        long[] shape = Arrays.stream(parts[0].strip().split(",", -1)).mapToLong(Long::parseLong).toArray();
        inputs.put("x" + inputs.size(), Tensor.of(floats(parts[1]), shape));
      }
    }
    node(op, "y", attributes == null ? "" : attributes, IntStream.range(0, inputs.size()).toArray());
    try (Session session = Session.of(symbol().graph(), SessionOptions.DEFAULT); var result = session.run(inputs)) {
      assertThat(result.get(result.names().iterator().next()).toFloatArray()).containsExactly(floats(wanted), within(
        1e-6f));
    }
  }

  /** Near 0, where 1 + x drops digits of x, and where one function follows on the other. */
  @Test
  void functionsOfSmallNumbersKeepTheirDigits() {
    float[] x = {1e-8f, -1e-8f, 1e-20f, 0, 3e-4f, -2e-3f, 0.49f, 0.51f, -0.49f, -0.51f, 1, 20, -1,
      Float.POSITIVE_INFINITY};
    for (String op : List.of("log1p", "expm1")) {
      nodes.clear();
      variable("data").node(op, "y", "", 0);
      try (Session session = Session.of(symbol().graph(), SessionOptions.DEFAULT);
        var result = session.run(Map.of("data", Tensor.of(x, x.length)))) {
        float[] y = result.get("y_output").toFloatArray();
        for (int i = 0; i < x.length; i++) {
          double wanted = op.equals("log1p") ? Math.log1p(x[i]) : Math.expm1(x[i]);
          assertThat(Double.isInfinite(wanted) ? y[i] == wanted : Math.abs(y[i] - wanted) <= 1e-6 * Math.abs(wanted))
            .as(
              "%s(%s) = %s, wanted %s", op, x[i], y[i], wanted)
            .isTrue();
        }
      }
    }
  }

  @Test
  void outputsMayBeFurtherResults() {
    for (String heads : List.of("[5,1,0]", "[5,0,0],[5,1,0],[5,2,0]")) {
      nodes.clear();
      variable("data").variable("g").variable("b").variable("m").variable("v").node("BatchNorm", "bn",
        "eps=0; fix_gamma=False; output_mean_var=True", 0, 1, 2, 3, 4);
      Map<String, Tensor> values = new HashMap<>(Map.of("m", one(3), "data", Tensor.of(new float[] {5, 7}, 1, 1, 2)));
      boolean isAll = heads.startsWith("[5,0");
      if (isAll) {
        values.putAll(Map.of("g", one(10), "b", one(1), "v", one(4)));
      }
      try (Session session = Session.of(symbol(heads).graph(), SessionOptions.DEFAULT);
        var result = session.run(
          values)) {
        assertThat(result.names()).containsExactlyElementsOf(isAll
          ? List.of("bn_output", "bn_mean_output", "bn_var_output")
          : List.of("bn_output"));
        assertThat(result.get(isAll ? "bn_mean_output" : "bn_output").toFloatArray()).containsExactly(3);
        if (isAll) {
          assertThat(result.get("bn_output").toFloatArray()).containsExactly(11, 21);
          assertThat(result.get("bn_var_output").toFloatArray()).containsExactly(0.5f);
        }
      }
    }
  }

  @Test
  void outputsThatAreNotServedAreRefused() {
    variable("data").node("Dropout", "drop", "", 0);
    assertThatThrownBy(() -> symbol("[1,1,0]")).isInstanceOf(UnsupportedOperators.class).hasMessageContaining(
      "reads result 1 of");
  }

  private static float[] floats(String text) {
    String[] numbers = text.strip().split(" ", -1);
    float[] values = new float[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      values[i] = Float.parseFloat(numbers[i]);
    }
    return values;
  }

  @Test
  void oldFilesNameNoStates() {
    variable("data").variable("bn_gamma").variable("bn_beta").node("BatchNorm", "bn", "", 0, 1, 2);
    assertThat(symbol().states()).containsExactly("bn_moving_mean", "bn_moving_var");
  }

  @Test
  void volumesOfAnyExtentsAreConvolved() {
    variable("data").variable("w").node("Convolution", "y", "kernel=(1,1,1); num_filter=1; no_bias=True", 0, 1);
    assertThat(shape(Map.of("data", zeros("1,1,2,3,4"), "w", zeros("1,1,1,1,1")))).hasToString("1x1x2x3x4");
  }

  @Test
  void productsOfMoreThanTwoAxesAreRefused() {
    variable("a").variable("b").node("dot", "y", "", 0, 1);
    assertThatThrownBy(() -> shape(Map.of("a", zeros("3,3,3"), "b", zeros("3,3,3")))).isInstanceOf(
      InvalidGraph.class).hasMessageContaining("rank=3");
  }

  @Test
  void namesEveryGapAtOnce() {
    variable("data").node("RNN", "rnn", "", 0).node("Pooling", "pool", "kernel=(2,2); pool_type=sum", 0).node("_plus",
      "sum", "", 1, 2).node("Pooling", "full", "kernel=(2,2); stride=(3,3); pooling_convention=full", 0).node("Reshape",
        "old", "shape=(); target_shape=(2,2)", 0);
    assertThatThrownBy(this::symbol).isInstanceOfSatisfying(UnsupportedOperators.class, it -> {
      assertThat(it.gaps()).extracting(UnsupportedOperators.Gap::node, UnsupportedOperators.Gap::operator)
        .containsExactly(tuple("rnn", "RNN"), tuple("pool", "Pooling"), tuple("full", "Pooling"), tuple("old",
          "Reshape"));
      assertThat(it.gaps()).extracting(UnsupportedOperators.Gap::reason).satisfiesExactly(_ -> {},
        pool -> assertThat(pool).contains("pool_type=sum"),
        full -> assertThat(full).contains("pooling_convention=full", "stride=3 kernel=2 pad=0"),
        old -> assertThat(old).contains("shape"));
    });
  }

  @Test
  void refusesDamagedFilesAndMissingParameters() throws IOException {
    assertThatThrownBy(() -> MxnetModel.symbol(ModelSource.of("{".getBytes(StandardCharsets.UTF_8)))).isInstanceOf(
      InvalidModel.class).hasMessageContaining("JSON");
    variable("data").node("relu", "y", "", 7);
    assertThatThrownBy(this::symbol).isInstanceOf(InvalidModel.class).hasMessageContaining("reader=y");
    Path alone = Files.writeString(folder.resolve("alone-symbol.json"), json());
    nodes.clear();
    perceptron();
    Files.writeString(alone, json());
    assertThatThrownBy(() -> Session.open(alone)).isInstanceOf(InvalidModel.class).hasMessageContaining(
      "alone-NNNN.params");
  }
}
