package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.MOVES_QUANTIZED;
import static dev.cairn.runtime.operator.OperatorTrait.PERMUTES;
import static dev.cairn.runtime.operator.OperatorTrait.RESHAPES;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.ReshapeForm;
import dev.cairn.kernels.attribute.ShapeForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.ChannelsLastRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.RangeRule;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.UnchangedRule;
import dev.cairn.runtime.operator.gradient.MovementGradients;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
import dev.cairn.runtime.operator.partial.MovementPartials;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Operators that leave the bytes alone and give them another shape, and those that only ask for the shape. */
public final class ShapeFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Flatten", 1, 1, ShapeFamily::flatten, MemoryTraits.ALIAS).named("input")
      .with(FOLLOWS_HALF, RESHAPES, MOVES_QUANTIZED).ranged(RangeRule.FIRST).unchanged(UnchangedRule.SAME_TYPE)
      .partial(MovementPartials::flatten).gradient(MovementGradients::reshaped),
    new OperatorDefinition("Identity", 1, 1, context -> List.of(context.input(0)), MemoryTraits.ALIAS).named("input")
      .with(FOLLOWS_HALF, PERMUTES).ranged(RangeRule.FIRST).unchanged(UnchangedRule.ALWAYS)
      .partial(ElementwisePartials::same)
      .gradient(MovementGradients::reshaped),
    new OperatorDefinition("StopGradient", 1, 1, context -> List.of(context.input(0)), MemoryTraits.ALIAS)
      .named("input").partial(ElementwisePartials::same).zeroGradient("it stops gradients"),
    new OperatorDefinition("Reshape", 2, 2, ShapeFamily::reshape, MemoryTraits.ALIAS).named("data", "shape").bounded(
      ShapeFamily::mostReshaped).with(FOLLOWS_HALF, RESHAPES, MOVES_QUANTIZED).ranged(RangeRule.FIRST)
      .unchanged(UnchangedRule.SAME_TYPE).channelsLast(ChannelsLastRule.GROUPS)
      .partial(MovementPartials::reshape).gradient(MovementGradients::reshaped),
    new OperatorDefinition("Squeeze", 1, 2, ShapeFamily::squeeze, MemoryTraits.ALIAS).named("data", "axes")
      .with(FOLLOWS_HALF, RESHAPES, MOVES_QUANTIZED).ranged(RangeRule.FIRST).unchanged(UnchangedRule.SAME_TYPE)
      .partial(MovementPartials::squeeze).gradient(MovementGradients::reshaped),
    new OperatorDefinition("Unsqueeze", 2, 2, ShapeFamily::unsqueeze, MemoryTraits.ALIAS).named("data", "axes")
      .with(FOLLOWS_HALF, RESHAPES, MOVES_QUANTIZED).ranged(RangeRule.FIRST).unchanged(UnchangedRule.SAME_TYPE)
      .partial(MovementPartials::unsqueeze).gradient(MovementGradients::reshaped),
    new OperatorDefinition("Shape", 1, 1, context -> List.of(shapeOf(context).type()), MemoryTraits.NONE,
      context -> Optional.of(shapeOf(context))).named("data").partial(PartialRule.ofElement(DType.INT64))
      .zeroGradient("its result depends on a shape alone"),
    new OperatorDefinition("Size", 1, 1, context -> List.of(sizeOf(context).type()), MemoryTraits.NONE,
      context -> Optional.of(sizeOf(context))).named("data").partial(PartialRule.ofElement(DType.INT64))
      .zeroGradient("its result depends on a shape alone"));

  private ShapeFamily() {}

  /**
   * A matrix: its rows are all axes before {@code axis}, its columns all from it on. {@code axis} may be one past the
   * last.
   */
  private static List<TensorType> flatten(TypeContext context) {
    Shape data = context.shape(0);
    long axis = AxisForm.ofFlatten(context.attributes()).axis();
    if (axis < -data.rank() || axis > data.rank()) {
      throw context.fault("no such axis: axis=%d rank=%d".formatted(axis, data.rank()));
    }
    int split = (int) (axis < 0 ? axis + data.rank() : axis);
    return List.of(context.input(0)
      .withShape(Shape.of(data.elementCount(0, split), data.elementCount(split, data.rank()))));
  }

  /** An extent of 0 keeps the extent at its place, unless {@code allowzero} makes it 0; an extent of -1 is the rest. */
  private static List<TensorType> reshape(TypeContext context) {
    Shape data = context.shape(0);
    long[] wanted = AdmittedTypes.INT64.list(context, 1);
    String asked = Arrays.toString(wanted);
    boolean zeroIsExtent = ReshapeForm.of(context.attributes()).zeroIsExtent();
    int open = -1;
    long known = 1;
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] == 0 && !zeroIsExtent) {
        if (i >= data.rank()) {
          throw context.fault("no input extent to copy: shape=%s place=%d".formatted(asked, i));
        }
        wanted[i] = data.extent(i);
      }
      if (wanted[i] < -1 || (wanted[i] == -1 && open >= 0)) {
        throw context.fault("extents must be at least 0, except for one -1: shape=" + asked);
      }
      if (wanted[i] == -1) {
        open = i;
      } else {
        known = Math.multiplyExact(known, wanted[i]);
      }
    }
    if (open >= 0 && known > 0) {
      wanted[open] = data.elementCount() / known;
    }
    if ((open >= 0 && known == 0) || Shape.of(wanted).elementCount() != data.elementCount()) {
      throw context.fault("element counts differ: from=%s to=%s".formatted(data, asked));
    }
    return List.of(context.input(0).withShape(Shape.of(wanted)));
  }

  /** Bounds each extent by itself, as far as its number has bounds; that of -1 is largest beside the least others. */
  private static Optional<List<TensorType>> mostReshaped(TypeContext context) {
    Shape data = context.shape(0);
    if (context.shape(1).elementCount() == 1) {
      return Optional.of(List.of(context.input(0).withShape(Shape.of(data.elementCount()))));
    }
    return context.range(1).flatMap(asked -> {
      long[] most = asked.most().clone();
      boolean zeroIsExtent = ReshapeForm.of(context.attributes()).zeroIsExtent();
      int open = -1;
      long others = 1;
      for (int i = 0; i < most.length; i++) {
        long least = asked.least()[i];
        if (least == -1 && most[i] == -1 && open < 0) {
          open = i;
          continue;
        }
        if (least == 0 && most[i] == 0 && !zeroIsExtent && i < data.rank()) {
          least = data.extent(i);
          most[i] = least;
        }
        if (least < 1) {
          return Optional.empty();
        }
        others = least > data.elementCount() / others ? data.elementCount() + 1 : others * least;
        most[i] = Math.min(most[i], data.elementCount());
      }
      if (open >= 0) {
        most[open] = data.elementCount() / Math.max(1, others);
      }
      return Optional.of(List.of(context.input(0).withShape(Shape.of(most))));
    });
  }

  /** Without axes, takes away every axis of extent 1. */
  private static List<TensorType> squeeze(TypeContext context) {
    Shape data = context.shape(0);
    boolean all = !context.has(1);
    boolean[] marked = Axes.marked(context, all ? new long[0] : AdmittedTypes.INT64.list(context, 1), data.rank());
    var kept = LongStream.builder();
    for (int axis = 0; axis < data.rank(); axis++) {
      if (marked[axis] && data.extent(axis) != 1) {
        throw context
          .fault("only an axis of extent 1 can be removed: axis=%d extent=%d".formatted(axis, data.extent(axis)));
      }
      if (!marked[axis] && !(all && data.extent(axis) == 1)) {
        kept.add(data.extent(axis));
      }
    }
    return List.of(context.input(0).withShape(Shape.of(kept.build().toArray())));
  }

  /** Axes are those of the result. */
  private static List<TensorType> unsqueeze(TypeContext context) {
    Shape data = context.shape(0);
    long[] axes = AdmittedTypes.INT64.list(context, 1);
    boolean[] added = Axes.marked(context, axes, data.rank() + axes.length);
    long[] extents = new long[added.length];
    int next = 0;
    for (int axis = 0; axis < extents.length; axis++) {
      extents[axis] = added[axis] ? 1 : data.extent(next++);
    }
    return List.of(context.input(0).withShape(Shape.of(extents)));
  }

  /** The extents of axes {@code [start, end)}; bounds are clamped. */
  private static TensorView shapeOf(TypeContext context) {
    long[] extents = context.shape(0).extents();
    int rank = extents.length;
    ShapeForm form = ShapeForm.of(context.attributes(), rank);
    var range = SliceRange.of(form.start(), form.end(), 1, rank);
    int start = Math.toIntExact(range.start());
    return TensorView.ofLongs(Arrays.copyOfRange(extents, start, start + Math.toIntExact(range.count())));
  }

  private static TensorView sizeOf(TypeContext context) {
    return TensorView.ofLong(context.shape(0).elementCount());
  }
}
