package dev.cairn.runtime.expression;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;

/** Functions that give elements other places, and compute nothing. Negative axes count from the end. */
public interface MovementFunctions<T extends MovementFunctions<T>> extends OperatorCalls<T> {
  /** The same elements under another shape; one extent may be -1. */
  default T reshape(long... extents) {
    return callWith("Reshape", Attributes.NONE.with("allowzero", 1), extents);
  }

  /** The same elements along one axis. */
  default T flatten() {
    return reshape(-1);
  }

  /** Without these axes, which have extent 1; without all such axes, if none are given. */
  default T squeeze(int... axes) {
    return axes.length == 0 ? call("Squeeze", Attributes.NONE) : callWith("Squeeze", Attributes.NONE, longs(axes));
  }

  /** With new axes of extent 1, which are those of the result. */
  default T expandDims(int... axes) {
    return callWith("Unsqueeze", Attributes.NONE, longs(axes));
  }

  /** Axis {@code i} of the result is this one's axis {@code order[i]}; without an order, all axes are reversed. */
  default T transpose(int... order) {
    return call("Transpose", order.length == 0
      ? Attributes.NONE
      : Attributes.NONE.with("perm", AttributeValue.Ints.of(longs(order))));
  }

  /** Stretched to a shape, as operands of two shapes are. */
  default T broadcastTo(long... extents) {
    return callWith("Expand", Attributes.NONE, extents);
  }

  /** Repeated along each axis. */
  default T tile(long... repeats) {
    return callWith("Tile", Attributes.NONE, repeats);
  }

  /**
   * With zeros around.
   *
   * @param pads before each axis, then behind each
   */
  default T pad(long... pads) {
    return callWith("Pad", Attributes.NONE, pads);
  }

  /** This expression and others, one behind another along an axis. */
  default T concat(int axis, List<T> others) {
    return callAll("Concat", Attributes.NONE.with("axis", axis), 1, others).get(0);
  }

  /** Parts of these lengths along an axis. */
  default List<T> split(int axis, long... lengths) {
    return callAll("Split", Attributes.NONE.with("axis", axis), lengths.length, List.of(constant(TensorView.ofLongs(
      lengths))));
  }

  /** The slices at these places of an axis. */
  default T take(T indices, int axis) {
    return call("Gather", Attributes.NONE.with("axis", axis), indices);
  }

  /** The slices at these places of the first axis. */
  default T take(T indices) {
    return call("Gather", Attributes.NONE, indices);
  }

  /** Every step-th element from a start to an end, along each of some axes; a negative step walks backwards. */
  default T slice(T starts, T ends, T axes, T steps) {
    return callAll("Slice", Attributes.NONE, 1, List.of(starts, ends, axes, steps)).get(0);
  }

  /** One element for each index along an axis. */
  default T takeAlongAxis(T indices, int axis) {
    return call("GatherElements", Attributes.NONE.with("axis", axis), indices);
  }

  /** Zeros above the diagonal. */
  default T tril() {
    return call("Trilu", Attributes.NONE.with("upper", 0));
  }

  /** Zeros below the diagonal. */
  default T triu() {
    return call("Trilu", Attributes.NONE.with("upper", 1));
  }

  private static long[] longs(int... values) {
    return Arrays.stream(values).asLongStream().toArray();
  }
}
