package dev.cairn.conformance;

import static dev.cairn.conformance.RandomModel.ints;

import dev.cairn.conformance.RandomModel.Value;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** The next piece of a {@link RandomModel}: an operator that moves elements, and makes other shapes. */
final class RandomMoves {
  private final RandomModel model;

  RandomMoves(RandomModel model) {
    this.model = model;
  }

  void add(Value x) {
    int axis = model.number(0, x.rank() - 1);
    long extent = x.shape().extent(axis);
    switch (model.number(0, 10)) {
      case 0 -> addTranspose(x);
      case 1 -> addReshape(x);
      case 2 -> addSlice(x, axis, extent);
      case 3 -> model.add(model.apply("Concat", Attributes.NONE.with("axis", axis), x.entry(), model.stretched(x)),
        with(x, axis, 2 * extent));
      case 4 -> addSplit(x, axis, extent);
      case 5 -> addPad(x);
      case 6 -> addGather(x, axis, extent);
      case 7 -> addAxis(x, axis);
      case 8 -> model.addBounded(model.apply("CumSum", Attributes.NONE.with("exclusive", model.number(0, 1)).with(
        "reverse", model.number(0, 1)), x.entry(), model.longs(axis)), x.shape().extents());
      case 9 -> addTile(x, axis, extent);
      default -> addFlatOfShape(x);
    }
  }

  private static long[] with(Value x, int axis, long extent) {
    return x.shape().with(axis, extent).extents();
  }

  private void addTranspose(Value x) {
    List<Long> order = new ArrayList<>(LongStream.range(0, x.rank()).boxed().toList());
    Collections.shuffle(order, new Random(model.number(0, 1 << 20)));
    if (x.rank() == 2) {
      // ONNX Runtime treats any transposition before Gemm as a swap of axes, whatever its order is.
      order = List.of(1L, 0L);
    }
    long[] perm = order.stream().mapToLong(Long::longValue).toArray();
    model.add(model.apply("Transpose", Attributes.NONE.with("perm", ints(perm)), x.entry()), LongStream.of(perm).map(
      axis -> x.shape().extent((int) axis)).toArray());
  }

  /** Two neighbouring axes become one, or one becomes two. */
  private void addReshape(Value x) {
    long[] before = x.shape().extents();
    int axis = model.number(0, x.rank() - 1);
    List<Long> after = new ArrayList<>(LongStream.of(before).boxed().toList());
    if (x.rank() > 1 && axis + 1 < x.rank()) {
      after.set(axis, before[axis] * before[axis + 1]);
      after.remove(axis + 1);
    } else if (x.rank() < 4) {
      long part = before[axis] % 2 == 0 ? 2 : 1;
      after.set(axis, before[axis] / part);
      after.add(axis, part);
    }
    long[] result = after.stream().mapToLong(Long::longValue).toArray();
    long[] wanted = result.clone();
    if (model.coin()) {
      wanted[model.number(0, wanted.length - 1)] = -1;
    }
    model.add(model.apply("Reshape", x.entry(), model.longs(wanted)), result);
  }

  private void addSlice(Value x, int axis, long extent) {
    long start = model.number(0, (int) extent - 1);
    if (model.coin()) {
      long step = model.number(1, 2);
      long end = model.number((int) start + 1, (int) extent);
      model.add(model.apply("Slice", x.entry(), model.longs(start), model.longs(end), model.longs(axis), model.longs(
        step)), with(x, axis, Math.ceilDiv(end - start, step)));
    } else {
      model.add(model.apply("Slice", x.entry(), model.longs(start), model.longs(Long.MIN_VALUE), model.longs(axis),
        model.longs(-1)), with(x, axis, start + 1));
    }
  }

  private void addSplit(Value x, int axis, long extent) {
    if (extent > 1) {
      long first = model.number(1, (int) extent - 1);
      List<NodeEntry> parts = model.split(Attributes.NONE.with("axis", axis), x.entry(), model.longs(first, extent
        - first));
      model.add(parts.get(0), with(x, axis, first));
      model.add(parts.get(1), with(x, axis, extent - first));
    }
  }

  private void addPad(Value x) {
    String mode = model.oneOf("constant", "edge", "reflect", "wrap");
    long[] pads = new long[2 * x.rank()];
    long[] result = x.shape().extents();
    for (int i = 0; i < pads.length; i++) {
      int axis = i % x.rank();
      pads[i] = model.number(0, (int) Math.min(2, mode.equals("constant") ? 2 : x.shape().extent(axis) - 1));
      result[axis] += pads[i];
    }
    Attributes attributes = Attributes.NONE.with("mode", RandomOperators.text(mode));
    model.add(model.apply("Pad", attributes, x.entry(), model.longs(pads)), result);
  }

  private void addGather(Value x, int axis, long extent) {
    long[] indexes = new long[model.number(1, 5)];
    Arrays.setAll(indexes, _ -> model.number((int) -extent, (int) extent - 1));
    model.add(model.apply("Gather", Attributes.NONE.with("axis", axis), x.entry(), model.longs(indexes)), with(x, axis,
      indexes.length));
  }

  private void addAxis(Value x, int axis) {
    List<Long> extents = new ArrayList<>(LongStream.of(x.shape().extents()).boxed().toList());
    if (x.rank() < 4) {
      extents.add(axis, 1L);
      model.add(model.apply("Unsqueeze", x.entry(), model.longs(axis)), extents.stream().mapToLong(Long::longValue)
        .toArray());
    } else if (x.shape().extent(axis) == 1) {
      extents.remove(axis);
      model.add(model.apply("Squeeze", x.entry(), model.longs(axis)), extents.stream().mapToLong(Long::longValue)
        .toArray());
    }
  }

  private void addTile(Value x, int axis, long extent) {
    long[] times = new long[x.rank()];
    Arrays.fill(times, 1);
    times[axis] = model.number(1, 3);
    model.add(model.apply("Tile", x.entry(), model.longs(times)), with(x, axis, extent * times[axis]));
  }

  /** What exporters write for a view: extents taken from the shape and put together anew. */
  private void addFlatOfShape(Value x) {
    NodeEntry first = model.apply("Gather", model.apply("Shape", x.entry()), model.longs(0));
    NodeEntry wanted = model.apply("Concat", Attributes.NONE.with("axis", 0), first, model.longs(-1));
    long rows = x.shape().extent(0);
    model.add(model.apply("Reshape", x.entry(), wanted), rows, x.shape().elementCount() / rows);
  }
}
