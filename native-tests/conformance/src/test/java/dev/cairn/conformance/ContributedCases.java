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
    return all;
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
    it.with("num_heads", heads.heads).with("unidirectional", it.number(0, 1)).outputs(heads.past > 0 ? 2 : it.number(1, 2));
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
        .floats(Shape.SCALAR, 0.01, 0.02)).constant(it.floats(Shape.SCALAR, 0.01, 0.02));
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
        : it.tensor(DType.INT64, Shape.of(batch, steps), 0, 7)).constant(it.floats(Shape.of(8, size / 2), -1, 1))
      .constant(it.floats(Shape.of(8, size / 2), -1, 1)).with("interleaved", it.number(0, 1));
    if (!isApart) {
      it.with("num_heads", heads);
    }
  }
}
