package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Selection;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Parts of arrays: as new arrays by the operator {@code Slice}, and as views. */
final class Slices {
  private static final String SLICE = "Slice";

  private Slices() {}

  /** A new array, also where everything is selected. */
  static NDArray of(NDArray array, List<SliceRange> ranges) {
    return array.apply(SLICE, Attributes.NONE, 1, operands(array, ranges)).get(0);
  }

  private static List<@Nullable NDArray> operands(NDArray array, List<SliceRange> ranges) {
    NDArray starts = longs(array, ranges.stream().mapToLong(SliceRange::start));
    NDArray ends = longs(array, ranges.stream().mapToLong(Slices::end));
    NDArray axes = longs(array, LongStream.range(0, ranges.size()));
    NDArray steps = longs(array, ranges.stream().mapToLong(SliceRange::step));
    return List.of(array, starts, ends, axes, steps);
  }

  /**
   * A view of the selected elements. The follower of the thread's calls is told of a slice and a reshape.
   *
   * @throws IllegalArgumentException as {@link NDArray#view}
   */
  static NDArray view(NDArray array, Selection selection) {
    if (!selection.isContiguous()) {
      throw new IllegalArgumentException(
        "the selected elements are not contiguous: array=%s selected=%s; use get for a "
          .formatted(array.type(), selection.shape()) + "copy");
    }
    if (selection.offset() % array.dtype().perByte() != 0) {
      throw new IllegalArgumentException("the selected elements start within a byte: array=%s first=%d perByte=%d; use "
        .formatted(array.type(), selection.offset(), array.dtype().perByte()) + "get for a copy");
    }
    Shape shape = selection.shape();
    CallFollower follower = FollowedCalls.follower();
    long offset = array.dtype().bytes(selection.offset());
    if (follower == null) {
      return array.viewedAs(array.type().withShape(shape), offset);
    }
    return array.shape().rank() == 0
      ? array.reshape(shape.extents())
      : followed(array, selection, offset, follower);
  }

  private static NDArray followed(NDArray array, Selection selection, long offset, CallFollower follower) {
    Shape shape = selection.shape();
    List<@Nullable NDArray> operands = operands(array, selection.ranges());
    List<NDArray> answer = follower.answer(array.runtime(), SLICE, Attributes.NONE, 1, operands);
    if (answer != null) {
      return answer.get(0).reshape(shape.extents());
    }
    Shape ranges = Shape.of(selection.ranges().stream().mapToLong(SliceRange::count).toArray());
    NDArray sliced = array.viewedAs(array.type().withShape(ranges), offset);
    follower.ran(SLICE, Attributes.NONE, operands, List.of(sliced));
    if (ranges.equals(shape)) {
      return sliced;
    }
    try {
      return sliced.reshape(shape.extents());
    } finally {
      sliced.close();
    }
  }

  /** The same elements where they lie; no tape records it. */
  static NDArray detached(NDArray array) {
    array.requireOpen("detach");
    CallFollower follower = FollowedCalls.follower();
    List<NDArray> answer = follower == null
      ? null
      : follower.answer(array.runtime(), Operators.STOP_GRADIENT, Attributes.NONE, 1, List.of(array));
    return answer == null ? array.viewedAs(array.type(), 0) : answer.get(0);
  }

  private static NDArray longs(NDArray array, LongStream values) {
    return array.constant(TensorView.ofLongs(values.toArray()));
  }

  /** One past the last position: before the axis, ONNX wants the smallest number. */
  private static long end(SliceRange range) {
    long end = range.count() == 0
      ? range.start()
      : range.start() + (range.count() - 1) * range.step() + Long.signum(range.step());
    return end < 0 ? Long.MIN_VALUE : end;
  }
}
