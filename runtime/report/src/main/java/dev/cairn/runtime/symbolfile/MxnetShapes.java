package dev.cairn.runtime.symbolfile;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** MXNet's operators that move elements and change shapes. */
final class MxnetShapes {
  private static final int COPY = 0;
  private static final int COPY_REST = -2;
  private static final int MERGE = -3;
  private static final int SPLIT = -4;

  private MxnetShapes() {}

  static void addTo(Map<String, MxnetNode.Conversion> table) {
    MxnetLayers.one(table, node -> MxnetLayers.flat(node.x()), "Flatten", "flatten");
    MxnetLayers.one(table, MxnetShapes::reshape, "Reshape", "reshape");
    MxnetLayers.one(table, node -> node.x().transpose(node.axes("axes")), "transpose");
    MxnetLayers.one(table, node -> node.x().expandDims(Math.toIntExact(node.requiredLong("axis"))), "expand_dims");
    MxnetLayers.one(table, node -> node.x().squeeze(node.axes("axis")), "squeeze");
    MxnetLayers.one(table, node -> MxnetLayers.call(node, "Concat", Attributes.NONE.with("axis", node.integer("dim",
      1))), "Concat", "concat");
    MxnetLayers.one(table, MxnetShapes::stack, "stack");
    MxnetLayers.one(table, node -> node.x().tile(node.longs("reps")), "tile");
    MxnetLayers.one(table, node -> {
      node.require("mode", "clip");
      return clippedTake(node.x(), node.operand(1), node.integer("axis", 0));
    }, "take");
    MxnetLayers.one(table, MxnetShapes::sliceAxis, "slice_axis");
    MxnetLayers.one(table, MxnetShapes::slice, "slice", "crop");
    MxnetLayers.one(table, MxnetShapes::pad, "Pad", "pad");
    table.put("SliceChannel", MxnetShapes::split);
    table.put("split", MxnetShapes::split);
  }

  /** MXNet takes the nearest position for those outside the axis. */
  static Symbol clippedTake(Symbol x, Symbol positions, int axis) {
    Attributes one = axis == -1
      ? Attributes.NONE.with("start", -1)
      : Attributes.NONE.with("start", axis).with("end",
        axis + 1);
    Symbol last = x.extents(one).sub(1);
    Symbol whole = positions.astype(DType.INT64);
    return x.take(whole.maximum(whole.scalar(0)).minimum(last), axis);
  }

  private static Symbol stack(MxnetNode node) {
    int axis = node.integer("axis", 0);
    List<Symbol> parts = node.operands().stream().map(part -> part.expandDims(axis)).toList();
    return parts.get(0).concat(axis, parts.subList(1, parts.size()));
  }

  private static List<Symbol> split(MxnetNode node) {
    int count = Math.toIntExact(node.requiredLong("num_outputs"));
    int axis = node.integer("axis", 1);
    List<Symbol> parts = node.x().apply("Split", Attributes.NONE.with("axis", axis).with("num_outputs", count), count,
      List.of(node.x()));
    return node.flag("squeeze_axis", false) ? parts.stream().map(part -> part.squeeze(axis)).toList() : parts;
  }

  private static Symbol sliceAxis(MxnetNode node) {
    long end = node.find("end").isPresent() ? node.requiredLong("end") : Long.MAX_VALUE;
    return sliced(node.x(), new long[] {node.requiredLong("begin")}, new long[] {end}, new long[] {node.requiredLong(
      "axis")}, new long[] {1});
  }

  private static Symbol slice(MxnetNode node) {
    String[] begins = MxnetNode.items(node.text("begin", "()"));
    String[] ends = MxnetNode.items(node.text("end", "()"));
    String[] steps = MxnetNode.items(node.text("step", "()"));
    long[] from = new long[begins.length];
    long[] to = new long[begins.length];
    long[] by = new long[begins.length];
    long[] axes = new long[begins.length];
    for (int i = 0; i < begins.length; i++) {
      by[i] = i < steps.length && !steps[i].equals("None") ? MxnetNode.parsed("step", steps[i]) : 1;
      from[i] = begins[i].equals("None") ? (by[i] > 0 ? 0 : Long.MAX_VALUE) : MxnetNode.parsed("begin", begins[i]);
      to[i] = i >= ends.length || ends[i].equals("None")
        ? (by[i] > 0 ? Long.MAX_VALUE : Long.MIN_VALUE)
        : MxnetNode.parsed("end", ends[i]);
      axes[i] = i;
    }
    return sliced(node.x(), from, to, axes, by);
  }

  private static Symbol sliced(Symbol x, long[] from, long[] to, long[] axes, long[] by) {
    return x.slice(numbers(x, from), numbers(x, to), numbers(x, axes), numbers(x, by));
  }

  private static Symbol numbers(Symbol x, long... numbers) {
    return x.constant(TensorView.ofLongs(numbers));
  }

  /** The widths come before and behind each axis in turn. */
  private static Symbol pad(MxnetNode node) {
    long[] widths = node.longs("pad_width");
    long[] pads = new long[widths.length];
    for (int i = 0; i < widths.length; i++) {
      pads[i % 2 * (widths.length / 2) + i / 2] = widths[i];
    }
    String mode = node.text("mode", "constant");
    Attributes attributes = Attributes.NONE.with("mode", new AttributeValue.Text(mode));
    return node.x().callAll("Pad", attributes, 1, mode.equals("constant")
      ? List.of(numbers(node.x(), pads), node.x().scalar(node.number("constant_value", 0)))
      : List.of(numbers(node.x(), pads))).get(0);
  }

  private static Symbol reshape(MxnetNode node) {
    node.require("reverse", "False");
    long[] codes = node.longs("shape");
    if (codes.length == 0) {
      throw new MxnetNode.Unsupported("attribute shape is missing; target_shape is not served");
    }
    if (Arrays.stream(codes).allMatch(code -> code > COPY_REST)) {
      return node.x().reshapeKeeping(node.x().longs(codes));
    }
    Symbol x = node.x();
    List<Symbol> extents = new ArrayList<>();
    int axis = 0;
    for (int i = 0; i < codes.length; i++) {
      if (codes[i] > COPY) {
        extents.add(numbers(x, codes[i]));
        axis++;
      } else if (codes[i] == COPY) {
        extents.add(extent(x, axis++));
      } else if (codes[i] == COPY_REST && i == codes.length - 1) {
        extents.add(x.extents(Attributes.NONE.with("start", axis)));
      } else if (codes[i] == MERGE) {
        extents.add(extent(x, axis).mul(extent(x, axis + 1)));
        axis += 2;
      } else if (codes[i] == SPLIT && i + 2 < codes.length) {
        Symbol whole = extent(x, axis++);
        extents.add(codes[i + 1] == -1 ? whole.div(numbers(x, codes[i + 2])) : numbers(x, codes[i + 1]));
        extents.add(codes[i + 2] == -1 ? whole.div(numbers(x, codes[i + 1])) : numbers(x, codes[i + 2]));
        i += 2;
      } else if (codes[i] == -1) {
        extents.add(numbers(x, -1));
        axis++;
      } else {
        throw new MxnetNode.Unsupported("attribute shape=" + Arrays.toString(codes));
      }
    }
    Symbol shape = extents.get(0).concat(0, extents.subList(1, extents.size()));
    return x.reshapeKeeping(shape);
  }

  private static Symbol extent(Symbol x, int axis) {
    return x.extents(Attributes.NONE.with("start", axis).with("end", axis + 1));
  }
}
