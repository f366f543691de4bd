package dev.cairn.runtime.operator.partial;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.ArgumentForm;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.ReductionForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.PartialType;
import java.util.Arrays;
import java.util.Optional;

/** Operators that take some elements, or combine them along axes. */
public final class SelectionPartials {
  private SelectionPartials() {}

  /** The partial rule of operators that give the indexes of extreme elements. */
  public static void argument(PartialCall call) {
    reduceOne(call, DType.INT64);
  }

  public static void gather(PartialCall call) {
    call.sameElement(0);
    int rank = call.operand(0).rank();
    int indexes = call.operand(1).rank();
    if (rank < 1 || indexes < 0) {
      return;
    }
    int axis = call.axis(AxisForm.ofParts(call.attributes()).axis(), rank);
    long[] x = PartialCall.extents(call.operand(0));
    long[] y = PartialCall.open(rank + indexes - 1);
    System.arraycopy(x, 0, y, 0, axis);
    System.arraycopy(PartialCall.extents(call.operand(1)), 0, y, axis, indexes);
    System.arraycopy(x, axis + 1, y, axis + indexes, rank - axis - 1);
    call.tellResultShape(0, y);
    long[] known = PartialCall.extents(call.result(0));
    long[] back = PartialCall.open(rank);
    System.arraycopy(known, 0, back, 0, axis);
    System.arraycopy(known, axis + indexes, back, axis + 1, rank - axis - 1);
    call.tellShape(0, back);
    call.tellShape(1, Arrays.copyOfRange(known, axis, axis + indexes));
  }

  /** Axes that are not sliced are the same on both sides. */
  public static void slice(PartialCall call) {
    call.sameElement(0);
    int rank = Math.max(call.operand(0).rank(), call.result(0).rank());
    if (rank < 0) {
      return;
    }
    call.tellShape(0, PartialCall.open(rank));
    call.tellResultShape(0, PartialCall.open(rank));
    boolean given = call.has(3);
    Optional<long[]> axes = call.longs(3);
    Optional<long[]> starts = call.longs(1);
    if (given ? axes.isEmpty() : starts.isEmpty()) {
      return;
    }
    boolean[] sliced = new boolean[rank];
    if (given) {
      Arrays.stream(axes.orElseThrow()).forEach(it -> sliced[call.axis(it, rank)] = true);
    } else {
      Arrays.fill(sliced, 0, Math.min(rank, starts.orElseThrow().length), true);
    }
    long[] x = PartialCall.extents(call.operand(0));
    long[] y = PartialCall.extents(call.result(0));
    for (int axis = 0; axis < rank; axis++) {
      long both = x[axis] == OPEN ? y[axis] : x[axis];
      x[axis] = sliced[axis] ? OPEN : both;
      y[axis] = x[axis];
    }
    call.tellShape(0, x);
    call.tellResultShape(0, y);
  }

  public static void reduce(PartialCall call) {
    call.sameElement(0);
    int rank = call.operand(0).rank();
    if (rank < 0) {
      return;
    }
    boolean[] reduced = new boolean[rank];
    Optional<long[]> axes = call.longs(1);
    if (axes.isEmpty() && call.has(1)) {
      return;
    }
    Arrays.stream(axes.orElse(new long[0])).forEach(it -> reduced[call.axis(it, rank)] = true);
    if (axes.isEmpty() || axes.get().length == 0) {
      Arrays.fill(reduced, !ReductionForm.of(call.attributes()).isNoneOfNone());
    }
    without(call, ReductionForm.of(call.attributes()).keepsAxes(), reduced);
  }

  private static void reduceOne(PartialCall call, DType result) {
    call.tellResult(0, PartialType.of(result));
    int rank = call.operand(0).rank();
    if (rank > 0) {
      boolean[] reduced = new boolean[rank];
      reduced[call.axis(ArgumentForm.of(call.attributes()).axis(), rank)] = true;
      without(call, ArgumentForm.of(call.attributes()).keepsAxis(), reduced);
    }
  }

  private static void without(PartialCall call, boolean keeps, boolean... reduced) {
    long[] x = PartialCall.extents(call.operand(0));
    long[] y = PartialCall.open(x.length);
    int rank = 0;
    for (int axis = 0; axis < x.length; axis++) {
      if (!reduced[axis] || keeps) {
        y[rank++] = reduced[axis] ? 1 : x[axis];
      }
    }
    call.tellResultShape(0, Arrays.copyOf(y, rank));
    int place = 0;
    for (int axis = 0; axis < x.length; axis++) {
      long known = reduced[axis] ? OPEN : call.result(0).extent(place);
      place += !reduced[axis] || keeps ? 1 : 0;
      x[axis] = known;
    }
    call.tellShape(0, x);
  }
}
