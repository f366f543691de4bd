package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Random models of operators of domain com.microsoft that graphs do not have: Cairn reads them as others. */
final class ContributedCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();
  private static final String DOMAIN = "com.microsoft::";

  private ContributedCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put(DOMAIN + "Attention", ContributedCases::attention);
    all.put(DOMAIN + "QAttention", ContributedCases::quantizedAttention);
    all.put(DOMAIN + "MultiHeadAttention", ContributedCases::multiHead);
    all.put(DOMAIN + "GroupQueryAttention", ContributedCases::grouped);
    all.put(DOMAIN + "RotaryEmbedding", ContributedCases::rotary);
    real(all);
    moving(all);
    quantized(all);
    return all;
  }

  private static void real(Map<String, Consumer<OneOperator>> all) {
    all.put(DOMAIN + "BiasGelu", it -> {
      Shape shape = it.shape(1, 3);
      it.input(it.floats(shape, -3, 3)).input(it.floats(Shape.of(shape.extent(-1)), -1, 1));
    });
    all.put(DOMAIN + "FastGelu", it -> {
      Shape shape = it.shape(1, 3);
      it.input(it.floats(shape, -3, 3));
      if (it.coin()) {
        it.input(it.floats(Shape.of(shape.extent(-1)), -1, 1));
      }
    });
    all.put(DOMAIN + "Gelu", it -> it.input(it.floats(it.shape(0, 3), -3, 3)));
    all.put(DOMAIN + "QuickGelu", it -> {
      it.input(it.floats(it.shape(0, 3), -3, 3));
      if (it.coin()) {
        it.with("alpha", it.number(1, 3) / 2f);
      }
    });
    all.put(DOMAIN + "SkipLayerNormalization", it -> {
      Shape shape = skipped(it);
      optional(it, Shape.of(shape.extent(-1)));
      optional(it, Shape.of(shape.extent(-1)));
    });
    all.put(DOMAIN + "SkipSimplifiedLayerNormalization", it -> optional(it, Shape.of(skipped(it).extent(-1))));
    all.put(DOMAIN + "EmbedLayerNormalization", ContributedCases::embedded);
    all.put(DOMAIN + "FusedMatMul", it -> {
      product(it, it.coin(), it.coin(), it.number(2, 4));
    });
    all.put(DOMAIN + "TransposeMatMul", it -> product(it, false, false, it.number(2, 4)));
    all.put(DOMAIN + "FusedGemm", ContributedCases::fusedGemm);
    all.put(DOMAIN + "FusedConv", it -> {
      long channels = it.number(1, 3);
      long results = it.number(1, 4);
      it.input(it.floats(Shape.of(it.number(1, 2), channels, 5, 6), -1, 1)).constant(it.floats(Shape.of(results,
        channels, 3, 3), -1, 1));
      if (it.coin()) {
        it.constant(it.floats(Shape.of(results), -1, 1));
      }
      it.with("activation", it.oneOf("Relu", "Tanh", "Sigmoid")).with("pads", 1, it.number(0, 1), 1, 0).with("strides",
        it.number(1, 2), 1).with("kernel_shape", 3, 3);
    });
    all.put(DOMAIN + "CausalConvWithState", it -> {
      long batch = it.number(1, 2);
      long channels = it.extent();
      long taps = it.number(2, 4);
      it.input(it.floats(Shape.of(batch, channels, it.number(1, 6)), -1, 1)).constant(it.floats(Shape.of(channels, 1,
        taps), -1, 1));
      optional(it, Shape.of(channels));
      optional(it, Shape.of(batch, channels, taps - 1));
      it.outputs(2).with("activation", it.oneOf("none", "silu"));
    });
    all.put(DOMAIN + "LinearAttention", it -> {
      long batch = it.number(1, 2);
      long steps = it.number(1, 4);
      long heads = it.number(1, 3);
      long size = it.oneOf(2, 4);
      String rule = it.oneOf("linear", "gated", "delta", "gated_delta");
      Shape rows = Shape.of(batch, steps, heads * size);
      it.input(it.floats(rows, -1, 1)).input(it.floats(rows, -1, 1)).input(it.floats(rows, -1, 1)).with("q_num_heads",
        heads).with("kv_num_heads", heads).with("update_rule", rule).outputs(2);
      optional(it, Shape.of(batch, heads, size, size));
      if (rule.startsWith("gated")) {
        it.input(it.floats(Shape.of(batch, steps, heads), -1, 0));
      } else {
        it.absent();
      }
      if (rule.endsWith("delta")) {
        it.input(it.floats(Shape.of(batch, steps, heads), 0, 1));
      }
    });
    all.put(DOMAIN + "CDist", it -> {
      long columns = it.extent();
      it.input(it.floats(Shape.of(it.extent(), columns), -1, 1)).input(it.floats(Shape.of(it.extent(), columns), -1, 1))
        .with("metric", it.oneOf("sqeuclidean", "euclidean"));
    });
    all.put(DOMAIN + "MatMulInteger16", it -> {
      long depth = it.extent();
      it.input(it.tensor(DType.INT16, Shape.of(it.extent(), depth), -300, 300)).input(it.tensor(DType.INT16, Shape.of(
        depth, it.extent()), -300, 300));
    });
    all.put(DOMAIN + "GridSample", it -> it.input(it.floats(Shape.of(1, 2, 4, 5), -1, 1)).input(it.floats(Shape.of(1, 3,
      2, 2), -1.2, 1.2)).with("mode", it.oneOf("bilinear", "nearest", "bicubic")).with("padding_mode", it.oneOf("zeros",
        "border", "reflection"))
      .with("align_corners", it.number(0, 1)));
  }

  private static Shape skipped(OneOperator it) {
    Shape shape = Shape.of(it.number(1, 3), it.number(1, 4), it.oneOf(5, 8, 16));
    it.input(it.floats(shape, -1, 1)).input(it.floats(it.coin() ? shape : shape.with(0, 1), -1, 1)).constant(it.floats(
      Shape.of(shape.extent(-1)), 0.5, 2)).with("epsilon", 1e-3f);
    return shape;
  }

  private static void embedded(OneOperator it) {
    Shape ids = Shape.of(it.number(1, 3), it.number(1, 5));
    long width = 8;
    boolean hasSegments = it.coin();
    it.input(whole(it, ids, 0, 5));
    if (hasSegments) {
      it.input(whole(it, ids, 0, 1));
    } else {
      it.absent();
    }
    it.constant(it.floats(Shape.of(6, width), -1, 1)).constant(it.floats(Shape.of(7, width), -1, 1));
    if (hasSegments) {
      it.constant(it.floats(Shape.of(2, width), -1, 1));
    } else {
      it.absent();
    }
    it.constant(it.floats(Shape.of(width), 0.5, 2)).constant(it.floats(Shape.of(width), -1, 1)).with("epsilon", 1e-3f)
      .outputs(
        2);
    if (it.coin()) {
      it.input(kept(it, ids));
    } else {
      it.absent();
    }
    if (it.coin()) {
      it.input(whole(it, it.coin() ? ids : ids.with(0, 1), 0, 6));
    }
  }

  /** Operands whose matrices, or batches, are transposed as attributes say. */
  private static void product(OneOperator it, boolean movesA, boolean movesB, int rank) {
    long[] batch = new long[rank - 2];
    for (int i = 0; i < batch.length; i++) {
      batch[i] = it.number(1, 3);
    }
    long depth = it.extent();
    boolean turnsA = it.coin();
    boolean turnsB = it.coin();
    long rows = it.extent();
    long columns = it.extent();
    boolean canMove = rank > 2;
    it.input(it.floats(matrices(batch, turnsA ? depth : rows, turnsA ? rows : depth, movesA && canMove), -1, 1)).input(
      it.floats(matrices(batch, turnsB ? columns : depth, turnsB ? depth : columns, movesB && canMove), -1, 1));
    it.with("transA", turnsA ? 1 : 0).with("transB", turnsB ? 1 : 0);
    if (movesA && canMove) {
      it.with("transBatchA", 1);
    }
    if (movesB && canMove) {
      it.with("transBatchB", 1);
    }
    if (it.coin()) {
      it.with("alpha", 0.5f);
    }
  }

  private static Shape matrices(long[] batch, long rows, long columns, boolean isRowFirst) {
    long[] extents = new long[batch.length + 2];
    System.arraycopy(batch, 0, extents, isRowFirst ? 1 : 0, batch.length);
    extents[isRowFirst ? 0 : batch.length] = rows;
    extents[batch.length + 1] = columns;
    return Shape.of(extents);
  }

  private static void fusedGemm(OneOperator it) {
    boolean turnsA = it.coin();
    boolean turnsB = it.coin();
    long rows = it.extent();
    long depth = it.extent();
    long columns = it.extent();
    it.input(it.floats(turnsA ? Shape.of(depth, rows) : Shape.of(rows, depth), -1, 1)).input(it.floats(turnsB
      ? Shape.of(columns, depth)
      : Shape.of(depth, columns), -1, 1)).with("transA", turnsA ? 1 : 0).with("transB", turnsB ? 1 : 0).with("alpha",
        0.5f);
    if (it.coin()) {
      it.input(it.floats(Shape.of(columns), -1, 1)).with("beta", 2f);
    }
    String activation = it.oneOf("Relu", "Tanh", "Sigmoid", "LeakyRelu");
    it.with("activation", activation);
    if (activation.equals("LeakyRelu")) {
      it.with("activation_alpha", 0.2f);
    }
  }

  private static void moving(Map<String, Consumer<OneOperator>> all) {
    all.put(DOMAIN + "Trilu", it -> {
      it.input(it.floats(it.shape(2, 4), -1, 1)).with("upper", it.number(0, 1));
      if (it.coin()) {
        it.input(it.tensor(DType.INT64, Shape.SCALAR, -3, 3));
      }
    });
    all.put(DOMAIN + "GatherND", it -> it.input(it.floats(Shape.of(3, 4, 5), -1, 1)).input(it.tensor(DType.INT64, Shape
      .of(2, it.number(1, 3)), 0, 2)));
    all.put(DOMAIN + "ExpandDims", it -> it.input(it.floats(it.shape(1, 3), -1, 1)).constant(whole(it, Shape.SCALAR, -2,
      1)));
    all.put(DOMAIN + "Pad", it -> {
      it.input(it.floats(Shape.of(3, 4), -1, 1)).constant(it.tensor(DType.INT64, Shape.of(4), 0, 2)).with("mode", it
        .oneOf("constant", "reflect", "edge"));
      if (it.coin()) {
        it.constant(it.floats(Shape.of(1), -1, 1));
      }
    });
    all.put(DOMAIN + "Range", it -> {
      it.constant(whole(it, Shape.SCALAR, 0, 3)).constant(whole(it, Shape.SCALAR, 4, 9));
      if (it.coin()) {
        it.constant(whole(it, Shape.SCALAR, 1, 3));
      }
    });
    all.put(DOMAIN + "SampleOp", it -> it.input(it.floats(it.shape(0, 3), -1, 1)));
    all.put(DOMAIN + "Unique", it -> {
      TensorView x = it.floats(Shape.of(it.number(1, 20)), -1, 1);
      for (long i = 0; i < x.elementCount(); i++) {
        OneOperator.set(x, i, it.number(0, 4));
      }
      it.input(x).outputs(3);
    });
    all.put(DOMAIN + "NhwcMaxPool", it -> it.input(it.tensor(it.oneOf(DType.INT8, DType.UINT8), Shape.of(it.number(1,
      2), it.number(3, 6), it.number(3, 6), it.extent()), 0, 127)).with("kernel_shape", 2, 3).with("strides", it.number(
        1, 2), 1)
      .with("pads", it.number(0, 1), 1, 0, 1));
  }

  private static TensorView scale(OneOperator it) {
    return it.floats(Shape.SCALAR, 0.01, 0.03);
  }

  private static TensorView bytes(OneOperator it, DType dtype, Shape shape) {
    return dtype == DType.UINT8 ? it.tensor(dtype, shape, 0, 255) : it.tensor(dtype, shape, -128, 127);
  }

  /** Scale and zero point. */
  private static void steps(OneOperator it, DType dtype) {
    it.constant(scale(it)).constant(bytes(it, dtype, Shape.SCALAR));
  }

  private static void quantized(Map<String, Consumer<OneOperator>> all) {
    for (String name : new String[] {"QLinearAdd", "QLinearMul"}) {
      all.put(DOMAIN + name, it -> {
        DType dtype = it.oneOf(DType.UINT8, DType.INT8);
        Shape shape = it.shape(1, 3);
        it.input(bytes(it, dtype, shape));
        steps(it, dtype);
        it.input(bytes(it, dtype, it.stretching(shape)));
        steps(it, dtype);
        steps(it, dtype);
      });
    }
    for (String name : new String[] {"QLinearSigmoid", "QLinearLeakyRelu"}) {
      all.put(DOMAIN + name, it -> {
        DType dtype = it.oneOf(DType.UINT8, DType.INT8);
        it.input(bytes(it, dtype, it.shape(1, 3)));
        steps(it, dtype);
        steps(it, dtype);
      });
    }
    all.put(DOMAIN + "QLinearSoftmax", it -> {
      DType dtype = it.oneOf(DType.UINT8, DType.INT8);
      // ONNX Runtime rounds in another way with other scales, and 1 becomes 0.
      it.input(bytes(it, dtype, Shape.of(it.number(2, 5), it.number(2, 9), it.number(2, 5))));
      steps(it, dtype);
      it.constant(TensorView.ofFloats(Shape.SCALAR, 1f / 256))
        .constant(it.tensor(dtype, Shape.SCALAR, dtype == DType.UINT8 ? 0 : -128, dtype == DType.UINT8 ? 0 : -128));
      it.with("opset", it.oneOf(12, 13)).with("axis", it.number(0, 1));
    });
    for (String name : new String[] {"QLinearAveragePool", "QLinearGlobalAveragePool"}) {
      all.put(DOMAIN + name, it -> {
        DType dtype = it.oneOf(DType.UINT8, DType.INT8);
        boolean isLast = it.coin();
        long channels = it.extent();
        long rows = it.number(3, 6);
        it.input(bytes(it, dtype, isLast ? Shape.of(2, rows, 5, channels) : Shape.of(2, channels, rows, 5)));
        steps(it, dtype);
        steps(it, dtype);
        it.with("channels_last", isLast ? 1 : 0);
        if (name.equals("QLinearAveragePool")) {
          it.with("kernel_shape", 2, 3).with("strides", it.number(1, 2), 1).with("count_include_pad", it.number(0, 1))
            .with("pads", it.number(0, 1), 1, 0, 1);
        }
      });
    }
    all.put(DOMAIN + "QLinearConcat", it -> {
      DType dtype = it.oneOf(DType.UINT8, DType.INT8);
      steps(it, dtype);
      for (int i = 0; i < 2; i++) {
        it.input(bytes(it, dtype, Shape.of(2, it.extent(), 3)));
        steps(it, dtype);
      }
      it.with("axis", 1);
    });
    all.put(DOMAIN + "QLinearWhere", it -> {
      Shape shape = it.shape(1, 3);
      it.input(it.booleans(shape));
      for (int i = 0; i < 2; i++) {
        it.input(bytes(it, DType.UINT8, shape));
        steps(it, DType.UINT8);
      }
      steps(it, DType.UINT8);
    });
    all.put(DOMAIN + "QLinearConv", it -> {
      boolean isLast = it.coin();
      long channels = it.number(1, 4);
      long results = it.number(1, 4);
      it.input(bytes(it, DType.UINT8, isLast ? Shape.of(1, 5, 6, channels) : Shape.of(1, channels, 5, 6)));
      steps(it, DType.UINT8);
      it.constant(it.tensor(DType.INT8, Shape.of(results, channels, 3, 2), -64, 63)).constant(scale(it)).constant(it
        .tensor(DType.INT8, Shape.SCALAR, 0, 0));
      it.constant(it.floats(Shape.SCALAR, 0.2, 0.4)).constant(bytes(it, DType.UINT8, Shape.SCALAR)).with(
        "channels_last", isLast ? 1 : 0);
    });
    all.put(DOMAIN + "DynamicQuantizeMatMul", it -> {
      DType dtype = it.oneOf(DType.UINT8, DType.INT8);
      long depth = it.extent();
      long columns = it.extent();
      it.input(it.floats(Shape.of(it.number(1, 9), depth), -2, 3)).constant(it.tensor(dtype, Shape.of(depth, columns),
        0, 63)).constant(it.floats(it.coin() ? Shape.SCALAR : Shape.of(columns), 0.01, 0.03));
      it.absent();
      optional(it, Shape.of(columns));
    });
    all.put(DOMAIN + "QGemm", it -> {
      boolean turns = it.coin();
      long depth = it.extent();
      long columns = it.extent();
      it.input(it.tensor(DType.UINT8, Shape.of(it.number(1, 9), depth), 0, 127));
      steps(it, DType.UINT8);
      it.constant(it.tensor(DType.INT8, turns ? Shape.of(columns, depth) : Shape.of(depth, columns), -64, 63)).constant(
        scale(it)).constant(it.tensor(DType.INT8, Shape.SCALAR, -9, 9)).with("transB", turns ? 1 : 0);
      if (it.coin()) {
        it.constant(whole(it, Shape.of(columns), -900, 900));
      }
    });
    all.put(DOMAIN + "GatherBlockQuantized", it -> {
      int bits = it.oneOf(4, 8);
      boolean hasZeros = it.coin();
      it.constant(it.tensor(DType.UINT8, Shape.of(9, 64L * bits / 8), 0, 255)).input(it.tensor(it.oneOf(DType.INT32,
        DType.INT64), it.shape(1, 2), 0, 8)).constant(it.floats(Shape.of(9, 4), 0.1, 0.2)).with("bits", bits).with(
          "block_size", 16);
      if (hasZeros) {
        it.constant(it.tensor(DType.UINT8, Shape.of(9, 4L * bits / 8), 0, 255));
      }
    });
  }

  /** The sizes of an attention. */
  private record Heads(long batch, long steps, long heads, long size, long past) {
    static Heads of(OneOperator it) {
      return new Heads(it.number(1, 3), it.number(1, 5), it.number(1, 3), it.oneOf(2, 4, 8), it.coin()
        ? 0
        : it.number(1, 4));
    }

    long width() {
      return heads * size;
    }

    long keys() {
      return steps + past;
    }
  }

  private static TensorView whole(OneOperator it, Shape shape, long low, long high) {
    return it.tensor(DType.INT32, shape, low, high);
  }

  /** Which keys count, in one of the forms that the processor knows; the first key always does. */
  private static void mask(OneOperator it, Heads heads) {
    switch (it.number(0, 3)) {
      case 0 -> it.absent();
      case 1 -> it.input(whole(it, Shape.of(heads.batch), 1, heads.keys()));
      case 2 -> it.input(kept(it, Shape.of(heads.batch, heads.keys())));
      default -> it.input(kept(it, Shape.of(heads.batch, heads.steps, heads.keys())));
    }
  }

  private static TensorView kept(OneOperator it, Shape shape) {
    TensorView mask = whole(it, shape, 0, 1);
    for (long row = 0; row < mask.elementCount(); row += shape.extent(-1)) {
      OneOperator.set(mask, row, 1);
    }
    return mask;
  }

  private static void attention(OneOperator it) {
    Heads heads = Heads.of(it);
    long input = it.number(1, 6);
    it.input(it.floats(Shape.of(heads.batch, heads.steps, input), -1, 1)).constant(it.floats(Shape.of(input, 3 * heads
      .width()), -1, 1)).constant(it.floats(Shape.of(3 * heads.width()), -1, 1));
    mask(it, heads);
    if (heads.past > 0) {
      it.input(it.floats(Shape.of(2, heads.batch, heads.heads, heads.past, heads.size), -1, 1));
    } else {
      it.absent();
    }
    // ONNX Runtime refuses both a cache and a bias.
    if (heads.past == 0 && it.coin()) {
      it.input(it.floats(Shape.of(it.coin() ? 1 : heads.batch, heads.heads, heads.steps, heads.keys()), -1, 1));
    }
    it.with("num_heads", heads.heads).with("unidirectional", it.number(0, 1))
      .outputs(heads.past > 0 ? 2 : it.number(1, 2));
    if (it.coin()) {
      it.with("scale", 0.3f);
    }
    if (it.coin()) {
      it.with("qkv_hidden_sizes", heads.width(), heads.width(), heads.width());
    }
  }

  private static void quantizedAttention(OneOperator it) {
    Heads heads = Heads.of(it);
    long input = it.number(1, 6);
    DType weights = it.oneOf(DType.UINT8, DType.INT8);
    it.input(it.tensor(DType.UINT8, Shape.of(heads.batch, heads.steps, input), 0, 127)).constant(it.tensor(weights,
      Shape.of(input, 3 * heads.width()), 0, 60)).constant(it.floats(Shape.of(3 * heads.width()), -1, 1)).constant(it
        .floats(Shape.SCALAR, 0.01, 0.02))
      .constant(it.floats(Shape.SCALAR, 0.01, 0.02));
    mask(it, heads);
    it.constant(it.tensor(DType.UINT8, Shape.SCALAR, 50, 70)).constant(it.tensor(weights, Shape.SCALAR, 20, 40));
    if (heads.past > 0) {
      it.input(it.floats(Shape.of(2, heads.batch, heads.heads, heads.past, heads.size), -1, 1)).outputs(2);
    }
    it.with("num_heads", heads.heads).with("unidirectional", it.number(0, 1));
  }

  private static void multiHead(OneOperator it) {
    Heads heads = Heads.of(it);
    long given = heads.past > 0 ? heads.steps : it.number(1, 5);
    long keys = given + heads.past;
    it.input(it.floats(Shape.of(heads.batch, heads.steps, heads.width()), -1, 1)).input(it.floats(Shape.of(heads.batch,
      given, heads.width()), -1, 1)).input(it.floats(Shape.of(heads.batch, given, heads.width()), -1, 1));
    optional(it, Shape.of(3 * heads.width()));
    if (it.coin()) {
      it.input(kept(it, Shape.of(heads.batch, keys)));
    } else {
      it.absent();
    }
    optional(it, Shape.of(1, heads.heads, heads.steps, keys));
    if (heads.past > 0) {
      Shape cache = Shape.of(heads.batch, heads.heads, heads.past, heads.size);
      it.input(it.floats(cache, -1, 1)).input(it.floats(cache, -1, 1)).outputs(3);
    }
    it.with("num_heads", heads.heads);
    if (it.coin()) {
      it.with("scale", 0.3f);
    }
    if (given == heads.steps) {
      it.with("unidirectional", it.number(0, 1));
    }
  }

  private static void optional(OneOperator it, Shape shape) {
    if (it.coin()) {
      it.input(it.floats(shape, -1, 1));
    } else {
      it.absent();
    }
  }

  private static void grouped(OneOperator it) {
    long batch = it.number(1, 2);
    long keyHeads = it.number(1, 2);
    long heads = keyHeads * it.number(1, 3);
    long size = it.oneOf(16, 32);
    boolean isFirst = it.coin();
    long steps = isFirst ? it.number(1, 5) : 1;
    long buffer = isFirst ? 0 : it.number(1, 4);
    long total = isFirst ? steps : buffer + 1;
    boolean isPacked = it.coin();
    long width = (isPacked ? heads + 2 * keyHeads : heads) * size;
    it.input(it.floats(Shape.of(batch, steps, width), -1, 1));
    for (int i = 0; i < 2; i++) {
      if (isPacked) {
        it.absent();
      } else {
        it.input(it.floats(Shape.of(batch, steps, keyHeads * size), -1, 1));
      }
    }
    Shape cache = Shape.of(batch, keyHeads, buffer, size);
    it.input(it.floats(cache, -1, 1)).input(it.floats(cache, -1, 1));
    TensorView lengths = whole(it, Shape.of(batch), total - 1, total - 1);
    it.input(lengths).constant(whole(it, Shape.of(1), total, total)).with("num_heads", heads).with("kv_num_heads",
      keyHeads).outputs(3);
    if (it.coin()) {
      it.constant(it.floats(Shape.of(16, size / 2), -1, 1)).constant(it.floats(Shape.of(16, size / 2), -1, 1)).with(
        "do_rotary", 1).with("rotary_interleaved", it.number(0, 1));
    }
    if (it.coin()) {
      it.with("local_window_size", it.number(1, 3));
    }
    if (it.coin()) {
      it.with("softcap", 2f);
    }
    if (it.coin()) {
      it.with("scale", 0.3f);
    }
  }

  private static void rotary(OneOperator it) {
    long batch = it.number(1, 2);
    long steps = it.number(1, 4);
    long heads = it.number(1, 3);
    long size = it.oneOf(4, 8);
    boolean isApart = it.coin();
    it.input(it.floats(isApart ? Shape.of(batch, heads, steps, size) : Shape.of(batch, steps, heads * size), -1, 1))
      .input(it.coin()
        ? it.tensor(DType.INT64, Shape.of(1), 0, 4)
        : it.tensor(DType.INT64, Shape.of(batch, steps), 0, 7))
      .constant(it.floats(Shape.of(8, size / 2), -1, 1))
      .constant(it.floats(Shape.of(8, size / 2), -1, 1)).with("interleaved", it.number(0, 1));
    if (!isApart) {
      it.with("num_heads", heads);
    }
  }
}
