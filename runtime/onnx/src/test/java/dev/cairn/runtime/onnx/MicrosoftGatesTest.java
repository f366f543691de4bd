package dev.cairn.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gates and hashes of domain com.microsoft for which ONNX Runtime has kernels since 1.30: compared with what their
 * definitions say, written out.
 */
class MicrosoftGatesTest {
  private static final int TOKENS = 3;
  private static final int STREAMS = 2;
  private static final int WIDTH = 4;
  private static final double EPSILON = 1e-5;

  @TempDir
  private Path folder;

  private final Random random = new Random(9);

  private static NodeProto node(String text, AttributeProto... attributes) {
    return Models.node(text, attributes).toBuilder().setDomain("com.microsoft").build();
  }

  private static TensorProto shaped(TensorProto tensor, long... extents) {
    return tensor.toBuilder().clearDims().addAllDims(Arrays.stream(extents).boxed().toList()).build();
  }

  /** The results y and z of a node, of one float input x. */
  private List<Tensor> run(NodeProto node, float[] x, long[] extents, TensorProto... weights) throws Exception {
    ModelProto.Builder model = Models.model(17, extents, node).toBuilder();
    model.addOpsetImport(Models.opset("com.microsoft", 1)).getGraphBuilder().addAllInitializer(List.of(weights));
    model.getGraphBuilder().clearOutput();
    node.getOutputList().forEach(it -> model.getGraphBuilder().addOutputBuilder().setName(it));
    List<Tensor> results = new ArrayList<>();
    try (Session session = Session.open(Models.save(model.build(), folder), SessionOptions.DEFAULT.withThreads(1));
      Tensor input = Tensor.of(x, extents);
      Result result = session.run(Map.of("x", input))) {
      for (String name : node.getOutputList()) {
        results.add(Tensor.copyOf(result.get(name).view()));
      }
    }
    return results;
  }

  private float[] reals(int count) {
    float[] reals = new float[count];
    for (int i = 0; i < count; i++) {
      reals[i] = random.nextFloat(-1, 1);
    }
    return reals;
  }

