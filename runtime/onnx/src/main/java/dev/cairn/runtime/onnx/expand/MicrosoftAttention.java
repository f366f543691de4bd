package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attention of domain com.microsoft, in its several forms, with ONNX's. */
final class MicrosoftAttention {
  private static final float MASKED = -10_000;

  private MicrosoftAttention() {}

  /** Queries, keys and values by one product, of the input with weights that stand side by side. */
  static List<NodeEntry> attention(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression product = made.input(0).matmul(made.input(1));
    return ofProduct(made, made.hasInput(2) ? product.add(made.input(2)) : product, 3, 4, 5, 6);
  }

  /** Like {@link #attention}, with input and weights quantised. */
  static List<NodeEntry> quantized(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression product = made.of(scope.node(old, "MatMulIntegerToFloat", Attributes.NONE, old.input(0), old.input(
      1), old.input(3), old.input(4), old.input(6), old.input(7), old.input(2)));
    return ofProduct(made, product, 5, 8, -1, -1);
  }

  /** The attention of a product; further operands by their places among the inputs, -1 for none. */
  private static List<NodeEntry> ofProduct(Replacement made, GraphExpression product, int mask, int past, int bias,
    int length) {
    Attributes given = made.old().attributes();
    requireWithout(made, length, "past_sequence_length");
    if (given.getFlag("do_rotary", false)) {
      throw new IllegalArgumentException("positions by rotation are not supported: do_rotary=1");
    }
    long[] sizes = given.getLongs("qkv_hidden_sizes");
    List<GraphExpression> parts = sizes.length == 3
      ? product.split(2, sizes)
      : product.callAll("Split", Attributes.NONE.with("axis", 2).with("num_outputs", 3), 3, List.of());
    @Nullable
    GraphExpression pastKey = null;
    @Nullable
    GraphExpression pastValue = null;
    if (past >= 0 && made.hasInput(past)) {
      List<GraphExpression> caches = made.input(past).split(0, 1, 1);
      pastKey = caches.get(0).squeeze(0);
      pastValue = caches.get(1).squeeze(0);
    }
    GraphExpression queries = parts.get(0);
    GraphExpression keys = queries.extent(1);
    GraphExpression all = pastKey == null ? keys : keys.add(pastKey.extent(2));
    @Nullable
    GraphExpression shift = shift(made, mask, bias, queries, all);
    boolean givesCaches = made.old().outputs() > 1;
    List<NodeEntry> results = attended(made, parts, shift, pastKey, pastValue, givesCaches ? 3 : 1);
    if (givesCaches) {
      GraphExpression key = made.of(results.get(1)).expandDims(0);
      return List.of(results.get(0), key.concat(0, List.of(made.of(results.get(2)).expandDims(0))).entry());
    }
    return results;
  }

  private static void requireWithout(Replacement made, int input, String name) {
    if (input >= 0 && made.hasInput(input)) {
      throw new IllegalArgumentException("an input is not supported: input=" + name);
    }
  }

  /**
   * What is added to scores; null for nothing.
   *
   * @param mask the place of the input that says which keys count
   * @param bias the place of the input that is added
   */
  private static @Nullable GraphExpression shift(Replacement made, int mask, int bias, GraphExpression queries,
    GraphExpression keys) {
    @Nullable
    GraphExpression added = bias >= 0 && made.hasInput(bias) ? made.input(bias) : null;
    if (!made.hasInput(mask)) {
      return added;
    }
    GraphExpression extents = queries.extent(0).concat(0, List.of(queries.extent(1), keys));
    GraphExpression counts = made.input(mask).call("KeyMask", Attributes.NONE, extents);
    GraphExpression zero = queries.scalar(0f);
    GraphExpression masked = queries.scalar(made.old().attributes().getFloat("mask_filter_value", MASKED));
    GraphExpression shift = counts.where(zero, masked);
    return added == null ? shift : shift.add(added);
  }

