package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Random models of operators that pick, count or scatter elements, and of sums by index. */
final class SelectingCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();

  private SelectingCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put("ArgMax", SelectingCases::argument);
    all.put("ArgMin", SelectingCases::argument);
    all.put("TopK", SelectingCases::top);
    all.put("NonZero", it -> it.constant(it.tensor(it.oneOf(DType.FLOAT32, DType.INT64, DType.BOOL), it.shape(1, 3), 0,
      1)));
    all.put("Compress", it -> {
      Shape shape = it.shape(1, 3);
      int axis = it.number(0, shape.rank() - 1);
      it.input(it.floats(shape, -3, 3)).constant(it.booleans(Shape.of(shape.extent(axis)))).with("axis", (long) axis);
    });
    all.put("Unique", it -> it.constant(it.tensor(it.oneOf(DType.FLOAT32, DType.INT64), it.shape(1, 2), 0, 5)).with(
      "sorted", it.number(0, 1)).outputs(4));
    all.put("NonMaxSuppression", it -> {
      int boxes = it.number(1, 12);
      it.constant(it.floats(Shape.of(1, boxes, 4), 0, 1)).constant(it.floats(Shape.of(1, it.number(1, 3), boxes), 0, 1))
        .constant(TensorView.ofLongs(it.number(0, 5))).constant(TensorView.ofFloats(Shape.of(1), 0.4f))
        .constant(TensorView.ofFloats(Shape.of(1), 0.2f)).with("center_point_box", it.number(0, 1));
    });
    addIndexed(all);
    addSums(all);
    return all;
  }

  private static void addIndexed(Map<String, Consumer<OneOperator>> all) {
    all.put("GatherND", it -> {
      Shape data = it.shape(2, 3);
      double rows = data.extent(0);
      it.input(it.floats(data, -3, 3)).input(it.tensor(DType.INT64, Shape.of(it.number(1, 5), 1), -rows, rows - 1));
    });
    all.put("ScatterElements", SelectingCases::scatter);
    all.put("OneHot", it -> {
      Shape indexes = it.shape(1, 2);
      it.input(it.tensor(DType.INT64, indexes, -6, 8)).constant(TensorView.ofLongs(it.number(1, 5)))
        .input(it.floats(Shape.of(2), -1, 1)).with("axis", it.number(-1, indexes.rank()));
    });
    all.put("EyeLike", it -> it.input(it.floats(it.shape(2, 2), -1, 1)).with("k", it.number(-3, 3)));
    all.put("ReverseSequence", it -> {
      Shape shape = it.shape(2, 3);
      it.input(it.floats(shape, -3, 3)).input(it.tensor(DType.INT64, Shape.of(shape.extent(1)), 1,
        (double) shape.extent(0)));
    });
  }

  private static void addSums(Map<String, Consumer<OneOperator>> all) {
    all.put("CumProd", it -> it.input(it.floats(it.shape(1, 3), 0.9, 1.1)).constant(TensorView.ofLong(0)));
    for (String name : new String[] {"ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"}) {
      all.put(name, it -> SummingCases.reduce(it, DType.FLOAT32, -2, 2));
    }
    all.put("ReduceLogSum", it -> SummingCases.reduce(it, DType.FLOAT32, 0.5, 2));
    for (String name : new String[] {"LogSoftmax", "Hardmax", "LpNormalization"}) {
      all.put(name, it -> {
        Shape shape = it.shape(1, 4);
        it.input(it.floats(shape, -6, 6)).with("axis", it.number(-shape.rank(), shape.rank() - 1));
      });
    }
    all.put("GroupNormalization", SelectingCases::groupNormalization);
    all.put("RMSNormalization", it -> {
      Shape shape = it.shape(1, 3);
      it.input(it.floats(shape, -3, 3)).input(it.floats(Shape.of(shape.extent(-1)), -2, 2));
    });
    all.put("RotaryEmbedding", it -> {
      long steps = it.number(1, 5);
      it.input(it.floats(Shape.of(1, 2, steps, 8), -1, 1)).input(it.floats(Shape.of(1, steps, 4), -1, 1))
        .input(it.floats(Shape.of(1, steps, 4), -1, 1)).with("interleaved", it.number(0, 1));
    });
    all.put("TensorScatter", it -> it.input(it.floats(Shape.of(2, 3, 8, 4), -1, 1))
      .input(it.floats(Shape.of(2, 3, 2, 4), -1, 1)).input(it.tensor(DType.INT64, Shape.of(2), 0, 6)));
    all.put("BitCast", it -> it.input(it.floats(it.shape(0, 3), -1, 1)).with("to", "int32"));
    all.put("Det", it -> {
      long rows = it.number(1, 4);
      it.input(it.floats(Shape.of(it.number(1, 3), rows, rows), -1, 1));
    });
    all.put("Einsum", SelectingCases::einsum);
  }

  private static void argument(OneOperator it) {
    Shape shape = it.shape(1, 4);
    it.input(it.tensor(it.oneOf(DType.FLOAT32, DType.INT32), shape, -5, 5)).with("keepdims", it.number(0, 1))
      .with("axis", it.number(-shape.rank(), shape.rank() - 1)).with("select_last_index", it.number(0, 1));
  }

  private static void top(OneOperator it) {
    Shape shape = it.shape(1, 3);
    int axis = it.number(0, shape.rank() - 1);
    it.input(it.tensor(it.oneOf(DType.FLOAT32, DType.INT64), shape, -50, 50))
      .constant(TensorView.ofLongs(it.number(1, (int) shape.extent(axis)))).with("axis", (long) axis)
      .with("largest", it.number(0, 1)).outputs(2);
  }

  /** With a reduction, updates may meet; without one, the order of two writes to one place means something. */
  private static void scatter(OneOperator it) {
    long rows = it.number(2, 6);
    long columns = it.number(1, 4);
    String reduction = it.oneOf("none", "add", "mul", "max", "min");
    TensorView indexes = reduction.equals("none")
      ? TensorView.ofLongs(LongStream.range(0, columns).map(_ -> it.number(0, (int) rows - 1)).toArray())
        .reshaped(Shape.of(1, columns))
      : it.tensor(DType.INT64, Shape.of(3, columns), -1.0 * rows, rows - 1.0);
    it.input(it.floats(Shape.of(rows, columns), -3, 3)).input(indexes).input(it.floats(indexes.shape(), -3, 3))
      .with("reduction", reduction);
  }

  private static void groupNormalization(OneOperator it) {
    long groups = it.number(1, 3);
    long channels = groups * it.number(1, 3);
    it.input(it.floats(Shape.of(it.number(1, 2), channels, it.number(2, 5), it.number(2, 5)), -3, 3))
      .input(it.floats(Shape.of(channels), -2, 2)).input(it.floats(Shape.of(channels), -2, 2))
      .with("num_groups", groups);
  }

  private static void einsum(OneOperator it) {
    long a = it.number(1, 4);
    long b = it.number(1, 4);
    long c = it.number(1, 4);
    String equation = it.oneOf("ab,bc->ac", "ab,bc", "zab,zbc->zca", "...ab,...bc->...ac", "aab->b", "ab->",
      "ab,ab->a");
    it.with("equation", equation);
    switch (equation) {
      case "aab->b" -> it.input(it.floats(Shape.of(a, a, b), -1, 1));
      case "ab->" -> it.input(it.floats(Shape.of(a, b), -1, 1));
      case "ab,ab->a" -> it.input(it.floats(Shape.of(a, b), -1, 1)).input(it.floats(Shape.of(a, b), -1, 1));
      case "zab,zbc->zca", "...ab,...bc->...ac" -> it.input(it.floats(Shape.of(2, a, b), -1, 1)).input(it.floats(Shape
        .of(2, b, c), -1, 1));
      default -> it.input(it.floats(Shape.of(a, b), -1, 1)).input(it.floats(Shape.of(b, c), -1, 1));
    }
  }
}
