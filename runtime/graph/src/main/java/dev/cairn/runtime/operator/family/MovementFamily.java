package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.ALL_RESULTS_IN_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.MOVES_QUANTIZED;
import static dev.cairn.runtime.operator.OperatorTrait.PERMUTES;
import static dev.cairn.runtime.operator.OperatorTrait.UNMIRRORED;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.BlockForm;
import dev.cairn.kernels.attribute.PadForm;
import dev.cairn.kernels.attribute.SplitForm;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.BoundRule;
import dev.cairn.runtime.operator.ChannelsLastRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.RangeRule;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.UnchangedRule;
import dev.cairn.runtime.operator.ValueRange;
import dev.cairn.runtime.operator.gradient.MovementGradients;
import dev.cairn.runtime.operator.gradient.PadGradient;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
import dev.cairn.runtime.operator.partial.MovementPartials;
import dev.cairn.runtime.operator.partial.SelectionPartials;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/** Operators that put elements at other places and compute nothing. They serve every element type. */
public final class MovementFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Concat", 1, OperatorDefinition.ANY_NUMBER, MovementFamily::concat, MemoryTraits.NONE)
      .named("data").with(FOLLOWS_HALF, MOVES_QUANTIZED, UNMIRRORED).ranged(MovementFamily::joinedRange)
      .unchanged(UnchangedRule.ONE_INPUT).channelsLast(ChannelsLastRule.ALONG_CHANNELS)
      .partial(MovementPartials::concat).gradient(MovementGradients::concat),
    new OperatorDefinition("DepthToSpace", 1, 1, MovementFamily::depthToSpace, MemoryTraits.NONE).named("input")
      .with(FOLLOWS_HALF, MOVES_QUANTIZED).gradient(MovementGradients::depthToSpace),
    new OperatorDefinition("Expand", 2, 2, MovementFamily::expand, MemoryTraits.NONE).named("input", "shape").bounded(
      MovementFamily::mostExpanded).with(FOLLOWS_HALF).unchanged(UnchangedRule.SAME_TYPE)
      .gradient(g -> g.giveFitted(0, g.head())),
    new OperatorDefinition("Pad", 2, 4, MovementFamily::pad, MemoryTraits.NONE)
      .named("data", "pads", "constant_value", "axes").bounded(BoundRule.ofLargest(
        MovementFamily::pad))
      .with(FOLLOWS_HALF).unchanged(UnchangedRule.SAME_TYPE.where(1, false, pad -> pad == 0))
      .gradient(PadGradient::build),
    new OperatorDefinition("Slice", 3, 5, MovementFamily::slice, MemoryTraits.NONE)
      .named("data", "starts", "ends", "axes", "steps").bounded(
        context -> Optional.of(List.of(context.input(0))))
      .with(FOLLOWS_HALF, MOVES_QUANTIZED).unchanged(UnchangedRule.SAME_TYPE.where(4, true, step -> step > 0))
      .partial(SelectionPartials::slice).gradient(MovementGradients::slice),
    new OperatorDefinition("SpaceToDepth", 1, 1, MovementFamily::spaceToDepth, MemoryTraits.NONE).named("input")
      .with(FOLLOWS_HALF, MOVES_QUANTIZED).gradient(MovementGradients::spaceToDepth),
    new OperatorDefinition("Split", 1, 2, MovementFamily::split, MemoryTraits.NONE).named("input", "split")
      .with(FOLLOWS_HALF, ALL_RESULTS_IN_HALF).unchanged((use, result) -> use.outputCount() == 1)
      .channelsLast(ChannelsLastRule.ALONG_CHANNELS)
      .partial(MovementPartials::split)
      .gradient(MovementGradients::split),
    new OperatorDefinition("Tile", 2, 2, MovementFamily::tile, MemoryTraits.NONE).named("input", "repeats")
      .bounded(BoundRule.ofLargest(
        MovementFamily::tile))
      .with(FOLLOWS_HALF).unchanged(UnchangedRule.SAME_TYPE).gradient(MovementGradients::tile),
    new OperatorDefinition("Transpose", 1, 1, MovementFamily::transpose, MemoryTraits.NONE).named("data")
      .with(FOLLOWS_HALF, MOVES_QUANTIZED, PERMUTES).ranged(RangeRule.FIRST).unchanged(MovementFamily::keepsOrder)
      .channelsLast(ChannelsLastRule.ORDER)
      .partial(MovementPartials::transpose).gradient(MovementGradients::transpose),
    new OperatorDefinition("Trilu", 1, 2, MovementFamily::trilu, MemoryTraits.NONE).named("input", "k")
      .with(FOLLOWS_HALF).partial(ElementwisePartials::same).gradient(MovementGradients::triangle));

  private static final Set<String> PAD_MODES = Set.of("constant", "reflect", "edge", "wrap");

  private MovementFamily() {}

  private static List<TensorType> concat(TypeContext context) {
    AdmittedTypes.ANY.requireAll(context);
    if (!AxisForm.ofParts(context.attributes()).isGiven()) {
      throw context.fault("the axis is missing: attribute=axis");
    }
    Shape first = context.shape(0);
    int axis = Axes.index(context, AxisForm.ofParts(context.attributes()).axis(), first.rank());
    long total = 0;
    for (int i = 0; i < context.inputCount(); i++) {
      Shape part = context.shape(i);
      if (part.rank() != first.rank() || !part.with(axis, 0).equals(first.with(axis, 0))) {
        throw context.fault("shapes differ beside the axis: axis=%d input0=%s input%d=%s"
          .formatted(axis, first, i, part));
      }
      total = Math.addExact(total, part.extent(axis));
    }
    return List.of(context.input(0).withShape(first.with(axis, total)));
  }

  /** Broadcasts both ways: where the wanted extent is 1, the data's extent stays. */
  private static List<TensorType> expand(TypeContext context) {
    Shape asked = Shape.of(AdmittedTypes.INT64.list(context, 1));
    return List.of(context.input(0).withShape(context.shape(0).broadcastWith(asked)));
  }

  /** An extent of the data that is not 1 stays, whichever extent is wanted. */
  private static Optional<List<TensorType>> mostExpanded(TypeContext context) {
    long[] data = context.shape(0).extents();
    int asked = (int) context.shape(1).elementCount();
    long[] most = new long[Math.max(data.length, asked)];
    for (int i = 1; i <= most.length; i++) {
      long extent = i > data.length ? 1 : data[data.length - i];
      int place = asked - i;
      Optional<Long> wanted = extent == 1 && place >= 0
        ? context.range(1).map(it -> it.most()[place])
        : Optional.of(extent);
      if (wanted.isEmpty()) {
        return Optional.empty();
      }
      most[most.length - i] = Math.max(0, wanted.get());
    }
    return Optional.of(List.of(context.input(0).withShape(Shape.of(most))));
  }

  /** {@code pads} holds all begins, then all ends; a negative one crops. */
  private static List<TensorType> pad(TypeContext context) {
    String mode = PadForm.of(context.attributes()).mode();
    if (!PAD_MODES.contains(mode)) {
      throw context.fault("unknown padding mode: mode=\"%s\"".formatted(mode));
    }
    if (context.has(2)) {
      AdmittedTypes.ANY.require(context, 0, 2);
      AdmittedTypes.requireSingle(context, 2);
    }
    long[] pads = AdmittedTypes.INT64.list(context, 1);
    Shape result = context.shape(0);
    if ((!context.has(3) && pads.length != 2 * result.rank()) || pads.length % 2 != 0) {
      throw context
        .fault("a begin and an end for each axis are needed: pads=%d rank=%d".formatted(pads.length, result.rank()));
    }
    int[] axes = Axes.each(context, 3, pads.length / 2, result.rank());
    for (int i = 0; i < axes.length; i++) {
      result = result.with(axes[i], padded(context, axes[i], pads[i], pads[i + axes.length]));
    }
    return List.of(context.input(0).withShape(result));
  }

  private static long padded(TypeContext context, int axis, long begin, long end) {
    long extent = context.shape(0).extent(axis);
    long kept = Math.addExact(extent, Math.addExact(Math.min(0, begin), Math.min(0, end)));
    boolean copies = !PadForm.of(context.attributes()).isConstant();
    if (kept < 0 || (copies && kept == 0 && (begin > 0 || end > 0))) {
      throw context.fault("nothing is left to pad: axis=%d extent=%d begin=%d end=%d"
        .formatted(axis, extent, begin, end));
    }
    return Math.addExact(kept, Math.addExact(Math.max(0, begin), Math.max(0, end)));
  }

  private static List<TensorType> slice(TypeContext context) {
    long[] starts = AdmittedTypes.INDEXES.list(context, 1);
    long[] ends = AdmittedTypes.INDEXES.list(context, 2);
    long[] steps = new long[starts.length];
    Arrays.fill(steps, 1);
    if (context.has(4)) {
      steps = AdmittedTypes.INDEXES.list(context, 4);
    }
    if (ends.length != starts.length || steps.length != starts.length) {
      throw context.fault("the numbers of starts, ends and steps differ: starts=%d ends=%d steps=%d"
        .formatted(starts.length, ends.length, steps.length));
    }
    Shape result = context.shape(0);
    if (!context.has(3) && starts.length > result.rank()) {
      throw context.fault("more starts than axes: starts=%d rank=%d".formatted(starts.length, result.rank()));
    }
    int[] axes = Axes.each(context, 3, starts.length, result.rank());
    for (int i = 0; i < axes.length; i++) {
      var range = SliceRange.of(starts[i], ends[i], steps[i], result.extent(axes[i]));
      result = result.with(axes[i], range.count());
    }
    return List.of(context.input(0).withShape(result));
  }

  private static List<TensorType> split(TypeContext context) {
    Shape data = context.shape(0);
    int axis = Axes.index(context, AxisForm.ofParts(context.attributes()).axis(), data.rank());
    long extent = data.extent(axis);
    boolean even = SplitForm.of(context.attributes()).isEven();
    if (even == context.has(1)) {
      throw context.fault("give either split or num_outputs: split=%b num_outputs=%b"
        .formatted(context.has(1), even));
    }
    long[] parts = even ? evenParts(context, extent) : AdmittedTypes.INT64.list(context, 1);
    if (parts.length != context.outputCount() || Arrays.stream(parts).anyMatch(part -> part < 0 || part > extent)
      || Arrays.stream(parts).sum() != extent) {
      throw context.fault("the parts do not add up to the axis: parts=%s outputs=%d extent=%d"
        .formatted(Arrays.toString(parts), context.outputCount(), extent));
    }
    var types = new ArrayList<TensorType>();
    for (long part : parts) {
      types.add(context.input(0).withShape(data.with(axis, part)));
    }
    return types;
  }

  /** Splits into equal parts; the last one is smaller if the extent is no multiple. */
  private static long[] evenParts(TypeContext context, long extent) {
    long count = SplitForm.of(context.attributes()).parts();
    if (count != context.outputCount()) {
      throw context.fault("the numbers of parts and outputs differ: num_outputs=%d outputs=%d"
        .formatted(count, context.outputCount()));
    }
    long[] parts = new long[context.outputCount()];
    Arrays.fill(parts, Math.ceilDiv(extent, count));
    parts[parts.length - 1] = extent - parts[0] * (count - 1);
    return parts;
  }

  private static List<TensorType> tile(TypeContext context) {
    long[] extents = context.shape(0).extents();
    long[] repeats = AdmittedTypes.INT64.list(context, 1);
    if (repeats.length != extents.length) {
      throw context
        .fault("one count for each axis is needed: repeats=%d rank=%d".formatted(repeats.length, extents.length));
    }
    for (int i = 0; i < extents.length; i++) {
      if (repeats[i] < 0) {
        throw context.fault("a negative count: repeats=" + Arrays.toString(repeats));
      }
      extents[i] = Math.multiplyExact(extents[i], repeats[i]);
    }
    return List.of(context.input(0).withShape(Shape.of(extents)));
  }

  /** Without an order, the axes are reversed. */
  private static List<TensorType> transpose(TypeContext context) {
    Shape data = context.shape(0);
    int rank = data.rank();
    long[] order = TransposeForm.of(context.attributes()).order(rank);
    if (order.length != rank || Arrays.stream(order).anyMatch(axis -> axis < 0)) {
      throw context.fault("not a permutation of the axes: perm=%s rank=%d".formatted(Arrays.toString(order), rank));
    }
    Axes.marked(context, order, rank);
    long[] extents = Arrays.stream(order).map(axis -> data.extent((int) axis)).toArray();
    return List.of(context.input(0).withShape(Shape.of(extents)));
  }

  /** Keeps one triangle of each matrix; {@code k} names the diagonal. */
  private static List<TensorType> trilu(TypeContext context) {
    if (context.shape(0).rank() < 2) {
      throw context.fault("not matrices: input=" + context.shape(0));
    }
    if (context.has(1)) {
      AdmittedTypes.INT64.require(context, 1);
      AdmittedTypes.requireSingle(context, 1);
    }
    return List.of(context.input(0));
  }

  private static List<TensorType> depthToSpace(TypeContext context) {
    long block = blockOfImages(context);
    Shape x = context.shape(0);
    requireDivides(context, "channels", x.extent(1), Math.multiplyExact(block, block));
    return List.of(context.input(0).withShape(Shape.of(x.extent(0), x.extent(1) / (block * block),
      Math.multiplyExact(x.extent(2), block), Math.multiplyExact(x.extent(3), block))));
  }

  private static List<TensorType> spaceToDepth(TypeContext context) {
    long block = blockOfImages(context);
    Shape x = context.shape(0);
    requireDivides(context, "rows", x.extent(2), block);
    requireDivides(context, "columns", x.extent(3), block);
    long channels = Math.multiplyExact(x.extent(1), Math.multiplyExact(block, block));
    return List.of(context.input(0).withShape(
      Shape.of(x.extent(0), channels, x.extent(2) / block, x.extent(3) / block)));
  }

  private static long blockOfImages(TypeContext context) {
    long block = BlockForm.of(context.attributes()).size();
    if (context.shape(0).rank() != 4 || block < 1) {
      throw context.fault("blocks of N,C,H,W are needed: input=%s blocksize=%d".formatted(context.shape(0), block));
    }
    return block;
  }

  private static void requireDivides(TypeContext context, String what, long extent, long parts) {
    if (extent % parts != 0) {
      throw context.fault("does not divide: %s=%d parts=%d".formatted(what, extent, parts));
    }
  }

  private static Optional<ValueRange> joinedRange(TypeContext use, int count) {
    LongStream.Builder least = LongStream.builder();
    LongStream.Builder most = LongStream.builder();
    for (int i = 0; i < use.inputCount(); i++) {
      Optional<ValueRange> part = use.shape(i).elementCount() == 0 ? Optional.of(ValueRange.exactly()) : use.range(i);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      Arrays.stream(part.get().least()).forEach(least);
      Arrays.stream(part.get().most()).forEach(most);
    }
    return Optional.of(new ValueRange(least.build().toArray(), most.build().toArray()));
  }

  /** Whether the type stays, and the axes that have more than one element stay in their order. */
  private static boolean keepsOrder(TypeContext use, TensorType result) {
    if (!result.equals(use.input(0))) {
      return false;
    }
    TransposeForm form = TransposeForm.of(use.attributes());
    if (!form.isGiven()) {
      return result.shape().rank() < 2;
    }
    long last = -1;
    for (long axis : form.perm()) {
      if (result.shape().extent((int) axis) != 1) {
        if (axis < last) {
          return false;
        }
        last = axis;
      }
    }
    return true;
  }
}