  /** ONNX's attention of queries, keys and values whose heads lie side by side. */
  private static List<NodeEntry> attended(Replacement made, List<GraphExpression> parts,
    @Nullable GraphExpression shift, @Nullable GraphExpression pastKey, @Nullable GraphExpression pastValue,
    int results) {
    Attributes given = made.old().attributes();
    long heads = given.getLong("num_heads", 0);
    Attributes attributes = Attributes.NONE.with("q_num_heads", heads).with("kv_num_heads", heads).with("is_causal",
      given.getFlag("unidirectional", false) ? 1 : 0);
    if (given.getFloat("scale", 0) != 0) {
      attributes = attributes.with("scale", new AttributeValue.Real(given.getFloat("scale", 0)));
    }
    List<@Nullable GraphExpression> operands = new ArrayList<>();
    operands.add(parts.get(1));
    operands.add(parts.get(2));
    operands.add(shift);
    operands.add(pastKey);
    operands.add(pastValue);
    return made.last(parts.get(0), results).callAll("Attention", attributes, results, operands).getFirst().results();
  }

  /** Queries, keys and values that are apart, each with its part of one bias. */
  static List<NodeEntry> multiHead(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    if (!made.hasInput(1) || !made.hasInput(2)) {
      throw new IllegalArgumentException("keys and values that are packed with others are not supported");
    }
    requireWithout(made, 8, "past_sequence_length");
    requireWithout(made, 9, "cache_indirection");
    List<GraphExpression> parts = new ArrayList<>(List.of(made.input(0), made.input(1), made.input(2)));
    if (made.hasInput(3)) {
      GraphExpression lengths = parts.get(0).extent(2).concat(0, List.of(parts.get(1).extent(2), parts.get(2).extent(
        2)));
      List<GraphExpression> biases = made.input(3).split(0, 3, lengths);
      for (int i = 0; i < 3; i++) {
        parts.set(i, parts.get(i).add(biases.get(i)));
      }
    }
    @Nullable
    GraphExpression pastKey = made.hasInput(6) ? made.input(6) : null;
    GraphExpression keys = parts.get(1).extent(1);
    GraphExpression all = pastKey == null ? keys : keys.add(pastKey.extent(2));
    @Nullable
    GraphExpression shift = shift(made, 4, 5, parts.get(0), all);
    int results = Math.max(1, old.outputs());
    if (results > 3) {
      throw new IllegalArgumentException("scores are not supported as a result");
    }
    return attended(made, parts, shift, pastKey, made.hasInput(7) ? made.input(7) : null, results == 1 ? 1 : 3)
      .subList(0, results);
  }

