package dev.cairn.conformance;

import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

/** Random models of operators that take many elements into one: reductions, products, windows, norms. */
final class SummingCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();

  private SummingCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put("ReduceSum", it -> reduce(it, it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32), -3, 3));
    all.put("ReduceMean", it -> reduce(it, DType.FLOAT32, -3, 3));
    all.put("ReduceMax", it -> reduce(it, it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32), -9, 9));
    all.put("ReduceMin", it -> reduce(it, it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32), -9, 9));
    all.put("ReduceProd", it -> reduce(it, DType.FLOAT32, 0.9, 1.1));
    all.put("CumSum", SummingCases::cumSum);
    all.put("MatMul", SummingCases::matmul);
    all.put("Gemm", SummingCases::gemm);
    all.put("Attention", SummingCases::attention);
    all.put("Conv", SummingCases::convolution);
    all.put("MaxPool", it -> pool(it, false));
    all.put("AveragePool", it -> pool(it, true));
    for (String name : new String[] {"GlobalAveragePool", "GlobalMaxPool"}) {
      all.put(name, it -> it.input(it.floats(image(it, it.number(1, 3), 1), -3, 3)));
    }
    all.put("BatchNormalization", SummingCases::batchNormalization);
    all.put("InstanceNormalization", SummingCases::instanceNormalization);
    all.put("LayerNormalization", SummingCases::layerNormalization);
    all.put("LRN", it -> it.input(it.floats(image(it, 2, 1), -3, 3)).with("size", (long) it.oneOf(1, 3, 5))
      .with("alpha", 0.02f).with("beta", it.oneOf(0.75f, 0.5f)).with("bias", it.oneOf(1f, 2f)));
    all.put("SoftmaxCrossEntropyLoss", SummingCases::classLoss);
    all.put("NegativeLogLikelihoodLoss", SummingCases::classLoss);
    all.put("Softmax", it -> {
      Shape shape = it.shape(1, 4);
      it.input(it.floats(shape, -6, 6)).with("axis", it.number(-shape.rank(), shape.rank() - 1));
    });
    return all;
  }

  static void reduce(OneOperator it, DType dtype, double low, double high) {
    Shape shape = it.shape(1, 4);
    it.input(it.tensor(dtype, shape, low, high)).with("keepdims", it.number(0, 1));
    long[] axes = LongStream.range(0, shape.rank()).filter(_ -> it.coin()).map(a -> it.coin() ? a : a - shape.rank())
      .toArray();
    if (axes.length > 0) {
      it.constant(TensorView.ofLongs(axes));
    } else {
      it.with("noop_with_empty_axes", it.number(0, 1));
    }
  }

  private static void cumSum(OneOperator it) {
    Shape shape = it.shape(1, 3);
    it.input(it.floats(shape, -2, 2)).constant(TensorView.ofLong(it.number(-shape.rank(), shape.rank() - 1)));
    it.with("exclusive", it.number(0, 1)).with("reverse", it.number(0, 1));
  }

  /** The shapes of two operands. */
  record Operands(Shape left, Shape right) {}

  static Operands multiplied(OneOperator it) {
    long inner = it.extent();
    Shape batch = it.shape(0, 2);
    Shape left = it.number(0, 4) == 0 ? Shape.of(inner) : joined(it.stretching(batch), it.extent(), inner);
    Shape right = it.number(0, 4) == 0 ? Shape.of(inner) : joined(it.stretching(batch), inner, it.extent());
    return new Operands(left, right);
  }

  private static void matmul(OneOperator it) {
    Operands shapes = multiplied(it);
    it.input(it.floats(shapes.left(), -1, 1));
    TensorView b = it.floats(shapes.right(), -1, 1);
    if (it.coin()) {
      it.constant(b);
    } else {
      it.input(b);
    }
  }

  private static Shape joined(Shape outer, long... inner) {
    long[] extents = Arrays.copyOf(outer.extents(), outer.rank() + inner.length);
    System.arraycopy(inner, 0, extents, outer.rank(), inner.length);
    return Shape.of(extents);
  }

  private static void gemm(OneOperator it) {
    long rows = it.extent();
    long inner = it.extent();
    long columns = it.extent();
    boolean turnLeft = it.coin();
    boolean turnRight = it.coin();
    it.input(it.floats(turnLeft ? Shape.of(inner, rows) : Shape.of(rows, inner), -1, 1));
    it.input(it.floats(turnRight ? Shape.of(columns, inner) : Shape.of(inner, columns), -1, 1));
    if (it.coin()) {
      it.input(it.floats(it.stretching(Shape.of(rows, columns)), -1, 1));
    }
    it.with("transA", turnLeft ? 1L : 0L).with("transB", turnRight ? 1L : 0L);
    it.with("alpha", it.oneOf(1f, 0.5f)).with("beta", it.oneOf(1f, -2f));
  }

  /** Heads apart, several of the queries' to one of the keys' at times. */
  private static void attention(OneOperator it) {
    long batch = it.number(1, 2);
    long keyHeads = it.number(1, 3);
    long heads = keyHeads * it.number(1, 2);
    long queries = it.number(1, 9);
    long keys = it.coin() ? queries : it.number(1, 20);
    long depth = it.number(1, 17);
    long valueDepth = it.number(1, 17);
    it.input(it.floats(Shape.of(batch, heads, queries, depth), -2, 2))
      .input(it.floats(Shape.of(batch, keyHeads, keys, depth), -2, 2))
      .input(it.floats(Shape.of(batch, keyHeads, keys, valueDepth), -1, 1));
    long past = it.coin() ? it.number(1, 5) : 0;
    if (it.coin()) {
      it.input(it.floats(Shape.of(queries, keys + past), -3, 3));
    } else if (past > 0) {
      it.absent();
    }
    if (past > 0) {
      it.input(it.floats(Shape.of(batch, keyHeads, past, depth), -2, 2))
        .input(it.floats(Shape.of(batch, keyHeads, past, valueDepth), -1, 1)).outputs(it.oneOf(3, 4));
      it.with("qk_matmul_output_mode", (long) it.oneOf(0, 3));
    }
    // With past keys, ONNX Runtime lets a single query see all keys, and several queries only the keys up to their
    // places.
    boolean mayBeCausal = past == 0 || queries > 1 || keys == 1;
    it.with("is_causal", mayBeCausal ? it.number(0, 1) : 0);
    if (it.coin()) {
      it.with("scale", it.oneOf(0.5f, 0.1f));
    }
    if (it.number(0, 2) == 0) {
      it.with("softcap", it.oneOf(0.5f, 2f));
    }
  }

  /** {@code N,C,spatial...} with as many spatial axes, each of at least that extent. */
  private static Shape image(OneOperator it, int spatial, int least) {
    long[] extents = new long[spatial + 2];
    extents[0] = it.number(1, 2);
    extents[1] = it.number(1, 9);
    for (int i = 2; i < extents.length; i++) {
      extents[i] = it.number(least, spatial == 3 ? least + 4 : least + 13);
    }
    return Shape.of(extents);
  }

  private static void convolution(OneOperator it) {
    Operands shapes = convolved(it, it.number(1, 3));
    it.input(it.floats(shapes.left(), -1, 1)).constant(it.floats(shapes.right(), -1, 1));
    if (it.coin()) {
      it.constant(it.floats(Shape.of(shapes.right().extent(0)), -1, 1));
    }
  }

  /** The shapes of an image and weights; sets the attributes of the convolution. */
  static Operands convolved(OneOperator it, int spatial) {
    int groups = it.oneOf(1, 1, 2, 4);
    boolean depthwise = groups > 1 && it.coin();
    long[] x = image(it, spatial, 7).extents();
    x[1] = (long) groups * (depthwise ? 1 : it.number(1, 5));
    long[] w = new long[spatial + 2];
    w[0] = (long) groups * it.number(1, 9);
    w[1] = x[1] / groups;
    long[] taps = windows(it, spatial, false);
    System.arraycopy(taps, 0, w, 2, spatial);
    it.with("group", (long) groups);
    return new Operands(Shape.of(x), Shape.of(w));
  }

  /** Chooses taps of at most 3, strides, dilations and padding; the image must be 7 or more. */
  private static long[] windows(OneOperator it, int spatial, boolean pooling) {
    long[] taps = filled(spatial, () -> it.number(1, 3));
    long[] strides = filled(spatial, () -> it.number(1, 3));
    String padding = it.oneOf("NOTSET", "NOTSET", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER");
    it.with("kernel_shape", taps).with("auto_pad", padding);
    // Steps wider than the window would need negative padding. ONNX's shape inference takes none then, and so
    // does Cairn; ONNX Runtime's average pool starts later instead.
    Arrays.setAll(strides, i -> padding.startsWith("SAME") ? Math.min(strides[i], taps[i]) : strides[i]);
    it.with("strides", strides);
    if (padding.equals("NOTSET")) {
      long[] pads = new long[2 * spatial];
      for (int i = 0; i < pads.length; i++) {
        pads[i] = it.number(0, pooling ? (int) taps[i % spatial] - 1 : 2);
      }
      it.with("pads", pads).with("dilations", filled(spatial, () -> it.number(1, 2)));
    }
    return taps;
  }

  private static long[] filled(int count, IntSupplier next) {
    long[] all = new long[count];
    Arrays.setAll(all, _ -> next.getAsInt());
    return all;
  }

  private static void pool(OneOperator it, boolean average) {
    int spatial = it.number(1, 3);
    it.input(it.floats(image(it, spatial, 7), -3, 3));
    windows(it, spatial, true);
    if (average) {
      it.with("count_include_pad", it.number(0, 1));
    }
  }

  private static void classLoss(OneOperator it) {
    Shape scores = it.shape(2, 4);
    Shape labels = ClassLoss.labels(scores);
    it.input(it.floats(scores, -3, 3)).input(it.tensor(DType.INT64, labels, 0, (double) scores.extent(1) - 1));
    it.with("reduction", it.oneOf("none", "sum", "mean"));
    if (it.coin()) {
      it.constant(it.floats(Shape.of(scores.extent(1)), 0.5, 2));
    }
    if (it.coin()) {
      it.with("ignore_index", 99);
    }
  }

  private static void batchNormalization(OneOperator it) {
    Shape x = it.shape(2, 4);
    Shape channels = Shape.of(x.extent(1));
    it.input(it.floats(x, -3, 3)).constant(it.floats(channels, 0.5, 2)).constant(it.floats(channels, -1, 1))
      .constant(it.floats(channels, -1, 1)).constant(it.floats(channels, 0.5, 2))
      .with("epsilon", it.oneOf(1e-5f, 1e-2f));
  }

  private static void instanceNormalization(OneOperator it) {
    Shape x = image(it, it.number(1, 3), 3);
    Shape channels = Shape.of(x.extent(1));
    it.input(it.floats(x, -3, 3)).constant(it.floats(channels, 0.5, 2)).constant(it.floats(channels, -1, 1))
      .with("epsilon", it.oneOf(1e-5f, 1e-2f));
  }

  private static void layerNormalization(OneOperator it) {
    Shape outer = it.shape(1, 2);
    long[] inner = it.coin() ? new long[] {it.number(3, 40)} : new long[] {it.number(2, 5), it.number(2, 9)};
    Shape part = Shape.of(inner);
    it.input(it.floats(joined(outer, inner), -3, 3)).constant(it.floats(part, 0.5, 2));
    if (it.coin()) {
      it.constant(it.floats(part, -1, 1));
    }
    it.with("axis", it.coin() ? (long) outer.rank() : -(long) part.rank()).with("epsilon", it.oneOf(1e-5f, 1e-2f));
  }
}
