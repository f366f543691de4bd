package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Random models of operators of domain com.microsoft that few exporters write. */
final class FurtherContributedCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();
  private static final String DOMAIN = "com.microsoft::";
  private static final String[] WORDS = {"a", "b", "ünï", "", "longer words", "four"};

  private FurtherContributedCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    images(all);
    words(all);
    all.put("Inverse", it -> {
      long rows = it.number(1, 9);
      TensorView x = it.tensor(it.oneOf(DType.FLOAT32, DType.FLOAT64), it.coin()
        ? Shape.of(rows, rows)
        : Shape.of(it.number(1, 3), it.number(1, 2), rows, rows), -1, 1);
      for (long row = 0; row < x.elementCount() / rows; row++) {
        OneOperator.set(x, row * rows + row % rows, it.coin() ? rows + 1 : -rows - 1);
      }
      it.input(x);
    });
    all.put("MoE", FurtherContributedCases::experts);
    all.put("QMoE", FurtherContributedCases::quantizedExperts);
    all.put(DOMAIN + "MatMulBnb4", it -> {
      long depth = it.number(1, 40);
      long columns = it.number(1, 7);
      long block = it.oneOf(16, 32);
      long count = depth * columns;
      it.input(it.floats(it.coin() ? Shape.of(it.number(1, 5), depth) : Shape.of(2, 3, depth), -1, 1)).constant(it
        .tensor(DType.UINT8, Shape.of((count + 1) / 2), 0, 255)).constant(it.floats(
          Shape.of((count + block - 1)
            / block),
          0.5, 2))
        .with("K", depth).with("N", columns).with("block_size", block).with("quant_type", it.number(0, 1));
    });
    all.put(DOMAIN + "MatMulFpQ4", FurtherContributedCases::blocks);
    all.put(DOMAIN + "UnfoldTensor", it -> {
      Shape shape = Shape.of(it.number(1, 3), it.number(5, 9), it.number(5, 7), it.number(5, 8));
      it.input(it.tensor(it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32), shape, -9, 9)).with("size", it.number(1,
        5));
      if (it.coin()) {
        it.with("dim", it.oneOf(1, 2, 3, -1, -2, -3));
      }
      if (it.coin()) {
        it.with("step", it.number(1, 3));
      }
    });
    all.put(DOMAIN + "MRotaryEmbedding", FurtherContributedCases::rotary);
    all.put(DOMAIN + "DecoderMaskedMultiHeadAttention", it -> {
      long batch = it.number(1, 3);
      long heads = it.number(1, 3);
      long size = it.oneOf(4, 8);
      long keys = it.number(1, 6);
      Shape cache = Shape.of(batch, heads, keys, size);
      it.input(it.floats(Shape.of(batch, 1, heads * size), -1, 1)).input(it.floats(cache, -1, 1)).input(it.floats(cache,
        -1, 1)).with("num_heads", heads);
      if (it.coin()) {
        TensorView mask = it.tensor(DType.INT32, Shape.of(batch, keys), 0, 1);
        for (long row = 0; row < batch; row++) {
          OneOperator.set(mask, row * keys, 1);
        }
        it.input(mask);
      }
      if (it.coin()) {
        it.with("scale", 0.3f);
      }
    });
    return all;
  }

  private static void images(Map<String, Consumer<OneOperator>> all) {
    all.put("CropAndResize", it -> {
      int images = it.number(1, 3);
      long regions = it.number(1, 4);
      it.input(it.floats(Shape.of(images, it.number(1, 3), it.number(1, 6), it.number(1, 7)), -1, 1)).input(it.floats(
        Shape.of(regions, 4), -0.2, 1.2)).input(it.tensor(DType.INT32, Shape.of(regions), 0, images - 1)).constant(it
          .tensor(DType.INT32, Shape.of(2), 1, 5));
      if (it.coin()) {
        it.with("mode", it.oneOf("bilinear", "nearest"));
      }
      if (it.coin()) {
        it.with("extrapolation_value", 0.5f);
      }
    });
    all.put("MaxpoolWithMask", it -> {
      int axes = it.number(1, 3);
      long[] extents = new long[axes + 2];
      long[] taps = new long[axes];
      long[] strides = new long[axes];
      long[] pads = new long[2 * axes];
      for (int axis = 0; axis < axes; axis++) {
        extents[axis + 2] = it.number(3, 6);
        taps[axis] = it.number(1, 3);
        strides[axis] = it.number(1, 2);
        pads[axis] = it.number(0, (int) taps[axis] - 1);
        pads[axis + axes] = it.number(0, (int) taps[axis] - 1);
      }
      extents[0] = 1;
      extents[1] = 1;
      TensorView mask = it.tensor(DType.INT32, Shape.of(extents), 0, 4);
      extents[0] = it.number(1, 2);
      extents[1] = it.number(1, 3);
      it.input(it.floats(Shape.of(extents), -1, 1)).input(mask).with("kernel_shape", taps);
      if (it.coin()) {
        it.with("strides", strides).with("pads", pads);
      }
    });
    all.put(DOMAIN + "ConvTransposeWithDynamicPads", it -> {
      int axes = it.number(1, 2);
      long group = it.number(1, 2);
      long channels = group * it.number(1, 3);
      long results = it.number(1, 3);
      long[] extents = {it.number(1, 2), channels, it.number(2, 5), it.number(2, 5)};
      long[] weights = {channels, results, 3, 2};
      it.input(it.floats(Shape.of(Arrays.copyOf(extents, axes + 2)), -1, 1)).constant(it.floats(Shape.of(
        Arrays.copyOf(weights, axes + 2)), -1, 1)).with("group", group);
      TensorView pads = it.tensor(DType.INT64, Shape.of(2L * axes), 0, 1);
      if (it.coin()) {
        it.input(pads);
      } else {
        it.constant(pads);
      }
      if (it.coin()) {
        it.constant(it.floats(Shape.of(group * results), -1, 1));
      }
      if (it.coin()) {
        it.with("strides", LongStream.range(0, axes).map(_ -> 2).toArray()).with("output_padding", LongStream.range(0,
          axes).map(_ -> it.number(0, 1)).toArray());
      }
    });
  }

  private static void words(Map<String, Consumer<OneOperator>> all) {
    all.put("MurmurHash3", it -> {
      Shape shape = it.shape(1, 3);
      it.input(it.coin()
        ? it.strings(shape, WORDS)
        : it.tensor(it.oneOf(DType.INT32, DType.INT64, DType.FLOAT32, DType.FLOAT64), shape, -99, 99));
      // The oracle's Java interface has no numbers without a sign.
      it.with("positive", 0);
      if (it.coin()) {
        it.with("seed", it.oneOf(1L, 0x89abcdefL));
      }
    });
    all.put("DynamicTimeWarping", it -> {
      int rows = it.number(1, 9);
      int columns = it.number(1, 9);
      TensorView costs = it.floats(it.coin() ? Shape.of(rows, columns) : Shape.of(1, rows, columns), -1, 1);
      for (long i = 0; it.coin() && i < costs.elementCount(); i++) {
        OneOperator.set(costs, i, it.number(-1, 1));
      }
      it.input(costs);
    });
    all.put("BifurcationDetector", it -> {
      int source = it.number(1, 9);
      int next = it.number(0, source);
      it.input(it.tensor(DType.INT64, Shape.of(source), 0, 2))
        .input(it.tensor(DType.INT64, Shape.of(it.number(1, 6)), 0,
          2))
        .input(it.tensor(DType.INT64, it.coin() ? Shape.of(1) : Shape.SCALAR, next, next)).outputs(2).with(
          "min_ngram_size", 1)
        .with("max_ngram_size", it.number(1, 4));
      if (it.number(0, 3) > 0) {
        it.input(it.tensor(DType.INT64, Shape.of(source + 1L - next), 0, 2));
      }
    });
    all.put(DOMAIN + "NGramRepeatBlock", it -> {
      long batch = it.number(1, 3);
      it.input(it.tensor(DType.INT64, Shape.of(batch, it.number(1, 9)), 0, 2))
        .input(it.floats(Shape.of(batch, it.number(
          3, 5)), -1, 1))
        .with("ngram_size", it.number(1, 4));
    });
    all.put(DOMAIN + "WordConvEmbedding", it -> {
      long length = it.number(3, 8);
      long words = it.number(1, 5);
      long width = it.number(1, 5);
      long results = it.number(1, 6);
      TensorView letters = it.tensor(DType.INT32, Shape.of(words, length), 0, 0);
      for (long word = 0; word < words; word++) {
        // Of a word without letters, ONNX Runtime leaves the result as it finds it.
        long own = it.number(1, (int) length);
        for (long i = 0; i < own; i++) {
          OneOperator.set(letters, word * length + i, it.number(1, 6));
        }
      }
      it.input(letters).constant(it.floats(Shape.of(results, 1, it.number(1, 3), width), -1, 1))
        .constant(it.floats(Shape
          .of(results), -1, 1))
        .constant(it.floats(Shape.of(7, width), -1, 1));
    });
  }

  private static void rotary(OneOperator it) {
    long batch = it.number(1, 2);
    long steps = it.number(1, 4);
    long heads = it.number(1, 3);
    boolean isApart = it.coin();
    boolean alternates = it.coin();
    // Alternating positions take the same number of pairs each, but for the first.
    int each = it.number(1, 2);
    long[] sections = {each + it.number(0, 1), each, alternates ? each : it.number(0, 2)};
    long half = LongStream.of(sections).sum();
    it.input(it.floats(isApart ? Shape.of(batch, heads, steps, 2 * half) : Shape.of(batch, steps, heads * 2 * half), -1,
      1)).input(it.tensor(DType.INT64, Shape.of(3, batch, steps), 0, 7)).constant(it.floats(Shape.of(8, half), -1, 1))
      .constant(it.floats(Shape.of(8, half), -1, 1)).with("mrope_section", sections).with("mrope_layout", alternates
        ? 1
        : 0);
    if (it.coin()) {
      it.with("interleaved", 1);
    }
    if (!isApart) {
      it.with("num_heads", heads).with("rotary_embedding_dim", 2 * half);
    }
  }

  /** Blocks of weights: scale, perhaps a zero point, and codes. */
  private static void blocks(OneOperator it) {
    int kind = it.number(0, 1);
    int block = 32;
    long depth = it.number(1, 140);
    long columns = it.number(1, 7);
    int start = 4 + kind;
    long bytes = start + block / 2L;
    long count = columns * ((depth + block - 1) / block);
    TensorView blob = it.tensor(DType.UINT8, Shape.of(count * bytes), 0, 255);
    for (long i = 0; i < count; i++) {
      float scale = (float) it.floats(Shape.SCALAR, -0.1, 0.1).doubleAt(0);
      blob.segment().set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * bytes, scale);
      if (kind == 1) {
        OneOperator.set(blob, i * bytes + 4, it.number(0, 15));
      }
    }
    it.input(it.floats(it.coin() ? Shape.of(it.number(1, 5), depth) : Shape.of(2, 3, depth), -1, 1)).constant(blob)
      .constant(TensorView.ofLongs(depth, columns)).with("blk_quant_type", kind);
  }

  /** The sizes of a layer of experts. */
  private record Layer(long tokens, long experts, long width, long inner, boolean isGated) {
    long rows() {
      return isGated ? 2 * inner : inner;
    }
  }

  /** Tokens, scores and attributes. */
  private static Layer layer(OneOperator it, int unit) {
    String activation = it.oneOf("relu", "gelu", "silu", "identity", "swiglu");
    long width = (long) unit * it.number(1, 3);
    long inner = unit > 1 && it.coin() ? width : (long) unit * it.number(1, 2) + (unit == 1 ? 7 : 0);
    var layer = new Layer(it.number(1, 6), it.number(2, 5), width, inner, activation.equals("swiglu"));
    Shape tokens = it.coin() ? Shape.of(layer.tokens, layer.width) : Shape.of(1, layer.tokens, layer.width);
    it.input(it.floats(tokens, -1, 1)).input(it.floats(Shape.of(layer.tokens, layer.experts), -2, 2)).with("k", it
      .number(1, 2)).with("activation_type", activation).with("normalize_routing_weights", it.number(0, 1));
    if (layer.isGated) {
      it.with("swiglu_fusion", 1);
      if (it.coin()) {
        it.with("activation_alpha", 1.702f).with("activation_beta", 1f).with("swiglu_limit", 0.5f);
      }
    }
    return layer;
  }

  private static void experts(OneOperator it) {
    Layer layer = layer(it, 1);
    it.constant(it.floats(Shape.of(layer.experts, layer.rows(), layer.width), -1, 1));
    optional(it, Shape.of(layer.experts, layer.rows()));
    it.constant(it.floats(Shape.of(layer.experts, layer.width, layer.inner), -1, 1));
    optional(it, Shape.of(layer.experts, layer.width));
  }

  private static void optional(OneOperator it, Shape shape) {
    if (it.coin()) {
      it.constant(it.floats(shape, -1, 1));
    } else {
      it.absent();
    }
  }

  private static void quantizedExperts(OneOperator it) {
    Layer layer = layer(it, 32);
    int bits = it.oneOf(4, 8);
    // With blocks of 8-bit weights, ONNX Runtime quantises tokens, too.
    boolean hasBlocks = bits == 4 && layer.width == layer.inner;
    it.with("expert_weight_bits", bits);
    if (hasBlocks) {
      it.with("block_size", 32);
    }
    weights(it, bits, hasBlocks, layer.experts, layer.rows(), layer.width);
    weights(it, bits, hasBlocks, layer.experts, layer.width, layer.inner);
  }

  private static void weights(OneOperator it, int bits, boolean hasBlocks, long experts, long rows, long columns) {
    it.constant(it.tensor(DType.UINT8, Shape.of(experts, rows, columns * bits / 8), 0, 255))
      .constant(it.floats(hasBlocks
        ? Shape.of(experts, rows, columns / 32)
        : Shape.of(experts, rows), 0.5 / (1 << bits), 1.0 / (1 << bits)));
    optional(it, Shape.of(experts, rows));
  }
}
