package dev.cairn.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.notation.ElementTypes;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code DecoderMaskedMultiHeadAttention} with a cache of constant size equals {@code MultiHeadAttention} with what is
 * in the cache. Without a cache, both are compared with ONNX Runtime elsewhere.
 */
class MicrosoftDecoderTest {
  private static final int BATCH = 2;
  private static final int HEADS = 2;
  private static final int SIZE = 4;
  private static final int WIDTH = HEADS * SIZE;
  private static final int PAST = 3;
  private static final int MOST = 6;

  @TempDir
  private Path folder;

  private final Random random = new Random(8);

  private static NodeProto node(String text, AttributeProto... attributes) {
    return Models.node(text, attributes).toBuilder().setDomain("com.microsoft").build();
  }

  private static TensorProto shaped(TensorProto tensor, long... extents) {
    return tensor.toBuilder().clearDims().addAllDims(Arrays.stream(extents).boxed().toList()).build();
  }

  private float[] reals(int count) {
    float[] reals = new float[count];
    for (int i = 0; i < count; i++) {
      reals[i] = random.nextFloat(-1, 1);
    }
    return reals;
  }

  private static TensorProto whole(String name, int[] values, long... extents) {
    var tensor = TensorProto.newBuilder().setName(name).setDataType(ElementTypes.number(DType.INT32));
    Arrays.stream(values).forEach(tensor::addInt32Data);
    Arrays.stream(extents).forEach(tensor::addDims);
    return tensor.build();
  }

  /** A cache, and under another name what is in it. */
  private List<TensorProto> caches(String name) {
    float[] cache = reals(BATCH * HEADS * MOST * SIZE);
    float[] past = new float[BATCH * HEADS * PAST * SIZE];
    for (int head = 0; head < BATCH * HEADS; head++) {
      System.arraycopy(cache, head * MOST * SIZE, past, head * PAST * SIZE, PAST * SIZE);
    }
    return List.of(shaped(Models.floats(name, cache), BATCH, HEADS, MOST, SIZE), shaped(Models.floats("past_" + name,
      past), BATCH, HEADS, PAST, SIZE));
  }

  private Map<String, float[]> run(long width, NodeProto... nodes) throws Exception {
    List<TensorProto> weights = new ArrayList<>(List.of(shaped(Models.floats("k", reals(BATCH * WIDTH)), BATCH, 1,
      WIDTH), shaped(Models.floats("v", reals(BATCH * WIDTH)), BATCH, 1, WIDTH), Models.floats("b", reals(3 * WIDTH)),
      whole("m", new int[] {1, 0, 1, 1, 1, 1, 0, 1}, BATCH, PAST + 1), whole("p", new int[] {PAST}), shaped(Models
        .floats("a", reals(HEADS * (PAST + 1))), 1, HEADS, 1, PAST + 1)));
    weights.addAll(caches("c"));
    weights.addAll(caches("d"));
    ModelProto.Builder model = Models.model(17, new long[] {BATCH, 1, width}, nodes).toBuilder();
    model.addOpsetImport(Models.opset("com.microsoft", 1)).getGraphBuilder().addAllInitializer(weights).clearOutput();
    List<String> names = Arrays.stream(nodes).flatMap(it -> it.getOutputList().stream()).filter(it -> it.length() == 1)
      .toList();
    names.forEach(it -> model.getGraphBuilder().addOutputBuilder().setName(it));
    Map<String, float[]> results = new HashMap<>();
    try (Session session = Session.open(Models.save(model.build(), folder), SessionOptions.DEFAULT.withThreads(1));
      Tensor x = Tensor.of(reals(Math.toIntExact(BATCH * width)), BATCH, 1, width);
      Result result = session.run(Map.of("x", x))) {
      names.forEach(it -> results.put(it, result.get(it).toFloatArray()));
    }
    return results;
  }

  private static AttributeProto[] attributes() {
    return new AttributeProto[] {Models.integer("num_heads", HEADS), Models.integer("past_present_share_buffer", 1)};
  }

  @Test
  void attendsToTheCacheAndTheStep() throws Exception {
    for (String[] inputs : new String[][] {{"", "", ""}, {"b", "", ""}, {"", "m", ""}, {"", "", "a"},
      {"b", "m", "a"}}) {
      Map<String, float[]> found = run(WIDTH,
        node("y, s, t = DecoderMaskedMultiHeadAttention(x, k, v, %s, %s, c, d, p, "
          .formatted(inputs[1], inputs[2]) + ", , " + inputs[0] + ")", attributes()),
        node(
          "z, u, w = MultiHeadAttention(x, k, v, %s, %s, %s, past_c, past_d)".formatted((Object[]) inputs),
          Models.integer("num_heads", HEADS)));
      assertThat(found.get("y")).as(Arrays.toString(inputs)).containsExactly(found.get("z"), within(1e-5f));
      for (int head = 0; head < BATCH * HEADS; head++) {
        int steps = (PAST + 1) * SIZE;
        assertThat(Arrays.copyOfRange(found.get("s"), head * MOST * SIZE, head * MOST * SIZE + steps)).containsExactly(
          Arrays.copyOfRange(found.get("u"), head * steps, (head + 1) * steps));
        assertThat(Arrays.copyOfRange(found.get("t"), head * MOST * SIZE, head * MOST * SIZE + steps)).containsExactly(
          Arrays.copyOfRange(found.get("w"), head * steps, (head + 1) * steps));
      }
    }
  }

  @Test
  void mayHaveQueriesKeysAndValuesInOneInput() throws Exception {
    NodeProto parts = Models.node("q, i, j = Split(x)", Models.integer("axis", 2));
    Map<String, float[]> found = run(3 * WIDTH, parts, node(
      "y = DecoderMaskedMultiHeadAttention(x, , , , , c, d, p, , , b)", attributes()),
      node(
        "z = DecoderMaskedMultiHeadAttention(q, i, j, , , c, d, p, , , b)", attributes()));
    assertThat(found.get("y")).containsExactly(found.get("z"));
  }

  @Test
  void beamsAndOtherCachesAreRefused() {
    assertThatThrownBy(() -> run(WIDTH, node("y = DecoderMaskedMultiHeadAttention(x, k, v, , , c, d, p, p, m)",
      attributes()))).hasMessageContaining("input=cache_indirection");
    assertThatThrownBy(
      () -> run(WIDTH, node("y = DecoderMaskedMultiHeadAttention(x, k, v, , , c, d, p)", Models.integer(
        "num_heads", HEADS))))
      .hasMessageContaining("a cache of constant size is needed");
    assertThatThrownBy(() -> run(WIDTH, node("y, s, t, w = DecoderMaskedMultiHeadAttention(x, k, v, , , c, d, p)",
      attributes()))).hasMessageContaining("scores are not supported as a result");
  }
}