  /**
   * Attention to keys and values in a cache, whose rows end at other places for other items of the batch. Consecutive
   * query heads share one head of keys.
   */
  static List<NodeEntry> grouped(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    for (int i = 10; i < old.inputs().size(); i++) {
      requireWithout(made, i == 10 ? -1 : i, "input " + i);
    }
    if (given.getLong("smooth_softmax", -1) > 0 || given.getLong("qk_output", 0) != 0 || given.getLong("causal",
      1) == 0 || given.getFlag("sliding_window_cache", false) || given.getLong("kv_cache_bit_width", 0) != 0) {
      throw new IllegalArgumentException("only causal attention without quantised caches and smooth_softmax is "
        + "supported");
    }
    long heads = given.getLong("num_heads", 0);
    long keyHeads = given.getLong("kv_num_heads", 0);
    List<GraphExpression> parts = made.hasInput(1)
      ? List.of(apart(made, made.input(0), heads), apart(made, made.input(1), keyHeads), apart(made, made.input(2),
        keyHeads))
      : apart(made, made.input(0), heads + 2 * keyHeads).split(1, heads, keyHeads, keyHeads);
    GraphExpression steps = parts.get(0).extent(2);
    GraphExpression total = made.input(6).astype(DType.INT64).reshapeKeeping(made.longs("one", 1));
    GraphExpression lengths = made.input(5).astype(DType.INT64).reshapeKeeping(made.longs("items", -1)).add(made.whole(
      "next", 1));
    // A first prompt begins at 0, even where it is shorter than others.
    GraphExpression starts = total.eq(steps).where(lengths.sub(lengths), lengths.sub(steps));
    GraphExpression places = starts.expandDims(1).add(range(made, steps));
    List<GraphExpression> turned = parts;
    if (given.getFlag("do_rotary", false)) {
      GraphExpression positions = made.hasInput(9) ? made.input(9) : places;
      Attributes rotary = Attributes.NONE.with("interleaved", given.getLong("rotary_interleaved", 0)).with(
        "rotary_embedding_dim", rotated(old.input(7)));
      List<GraphExpression> caches = List.of(made.input(7), made.input(8), positions);
      turned = List.of(parts.get(0).callAll("RotaryEmbedding", rotary, 1, caches).getFirst(), parts.get(1).callAll(
        "RotaryEmbedding", rotary, 1, caches).getFirst(), parts.get(2));
    }
    GraphExpression key = cached(made, 3, turned.get(1), total, starts);
    GraphExpression value = cached(made, 4, turned.get(2), total, starts);
    GraphExpression columns = range(made, key.extent(2)).expandDims(0, 1);
    GraphExpression rows = places.expandDims(2);
    GraphExpression counts = columns.le(rows);
    long window = given.getLong("local_window_size", -1);
    if (window > 0) {
      counts = counts.logicalAnd(columns.gt(rows.sub(made.whole("window", window))));
    }
    GraphExpression shift = counts.expandDims(1);
    if (made.hasInput(10)) {
      GraphExpression bias = made.input(10);
      shift = shift.where(bias, bias.scalar(Float.NEGATIVE_INFINITY));
    }
    Attributes attributes = Attributes.NONE.with("softcap", new AttributeValue.Real(given.getFloat("softcap", 0)));
    if (given.getFloat("scale", 0) != 0) {
      attributes = attributes.with("scale", new AttributeValue.Real(given.getFloat("scale", 0)));
    }
    GraphExpression result = turned.get(0).callAll("Attention", attributes, 1, List.of(key, value, shift)).getFirst();
    List<NodeEntry> results = new ArrayList<>(made.last(result.transpose(0, 2, 1, 3), 1).reshapeKeeping(made.longs(
      "merged", 0, 0, -1)).results());
    results.addAll(List.of(key.entry(), value.entry()));
    return old.first(results);
  }

  /** How many elements of a row are turned: two for each column of the cache, where its shape is known; else all. */
  private static long rotated(NodeEntry cache) {
    return cache.node().kind() instanceof NodeKind.Constant(TensorView value) && value.shape().rank() == 2
      ? 2 * value.shape().extent(1)
      : 0;
  }

  /** Heads as an axis of their own, before the steps. */
  private static GraphExpression apart(Replacement made, GraphExpression merged, long heads) {
    return merged.reshapeKeeping(made.longs("heads", 0, 0, heads, -1)).transpose(0, 2, 1, 3);
  }

  /** {@code 0, 1, 2, ...}. */
  private static GraphExpression range(Replacement made, GraphExpression count) {
    return made.whole("first", 0).rangeTo(count.squeeze(0), made.whole("step", 1));
  }

  /** The cache, made as long as all steps need, with new rows from where each item of the batch ends. */
  private static GraphExpression cached(Replacement made, int past, GraphExpression rows, GraphExpression total,
    GraphExpression starts) {
    if (!made.hasInput(past)) {
      return rows;
    }
    GraphExpression cache = made.input(past);
    GraphExpression none = made.longs("none", 0, 0);
    GraphExpression missing = total.sub(cache.extent(2)).maximum(made.longs("least", 0));
    GraphExpression pads = made.longs("before", 0, 0, 0, 0).concat(0, List.of(none, missing, made.longs("after", 0)));
    GraphExpression longer = cache.callAll("Pad", Attributes.NONE, 1, List.of(pads)).getFirst();
    return longer.callAll("TensorScatter", Attributes.NONE.with("axis", 2), 1, List.of(rows, starts)).getFirst();
  }