  private static double inverseRoot(float[] x, int first) {
    double sum = 0;
    for (int i = 0; i < WIDTH; i++) {
      sum += x[first + i] * x[first + i];
    }
    return 1 / Math.sqrt(sum / WIDTH + EPSILON);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  @Test
  void sums() throws Exception {
    float[] x = reals(12);
    float[] y = reals(12);
    float[] gate = reals(3);
    float[] wanted = new float[12];
    for (int i = 0; i < 12; i++) {
      wanted[i] = x[i] + y[i] * gate[i / 4];
    }
    assertThat(run(node("y = GatedAdd(x, v, g)"), x, new long[] {3, 4}, shaped(Models.floats("v", y), 3, 4), shaped(
      Models.floats("g", gate), 3, 1)).getFirst().toFloatArray()).containsExactly(wanted, within(1e-6f));
  }

  @Test
  void norms() throws Exception {
    float[] x = reals(24);
    float[] gate = reals(24);
    float[] scale = reals(WIDTH);
    for (String activation : List.of("silu", "swish", "sigmoid")) {
      float[] wanted = new float[24];
      for (int i = 0; i < 24; i++) {
        double factor = activation.equals("sigmoid") ? sigmoid(gate[i]) : gate[i] * sigmoid(gate[i]);
        wanted[i] = (float) (x[i] * inverseRoot(x, i / WIDTH * WIDTH) * scale[i % WIDTH] * factor);
      }
      // Each row has two groups as long as the scale.
      assertThat(run(node("y = GatedRMSNorm(x, s, g)", Models.text("activation", activation)), x, new long[] {1, 3, 8},
        Models.floats("s", scale), shaped(Models.floats("g", gate), 1, 3, 8)).getFirst().toFloatArray())
        .containsExactly(wanted, within(1e-5f));
    }
    assertThatThrownBy(() -> run(node("y = GatedRMSNorm(x, s, x)", Models.text("activation", "relu")), x, new long[] {1,
      3, 8}, Models.floats("s", scale))).hasMessageContaining("no such activation: activation=\"relu\"");
  }

  @Test
  void gatesOfLinearAttention() throws Exception {
    float[] x = reals(6);
    float[] rate = reals(6);
    float[] bias = reals(3);
    float[] scale = reals(3);
    x[0] = 80;
    x[1] = -80;
    float[] wanted = new float[6];
    float[] rates = new float[6];
    for (int i = 0; i < 6; i++) {
      wanted[i] = (float) (scale[i % 3] * Math.log1p(Math.exp((double) x[i] + bias[i % 3])));
      rates[i] = (float) sigmoid(rate[i]);
    }
    long[] extents = {1, 2, 3};
    TensorProto[] weights = {Models.floats("b", bias), Models.floats("s", scale), shaped(Models.floats("r", rate),
      extents)};
    List<Tensor> found = run(node("y, z = LinearAttentionGate(x, b, s, r)"), x, extents, weights);
    assertThat(found.get(0).toFloatArray()).containsExactly(wanted, within(1e-5f));
    assertThat(found.get(1).toFloatArray()).containsExactly(rates, within(1e-6f));
    assertThat(run(node("y = LinearAttentionGate(x, b, s)"), x, extents, weights).getFirst().toFloatArray())
      .containsExactly(wanted, within(1e-5f));
    assertThatThrownBy(() -> run(node("y, z = LinearAttentionGate(x, b, s)"), x, extents, weights))
      .hasMessageContaining("the second result needs an input: input=b");
  }

  @Test
  void gatesOfEngrams() throws Exception {
    int all = TOKENS * STREAMS * WIDTH;
    float[] key = reals(all);
    float[] query = reals(all);
    float[] value = reals(TOKENS * WIDTH);
    float[] ofKey = reals(STREAMS * WIDTH);
    float[] ofQuery = reals(STREAMS * WIDTH);
    float[] ofResult = reals(STREAMS * WIDTH);
    long[] extents = {1, TOKENS, STREAMS, WIDTH};
    List<Tensor> found = run(node("y, z = EngramGate(x, q, v, a, b, c)"), key, extents, shaped(Models.floats("q",
      query), extents), shaped(Models.floats("v", value), 1, TOKENS, WIDTH), shaped(Models.floats("a", ofKey), STREAMS,
        WIDTH),
      shaped(Models.floats("b", ofQuery), STREAMS, WIDTH), shaped(Models.floats("c", ofResult), STREAMS,
        WIDTH));
    float[] wanted = new float[all];
    float[] normed = new float[all];
    for (int first = 0; first < all; first += WIDTH) {
      int scale = first / WIDTH % STREAMS * WIDTH;
      double dot = 0;
      for (int i = 0; i < WIDTH; i++) {
        dot += key[first + i] * inverseRoot(key, first) * ofKey[scale + i] * query[first + i] * inverseRoot(query,
          first) * ofQuery[scale + i];
      }
      dot /= Math.sqrt(WIDTH);
      double gate = 1 / (1 + Math.exp(-Math.signum(dot) * Math.sqrt(Math.max(Math.abs(dot), 1e-6))));
      for (int i = 0; i < WIDTH; i++) {
        wanted[first + i] = (float) (gate * value[first / (STREAMS * WIDTH) * WIDTH + i]);
      }
      for (int i = 0; i < WIDTH; i++) {
        normed[first + i] = (float) (wanted[first + i] * inverseRoot(wanted, first) * ofResult[scale + i]);
      }
    }
    assertThat(found.get(0).toFloatArray()).containsExactly(wanted, within(1e-5f));
    assertThat(found.get(1).toFloatArray()).containsExactly(normed, within(1e-5f));
    assertThatThrownBy(() -> run(node("y, z = EngramGate(x, q, v, a, b)"), key, extents, shaped(Models.floats("q",
      query), extents), shaped(Models.floats("v", value), 1, TOKENS, WIDTH), shaped(Models.floats("a", ofKey), STREAMS,
        WIDTH),
      shaped(Models.floats("b", ofQuery), STREAMS, WIDTH))).hasMessageContaining("input=conv_norm_scale");
  }

  /** The same gates, of keys and values that weights of the operator make. */
  @Test
  void gatesOfEngramsThatProjectKeysAndValues() throws Exception {
    int all = TOKENS * STREAMS * WIDTH;
    float[] input = reals(TOKENS * 3);
    float[] query = reals(all);
    float[] ofKey = reals(STREAMS * 3 * WIDTH);
    float[] ofValue = reals(3 * WIDTH);
    float[] bias = reals(STREAMS * WIDTH);
    float[] scale = reals(STREAMS * WIDTH);
    float[] key = new float[all];
    float[] value = new float[TOKENS * WIDTH];
    for (int at = 0; at < all; at++) {
      int token = at / (STREAMS * WIDTH);
      int stream = at / WIDTH % STREAMS;
      key[at] = bias[stream * WIDTH + at % WIDTH];
      value[token * WIDTH + at % WIDTH] = 0;
      for (int i = 0; i < 3; i++) {
        key[at] += input[token * 3 + i] * ofKey[(stream * 3 + i) * WIDTH + at % WIDTH];
        value[token * WIDTH + at % WIDTH] += input[token * 3 + i] * ofValue[i * WIDTH + at % WIDTH];
      }
    }
    long[] extents = {1, TOKENS, STREAMS, WIDTH};
    TensorProto queries = shaped(Models.floats("q", query), extents);
    TensorProto scales = shaped(Models.floats("a", scale), STREAMS, WIDTH);
    float[] wanted = run(node("y = EngramGate(x, q, v, a, a)"), key, extents, queries, scales, shaped(Models.floats("v",
      value), 1, TOKENS, WIDTH)).getFirst().toFloatArray();
    assertThat(run(node("y = EngramGate(x, q, k, b, v, , a, a)"), input, new long[] {1, TOKENS, 3}, queries, scales,
      shaped(Models.floats("k", ofKey), STREAMS, 3, WIDTH), shaped(Models.floats("b", bias), STREAMS, WIDTH), shaped(
        Models.floats("v", ofValue), 3, WIDTH))
      .getFirst().toFloatArray()).containsExactly(wanted, within(1e-5f));
  }

  /** Hashes of words with up to two words before them, of which those before the first are given. */
  private static long[] hashes(long[] before, long[] words, long[] multipliers, long[] sizes, long end) {
    long[] hashes = new long[words.length * 4];
    for (int at = 0; at < words.length; at++) {
      long mix = words[at] * multipliers[0];
      boolean isEnded = false;
      for (int i = 1; i < 3; i++) {
        long word = at - i < 0 ? before[before.length + at - i] : words[at - i];
        isEnded |= word == end;
        mix ^= (isEnded ? end : word) * multipliers[i];
        for (int head = 0; head < 2; head++) {
          int column = (i - 1) * 2 + head;
          hashes[at * 4 + column] = Math.floorMod(mix, sizes[column]) + 100 * column;
        }
      }
    }
    return hashes;
  }

  private static AttributeProto[] hashing(long resets) {
    return new AttributeProto[] {Models.integer("max_ngram_size", 3), Models.integer("n_head_per_ngram", 2), Models
      .integer("pad_id", 2), Models.integer("reset_on_eos", resets)};
  }

  private List<long[]> hashed(String inputs, long resets, long[] words, TensorProto... further) throws Exception {
    List<TensorProto> weights = new ArrayList<>(List.of(further));
    weights.add(shaped(Models.longs("w", words), 1, words.length));
    List<long[]> results = new ArrayList<>();
    // The input x is not read: words are whole numbers.
    for (Tensor result : run(node("y, z = NGramHashMapping(%s)".formatted(inputs), hashing(resets)), new float[] {0},
      new long[] {1}, weights.toArray(TensorProto[]::new))) {
      results.add(result.view().toLongArray());
    }
    return results;
  }

  @Test
  void hashesOfWordsAndThoseBefore() throws Exception {
    long[] words = random.longs(9, 0, 50).toArray();
    words[3] = 7;
    words[4] = 7;
    long[] multipliers = {0x9e3779b97f4a7c15L, 31, -77};
    long[] sizes = {97, 89, 83, 101};
    TensorProto[] weights = {Models.longs("m", multipliers), Models.longs("s", sizes), Models.longs("o", 0, 100, 200,
      300), Models.longs("e", 7)};
    List<long[]> found = hashed("w, m, s, , o", 0, words, weights);
    assertThat(found.get(0)).containsExactly(hashes(new long[] {2, 2}, words, multipliers, sizes, -1));
    assertThat(found.get(1)).containsExactly(words[7], words[8]);
    found = hashed("w, m, s, , o, e", 0, words, weights);
    assertThat(found.get(0)).containsExactly(hashes(new long[] {7, 7}, words, multipliers, sizes, -1));
    found = hashed("w, m, s, , o, e", 1, words, weights);
    assertThat(found.get(0)).containsExactly(hashes(new long[] {7, 7}, words, multipliers, sizes, 7));
  }

  @Test
  void hashesOfPartsOfATextAreThoseOfTheWhole() throws Exception {
    long[] words = random.longs(9, 0, 50).toArray();
    words[4] = 7;
    TensorProto[] weights = {Models.longs("m", 12345678901L, 31, -77), Models.longs("s", 97, 89, 83, 101), Models.longs(
      "e", 7)};
    long[] whole = hashed("w, m, s, , , e", 1, words, weights).get(0);
    List<long[]> first = hashed("w, m, s, , , e", 1, Arrays.copyOf(words, 5), weights);
    List<TensorProto> more = new ArrayList<>(List.of(weights));
    more.add(shaped(Models.longs("p", first.get(1)), 1, 2));
    List<long[]> second = hashed("w, m, s, p, , e", 1, Arrays.copyOfRange(words, 5, 9), more.toArray(
      TensorProto[]::new));
    assertThat(first.get(0)).containsExactly(Arrays.copyOf(whole, 20));
    assertThat(second.get(0)).containsExactly(Arrays.copyOfRange(whole, 20, 36));
  }

  @Test
  void moreResultsThanTheOperatorHasAreRefused() {
    for (String call : List.of("y, z, w, v = Unique(x)", "y, z = GatedAdd(x, x, x)",
      "y, z, w, v = EmbedLayerNormalization"
        + "(x, x, x, x, x, x, x)",
      "y, z, w = EngramGate(x, x, x, x, x, x)", "y, z, w = NGramHashMapping(x, x, x)")) {
      AttributeProto[] attributes = call.contains("NGram") ? hashing(0) : new AttributeProto[0];
      assertThatThrownBy(() -> run(node(call, attributes), new float[] {1}, new long[] {1})).as(call)
        .hasMessageContaining(
          "wrong number of results: wanted=");
    }
  }

  @Test
  void segmentsAreRefused() {
    assertThatThrownBy(() -> hashed("w, m, s, , , , g", 0, new long[] {1}, Models.longs("m", 1, 2, 3), Models.longs("s",
      5, 5, 5, 5), Models.longs("g", 1))).hasMessageContaining("input=segment_ids");
  }
}
