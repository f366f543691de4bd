package dev.cairn.runtime.expression;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import java.util.Arrays;
import java.util.List;

/** Functions that give elements other places, and compute nothing. Negative axes count from the end. */
public interface MovementFunctions<T extends MovementFunctions<T>> extends OperatorCalls<T> {
  /** The same elements under another shape; one extent may be -1. */
  default T reshape(long... extents) {
    return reshape(longs(extents));
  }

  /** The same elements under a shape that another expression computes; one extent may be -1. */
  default T reshape(T extents) {
    return call("Reshape", Attributes.NONE.with("allowzero", 1), extents);
  }

  /** Like {@link #reshape}, where an extent of 0 stands for this expression's extent of that axis. */
  default T reshapeKeeping(T extents) {
    return call("Reshape", Attributes.NONE, extents);
  }

  /** A matrix: the axes before one are its rows, those from it on its columns. */
  default T flatten(int axis) {
    return call("Flatten", Attributes.NONE.with("axis", axis));
  }

  /** The same elements along one axis. */
  default T flatten() {
    return reshape(-1);
  }

  /** This expression without these axes, which have extent 1; without all such axes, if none are given. */
  default T squeeze(int... axes) {
    return axes.length == 0 ? call("Squeeze", Attributes.NONE) : squeeze(longs(wide(axes)));
  }

  /** This expression without these axes, which have extent 1. */
  default T squeeze(T axes) {
    return call("Squeeze", Attributes.NONE, axes);
  }

  /** This expression with new axes of extent 1, numbered as in the result. */
  default T expandDims(int... axes) {
    return expandDims(longs(wide(axes)));
  }

  /** This expression with new axes of extent 1, numbered as in the result. */
  default T expandDims(T axes) {
    return call("Unsqueeze", Attributes.NONE, axes);
  }

  /** Axis {@code i} of the result is this one's axis {@code order[i]}; without an order, all axes are reversed. */
  default T transpose(int... order) {
    return call("Transpose", order.length == 0
      ? Attributes.NONE
      : Attributes.NONE.with("perm", AttributeValue.Ints.of(wide(order))));
  }

  /** This expression stretched to a shape, as operands of two shapes are. */
  default T broadcastTo(long... extents) {
    return broadcastTo(longs(extents));
  }

  /** This expression stretched to a shape that another expression computes. */
  default T broadcastTo(T extents) {
    return call("Expand", Attributes.NONE, extents);
  }

  /** This expression repeated along each axis. */
  default T tile(long... repeats) {
    return callWith("Tile", Attributes.NONE, repeats);
  }

  /**
   * This expression with zeros around it.
   *
   * @param pads before each axis, then behind each
   */
  default T pad(long... pads) {
    return callWith("Pad", Attributes.NONE, pads);
  }

  /** This expression and others, one behind another along an axis. */
  default T concat(int axis, List<T> others) {
    return concat(Attributes.NONE.with("axis", axis), others);
  }

  /** @param attributes of {@code Concat} */
  default T concat(Attributes attributes, List<T> others) {
    return callAll("Concat", attributes, 1, others).get(0);
  }

  /** Parts of these lengths along an axis. */
  default List<T> split(int axis, long... lengths) {
    return split(axis, lengths.length, longs(lengths));
  }

  /** Parts along an axis, with the lengths in another expression. */
  default List<T> split(int axis, int count, T lengths) {
    return callAll("Split", Attributes.NONE.with("axis", axis), count, List.of(lengths));
  }

  /** The numbers from this scalar on, before a limit, by steps. */
  default T rangeTo(T limit, T step) {
    return callAll("Range", Attributes.NONE, 1, List.of(limit, step)).get(0);
  }

  /** The same elements, as a result of its own. */
  default T identity() {
    return call("Identity", Attributes.NONE);
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

  /** This expression with zeros above the diagonal. */
  default T tril() {
    return call("Trilu", Attributes.NONE.with("upper", 0));
  }

  /** This expression with zeros below the diagonal. */
  default T triu() {
    return call("Trilu", Attributes.NONE.with("upper", 1));
  }

  private static long[] wide(int... values) {
    return Arrays.stream(values).asLongStream().toArray();
  }
}
