package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;

import dev.cairn.kernels.attribute.ArgumentForm;
import dev.cairn.kernels.attribute.ReductionForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.RangeRule;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.TypeRule;
import dev.cairn.runtime.operator.ValueRange;
import dev.cairn.runtime.operator.gradient.ReduceGradients;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
import dev.cairn.runtime.operator.partial.SelectionPartials;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Operators that take many elements along axes into one: {@code (data, axes?)}, or into one for each place of an
 * axis.
 */
public final class ReduceFamily {
  /** The result has indexes on the axis. */
  private static final RangeRule PLACES = new RangeRule() {
    @Override
    public Optional<ValueRange> list(TypeContext use, int count) {
      return uniform(use).flatMap(it -> it.any(count));
    }

    @Override
    public Optional<ValueRange> uniform(TypeContext use) {
      Shape data = use.shape(0);
      long axis = ArgumentForm.of(use.attributes()).axis();
      long extent = data.rank() == 0 ? 1 : data.extent((int) axis);
      return extent == 0 ? Optional.empty() : Optional.of(ValueRange.of(1, 0, extent - 1));
    }
  };

  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("ArgMax", 1, 1, ReduceFamily::argument, MemoryTraits.NONE).named("data").ranged(PLACES)
      .partial(SelectionPartials::argument).zeroGradient("its results are places"), //
    new OperatorDefinition("ArgMin", 1, 1, ReduceFamily::argument, MemoryTraits.NONE).named("data").ranged(PLACES)
      .partial(SelectionPartials::argument).zeroGradient("its results are places"), //
    new OperatorDefinition("CumProd", 2, 2, ReduceFamily::running, MemoryTraits.NONE).named("x", "axis")
      .partial(ElementwisePartials::same).since(26).gradient(ReduceGradients::productsSoFar), //
    new OperatorDefinition("CumSum", 2, 2, ReduceFamily::running, MemoryTraits.NONE).named("x", "axis")
      .partial(ElementwisePartials::same).gradient(ReduceGradients::sumsSoFar), //
    row("ReduceL1", AdmittedTypes.WIDE).gradient(ReduceGradients::absoluteSum), //
    row("ReduceL2", AdmittedTypes.WIDE).gradient(ReduceGradients::norm), //
    row("ReduceLogSum", AdmittedTypes.WIDE).gradient(ReduceGradients::logSum), //
    row("ReduceLogSumExp", AdmittedTypes.WIDE).gradient(ReduceGradients::logSumExp), //
    row("ReduceMax", AdmittedTypes.REDUCED_BY_ORDER).with(FOLLOWS_HALF).ranged(RangeRule.SELECTED)
      .gradient(ReduceGradients::extremum), //
    row("ReduceMean", AdmittedTypes.WIDE).gradient(ReduceGradients::mean), //
    row("ReduceMin", AdmittedTypes.REDUCED_BY_ORDER).with(FOLLOWS_HALF).ranged(RangeRule.SELECTED)
      .gradient(ReduceGradients::extremum), //
    row("ReduceProd", AdmittedTypes.WIDE).gradient(ReduceGradients::product), //
    row("ReduceSum", AdmittedTypes.WIDE).ranged(ReduceFamily::summedRange).gradient(ReduceGradients::sum), //
    row("ReduceSumSquare", AdmittedTypes.WIDE).gradient(ReduceGradients::sumOfSquares));

  private ReduceFamily() {}

  private static OperatorDefinition row(String name, AdmittedTypes admitted) {
    TypeRule rule = context -> reduced(context, admitted.require(context, 0));
    return new OperatorDefinition(name, 1, 2, rule, MemoryTraits.NONE).named("data", "axes").partial(
      SelectionPartials::reduce);
  }

  private static List<TensorType> reduced(TypeContext context, DType dtype) {
    Shape data = context.shape(0);
    boolean[] reduced = axes(context, data.rank());
    boolean keep = ReductionForm.of(context.attributes()).keepsAxes();
    var extents = LongStream.builder();
    for (int axis = 0; axis < data.rank(); axis++) {
      if (!reduced[axis]) {
        extents.add(data.extent(axis));
      } else if (keep) {
        extents.add(1);
      }
    }
    return List.of(new TensorType(dtype, Shape.of(extents.build().toArray())));
  }

  /** If no axes are given, every axis is reduced, or none if {@code noop_with_empty_axes} says so. */
  private static boolean[] axes(TypeContext context, int rank) {
    long[] axes = context.has(1) ? AdmittedTypes.INT64.list(context, 1) : new long[0];
    boolean[] marked = Axes.marked(context, axes, rank);
    if (axes.length == 0) {
      Arrays.fill(marked, !ReductionForm.of(context.attributes()).isNoneOfNone());
    }
    return marked;
  }

  /** The index of one element of each line along an axis, which must have elements. */
  private static List<TensorType> argument(TypeContext context) {
    AdmittedTypes.NUMBERS.require(context, 0);
    Shape data = context.shape(0);
    int axis = Axes.index(context, ArgumentForm.of(context.attributes()).axis(), data.rank());
    Shape result = ArgumentForm.of(context.attributes()).keepsAxis() ? data.with(axis, 1) : data.without(axis);
    if (data.extent(axis) == 0 && result.elementCount() > 0) {
      throw context.fault("an empty axis has no such place: data=%s axis=%d".formatted(data, axis));
    }
    return List.of(new TensorType(DType.INT64, result));
  }

  /** Running sums or products along the axis that the second input names. */
  private static List<TensorType> running(TypeContext context) {
    AdmittedTypes.WIDE.require(context, 0);
    AdmittedTypes.INDEXES.require(context, 1);
    AdmittedTypes.requireSingle(context, 1);
    context.knownValue(1).ifPresent(axis -> Axes.index(context, axis.longAt(0), context.shape(0).rank()));
    return List.of(context.input(0));
  }

  private static Optional<ValueRange> summedRange(TypeContext use, int count) {
    long summed = use.shape(0).elementCount() / Math.max(1, count);
    return use.uniformRange(0).flatMap(it -> it.times(ValueRange.exactly(summed))).flatMap(it -> it.any(count));
  }
}
