package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Index;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Functions that select elements by the values of an array, as NumPy's advanced indexing with one index. */
public sealed interface SelectionFunctions permits NDArray {
  /** Views of the positions of the first axis, without that axis: what a loop over the array goes through. */
  default List<NDArray> unbind() {
    NDArray array = (NDArray) this;
    if (array.shape().rank() == 0) {
      throw new IllegalArgumentException("an array without axes has no positions: array=" + array.type());
    }
    return LongStream.range(0, array.shape().extent(0)).mapToObj(i -> array.view(Index.at(i))).toList();
  }

  /**
   * A new array with the elements that another array selects.
   *
   * @param index bools for the leading axes, which choose elements in their order: the call waits for their values. Or
   *   whole numbers: positions of the first axis
   * @throws IllegalArgumentException when the shapes do not fit, or the index has another element type
   */
  default NDArray get(NDArray index) {
    NDArray array = (NDArray) this;
    try (NDArray places = places(array, index)) {
      return array.call(Operators.GATHER_ND, Attributes.NONE, places);
    }
  }

  /**
   * Overwrites the elements that another array selects, as {@link #get(NDArray)} does, with a value that broadcasts to
   * them. Waits for the values of bools. Of equal positions, the last one counts.
   */
  default NDArray set(NDArray value, NDArray index) {
    NDArray array = (NDArray) this;
    array.requireWritable("set", List.of(value, index));
    try (NDArray places = places(array, index)) {
      long[] chosen = places.shape().extents();
      int indexed = Math.toIntExact(chosen[chosen.length - 1]);
      long[] rest = Arrays.copyOfRange(array.shape().extents(), indexed, array.shape().rank());
      long[] all = LongStream.concat(Arrays.stream(chosen, 0, chosen.length - 1), Arrays.stream(rest)).toArray();
      try (NDArray updates = value.broadcastTo(all);
        NDArray changed = array.callAll("ScatterND", Attributes.NONE, 1, List.of(places, updates)).get(0)) {
        array.copyFrom(changed);
      }
    }
    return array;
  }

  /** Overwrites the elements that another array selects with a number. */
  default NDArray set(Number value, NDArray index) {
    return set(((NDArray) this).scalar(value), index);
  }

  /** The positions that an index selects, along a last axis of their own. */
  private static NDArray places(NDArray array, NDArray index) {
    if (index.dtype() == DType.BOOL) {
      long[] leading = Arrays.copyOf(array.shape().extents(), Math.min(index.shape().rank(), array.shape().rank()));
      if (!Arrays.equals(leading, index.shape().extents()) || leading.length == 0) {
        throw new IllegalArgumentException(
          "a mask has the extents of the leading axes: array=%s mask=%s".formatted(array
            .type(), index.type()));
      }
      try (NDArray places = index.call("NonZero", Attributes.NONE)) {
        return places.transpose();
      }
    }
    if (index.dtype().isFloat() || array.shape().rank() == 0) {
      throw new IllegalArgumentException(
        "an index is a mask of bools, or whole numbers for the first axis: array=%s index=%s".formatted(array.type(),
          index.type()));
    }
    try (NDArray places = index.astype(DType.INT64)) {
      return places.call(Operators.UNSQUEEZE, Attributes.NONE, array.constant(TensorView.ofLongs(-1)));
    }
  }
}