  /** Positions by rotation: one position for each step, or one where all begin. */
  static List<NodeEntry> rotary(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    if (given.getFlag("is_packed_batching", false)) {
      throw new IllegalArgumentException("batches that are packed are not supported: is_packed_batching=1");
    }
    GraphExpression x = made.input(0);
    GraphExpression steps = x.extents(Attributes.NONE.with("start", -2).with("end", -1));
    GraphExpression positions = made.input(1).astype(DType.INT64);
    GraphExpression begins = positions.call("Size", Attributes.NONE).eq(made.whole("one", 1));
    GraphExpression range = range(made, steps);
    GraphExpression shift = begins.where(range, range.sub(range));
    GraphExpression all = positions.broadcastTo(x.extent(0).concat(0, List.of(steps))).add(shift);
    Attributes attributes = Attributes.NONE.with("interleaved", given.getLong("interleaved", 0)).with(
      "rotary_embedding_dim", given.getLong("rotary_embedding_dim", 0)).with("num_heads",
        given.getLong("num_heads",
          0));
    float scale = given.getFloat("scale", 1);
    GraphExpression cosines = made.input(2);
    GraphExpression sines = made.input(3);
    return made.last(x).callAll("RotaryEmbedding", attributes, 1, List.of(scale == 1 ? cosines : cosines.mul(scale),
      scale == 1 ? sines : sines.mul(scale), all)).getFirst().results();
  }

  /**
   * Positions by rotation, where each pair of elements is turned by one of three positions: in time, height or width.
   */
  static List<NodeEntry> rotaryOfThree(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    long[] sections = given.getLongs("mrope_section");
    long layout = given.getLong("mrope_layout", 0);
    if (sections.length != 3 || Arrays.stream(sections).anyMatch(it -> it < 0) || layout < 0 || layout > 1) {
      throw new IllegalArgumentException("three sections are needed: mrope_section=%s mrope_layout=%d".formatted(Arrays
        .toString(sections), layout));
    }
    if (given.getFlag("is_packed_batching", false)) {
      throw new IllegalArgumentException("batches that are packed are not supported: is_packed_batching=1");
    }
    float scale = given.getFloat("scale", 1);
    List<GraphExpression> angles = new ArrayList<>();
    for (int input = 2; input < 4; input++) {
      List<GraphExpression> streams = made.input(input).take(made.input(1)).split(0, 1, 1, 1);
      GraphExpression chosen = pairs(made, sections, layout, 1).where(streams.get(1), pairs(made, sections, layout, 2)
        .where(streams.get(2), streams.get(0))).squeeze(0);
      angles.add(scale == 1 ? chosen : chosen.mul(scale));
    }
    Attributes attributes = Attributes.NONE;
    for (String name : List.of("interleaved", "rotary_embedding_dim", "num_heads")) {
      attributes = attributes.with(name, given.getLong(name, 0));
    }
    return made.last(made.input(0)).callAll("RotaryEmbedding", attributes, 1, angles).getFirst().results();
  }

  /** Which pairs one of the three positions turns: a section, or every third of so many. */
  private static GraphExpression pairs(Replacement made, long[] sections, long layout, int position) {
    GraphExpression count = made.input(2).extent(1);
    // The sections must be all pairs.
    GraphExpression all = range(made, count)
      .reshape(Math.addExact(Math.addExact(sections[0], sections[1]), sections[2]));
    if (layout == 1) {
      GraphExpression third = all.mod(made.whole("three", 3), false).eq(position);
      return third.logicalAnd(all.lt(Math.multiplyExact(3, sections[position])));
    }
    long start = sections[0] + (position == 1 ? 0 : sections[1]);
    return all.ge(start).logicalAnd(all.lt(start + sections[position]));
  }

