package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Random models of operators that move elements, look them up, ask how many there are, or make them from nothing. */
final class MovingCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();

  private MovingCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put("Identity", it -> data(it, it.shape(0, 4)));
    all.put("Dropout", it -> it.input(it.floats(it.shape(0, 4), -3, 3)).outputs(it.number(1, 2)));
    all.put("Size", it -> data(it, it.shape(0, 4)));
    all.put("Shape", it -> data(it, it.shape(1, 4)).with("start", it.number(-4, 2)).with("end", it.number(-2, 5)));
    all.put("Reshape", MovingCases::reshape);
    all.put("Flatten", it -> {
      Shape shape = it.shape(1, 4);
      data(it, shape).with("axis", it.number(-shape.rank(), shape.rank()));
    });
    all.put("Squeeze", it -> data(it, Shape.of(1, it.extent(), 1, it.extent()))
      .constant(TensorView.ofLongs(it.coin() ? new long[] {0} : new long[] {-2, 0})));
    all.put("Unsqueeze", it -> data(it, it.shape(1, 3)).constant(TensorView.ofLongs(it.oneOf(0, -1), 1)));
    all.put("Concat", MovingCases::concat);
    all.put("Split", MovingCases::split);
    all.put("Slice", MovingCases::slice);
    all.put("Transpose", it -> {
      Shape shape = it.shape(1, 4);
      data(it, shape).with("perm", shuffled(it, shape.rank()));
    });
    all.put("Pad", MovingCases::pad);
    all.put("Tile", it -> {
      Shape shape = it.shape(1, 3);
      long[] repeats = LongStream.range(0, shape.rank()).map(_ -> it.number(1, 3)).toArray();
      data(it, shape).constant(TensorView.ofLongs(repeats));
    });
    all.put("Expand", it -> {
      Shape full = it.shape(0, 4);
      data(it, it.stretching(full)).constant(TensorView.ofLongs(full.extents()));
    });
    all.put("Trilu", it -> data(it, it.shape(2, 4)).constant(TensorView.ofLong(it.number(-3, 3)))
      .with("upper", it.number(0, 1)));
    all.put("DepthToSpace", it -> {
      long block = it.number(1, 3);
      long channels = block * block * it.number(1, 3);
      it.input(it.floats(Shape.of(it.number(1, 2), channels, it.number(1, 5), it.number(1, 5)), -3, 3))
        .with("blocksize", block).with("mode", it.oneOf("DCR", "CRD"));
    });
    all.put("SpaceToDepth", it -> {
      long block = it.number(1, 3);
      long rows = block * it.number(1, 4);
      long columns = block * it.number(1, 4);
      it.input(it.floats(Shape.of(it.number(1, 2), it.number(1, 3), rows, columns), -3, 3))
        .with("blocksize", block);
    });
    all.put("Gather", MovingCases::gather);
    all.put("GatherElements", MovingCases::gatherElements);
    all.put("ScatterND", MovingCases::scatter);
    all.put("ConstantOfShape", it -> it.constant(TensorView.ofLongs(it.shape(1, 3).extents()))
      .with("value", it.tensor(it.oneOf(DType.FLOAT32, DType.INT64, DType.BOOL), Shape.of(1), 0, 1)));
    all.put("Range", MovingCases::range);
    return all;
  }

  private static OneOperator data(OneOperator it, Shape shape) {
    DType dtype = it.oneOf(DType.FLOAT32, DType.INT64, DType.INT32, DType.FLOAT16, DType.BOOL);
    return it.input(it.tensor(dtype, shape, 0, dtype == DType.BOOL ? 1 : 9));
  }

  private static void reshape(OneOperator it) {
    Shape shape = it.shape(1, 4);
    data(it, shape);
    switch (it.number(0, 2)) {
      case 0 -> it.constant(TensorView.ofLongs(-1));
      case 1 -> it.constant(TensorView.ofLongs(0, -1));
      default -> it.constant(TensorView.ofLongs(shape.elementCount(1, shape.rank()), shape.extent(0)));
    }
  }

  private static void concat(OneOperator it) {
    Shape shape = it.shape(1, 4);
    int axis = it.number(0, shape.rank() - 1);
    DType dtype = it.oneOf(DType.FLOAT32, DType.INT64, DType.BOOL);
    int count = it.number(1, 4);
    for (int i = 0; i < count; i++) {
      it.input(it.tensor(dtype, shape.with(axis, it.extent()), 0, 1));
    }
    it.with("axis", it.coin() ? axis : axis - shape.rank());
  }

  private static void split(OneOperator it) {
    Shape shape = it.shape(1, 4);
    int axis = it.number(0, shape.rank() - 1);
    long first = it.extent();
    long second = it.extent();
    if (it.coin()) {
      it.input(it.floats(shape.with(axis, first + second), -3, 3)).constant(TensorView.ofLongs(first, second))
        .outputs(2);
    } else {
      it.input(it.floats(shape.with(axis, 3 * first), -3, 3)).with("num_outputs", 3L).outputs(3);
    }
    it.with("axis", (long) axis);
  }

  private static void slice(OneOperator it) {
    Shape shape = it.shape(1, 4);
    data(it, shape);
    long[] axes = Arrays.copyOf(shuffled(it, shape.rank()), it.number(1, shape.rank()));
    long[] starts = LongStream.of(axes).map(_ -> it.number(-12, 12)).toArray();
    long[] ends = LongStream.of(axes).map(_ -> it.number(-12, 40)).toArray();
    long[] steps = LongStream.of(axes).map(_ -> it.oneOf(1, 1, 2, 3, -1, -2)).toArray();
    it.constant(TensorView.ofLongs(starts)).constant(TensorView.ofLongs(ends)).constant(TensorView.ofLongs(axes))
      .constant(TensorView.ofLongs(steps));
  }

  private static void pad(OneOperator it) {
    Shape shape = it.shape(1, 4);
    String mode = it.oneOf("constant", "reflect", "edge", "wrap");
    long[] pads = new long[2 * shape.rank()];
    for (int i = 0; i < pads.length; i++) {
      // Reflections and wrapped copies of more elements than the axis has are not tested here.
      int most = (int) Math.min(4, shape.extent(i % shape.rank()) - 1);
      pads[i] = it.number(0, mode.equals("constant") ? 4 : most);
    }
    it.input(it.floats(shape, -3, 3)).constant(TensorView.ofLongs(pads)).with("mode", mode);
    if (mode.equals("constant") && it.coin()) {
      it.constant(it.floats(Shape.SCALAR, -1, 1));
    }
  }

  private static void gather(OneOperator it) {
    Shape shape = it.shape(1, 3);
    int axis = it.number(0, shape.rank() - 1);
    double extent = shape.extent(axis);
    data(it, shape).input(it.tensor(it.oneOf(DType.INT64, DType.INT32), it.shape(0, 2), -extent, extent - 1));
    it.with("axis", it.coin() ? axis : axis - shape.rank());
  }

  private static void gatherElements(OneOperator it) {
    Shape shape = it.shape(1, 3);
    int axis = it.number(0, shape.rank() - 1);
    double extent = shape.extent(axis);
    data(it, shape).input(it.tensor(DType.INT64, shape.with(axis, it.extent()), -extent, extent - 1));
    it.with("axis", (long) axis);
  }

  /** Each row of the data is written at most once: no one promises the order of two writes to one place. */
  private static void scatter(OneOperator it) {
    Shape data = it.shape(1, 3);
    long[] rows = Arrays.copyOf(shuffled(it, Math.toIntExact(data.extent(0))), it.number(1, (int) data.extent(0)));
    it.input(it.floats(data, -3, 3)).constant(TensorView.ofLongs(rows).reshaped(Shape.of(rows.length, 1)))
      .input(it.floats(data.with(0, rows.length), -3, 3));
  }

  private static void range(OneOperator it) {
    long step = it.oneOf(1, 2, 3, -1, -2);
    if (it.coin()) {
      it.constant(TensorView.ofLong(it.number(-9, 9))).constant(TensorView.ofLong(it.number(-40, 40)))
        .constant(TensorView.ofLong(step));
    } else {
      it.constant(TensorView.ofFloats(Shape.SCALAR, it.number(-9, 9)))
        .constant(TensorView.ofFloats(Shape.SCALAR, it.number(-40, 40)))
        .constant(TensorView.ofFloats(Shape.SCALAR, step * 0.75f));
    }
  }

  private static long[] shuffled(OneOperator it, int count) {
    List<Long> order = new ArrayList<>(LongStream.range(0, count).boxed().toList());
    Collections.shuffle(order, new Random(it.number(0, 1 << 20)));
    return order.stream().mapToLong(Long::longValue).toArray();
  }
}
