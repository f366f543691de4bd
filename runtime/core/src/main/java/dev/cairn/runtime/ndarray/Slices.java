package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.stream.LongStream;

/** The operator {@code Slice} over exact ranges, one for each axis. */
final class Slices {
  private Slices() {}

  /** A new array, also where everything is selected. */
  static NDArray of(NDArray array, List<SliceRange> ranges) {
    NDArray starts = longs(array, ranges.stream().mapToLong(SliceRange::start));
    NDArray ends = longs(array, ranges.stream().mapToLong(Slices::end));
    NDArray axes = longs(array, LongStream.range(0, ranges.size()));
    NDArray steps = longs(array, ranges.stream().mapToLong(SliceRange::step));
    return array.callAll("Slice", Attributes.NONE, 1, List.of(starts, ends, axes, steps)).get(0);
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