  /**
   * Attention of one step: to keys and values that are there, each head apart, or to those in a cache of constant size,
   * into which those of the step go.
   */
  static List<NodeEntry> oneStep(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    requireWithout(made, 9, "cache_indirection");
    if (old.outputs() > 3) {
      throw new IllegalArgumentException("scores are not supported as a result");
    }
    long heads = old.attributes().getLong("num_heads", 0);
    List<GraphExpression> parts = made.hasInput(1)
      ? List.of(made.input(0), made.input(1), made.input(2))
      : made.input(0).callAll("Split", Attributes.NONE.with("axis", 2).with("num_outputs", 3), 3, List.of());
    List<GraphExpression> biases = made.hasInput(10)
      ? made.input(10).callAll("Split", Attributes.NONE.with("axis", 0).with("num_outputs", 3), 3, List.of())
      : List.of();
    GraphExpression query = biased(parts, biases, 0);
    if (!made.hasInput(5)) {
      GraphExpression keys = made.input(1);
      @Nullable
      GraphExpression shift = shift(made, 3, 4, query, keys.extent(2));
      return merged(made, ofHeads(made, apart(made, query, heads), keys, made.input(2), shift));
    }
    if (!old.attributes().getFlag("past_present_share_buffer", false) || !made.hasInput(7)) {
      throw new IllegalArgumentException("a cache of constant size is needed: past_present_share_buffer=0");
    }
    GraphExpression past = made.input(7).astype(DType.INT64).reshapeKeeping(made.longs("one", 1));
    GraphExpression starts = past.broadcastTo(query.extent(0));
    Attributes axis = Attributes.NONE.with("axis", 2);
    List<GraphExpression> caches = new ArrayList<>();
    for (int i = 1; i < 3; i++) {
      caches.add(made.input(4 + i).callAll("TensorScatter", axis, 1, List.of(apart(made, biased(parts, biases, i),
        heads), starts)).getFirst());
    }
    GraphExpression counts = range(made, caches.get(0).extent(2)).le(past);
    GraphExpression none = query.scalar(Float.NEGATIVE_INFINITY);
    GraphExpression known = counts.where(query.scalar(0f), none);
    @Nullable
    GraphExpression given = shift(made, 3, 4, query, made.hasInput(3) ? made.input(3).extent(1) : past);
    GraphExpression shift = known.expandDims(0, 1, 2);
    if (given != null) {
      GraphExpression missing = caches.get(0).extent(2).sub(given.extent(-1));
      GraphExpression pads = made.longs("before", 0, 0, 0, 0, 0, 0, 0).concat(0, List.of(missing));
      shift = shift.add(given.callAll("Pad", Attributes.NONE, 1, List.of(pads)).getFirst());
    }
    List<NodeEntry> results = new ArrayList<>(merged(made, ofHeads(made, apart(made, query, heads), caches.get(0),
      caches.get(1), shift)));
    caches.forEach(it -> results.add(it.entry()));
    return old.first(results);
  }

  private static GraphExpression biased(List<GraphExpression> parts, List<GraphExpression> biases, int index) {
    return biases.isEmpty() ? parts.get(index) : parts.get(index).add(biases.get(index));
  }

  private static GraphExpression ofHeads(Replacement made, GraphExpression query, GraphExpression key,
    GraphExpression value, @Nullable GraphExpression shift) {
    float scale = made.old().attributes().getFloat("scale", 0);
    Attributes attributes = scale == 0
      ? Attributes.NONE
      : Attributes.NONE.with("scale", new AttributeValue.Real(scale));
    return query.callAll("Attention", attributes, 1, Arrays.asList(key, value, shift)).getFirst();
  }

  /** Heads beside each other, as the first result. */
  private static List<NodeEntry> merged(Replacement made, GraphExpression heads) {
    return made.last(heads.transpose(0, 2, 1, 3), 1).reshapeKeeping(made.longs("merged", 0, 0, -1)).results();
  }
}
