package dev.cairn.kernels.tensor;

/**
 * What a slice selects of one axis: indexes {@code start}, {@code start + step}, ... {@code count} of them. When
 * {@code count} is positive, all of these are indexes of the axis; when it is 0, {@code start} means nothing.
 *
 * @param start first index selected
 * @param step from one index to the next; negative walks backwards, never 0
 * @param count how many indexes are selected; at least 0
 */
public record SliceRange(long start, long step, long count) {
  public SliceRange {
    requireStep(step);
    if (count < 0) {
      throw new IllegalArgumentException("negative count: start=%d step=%d count=%d".formatted(start, step, count));
    }
  }

  /**
   * The range from {@code start} (included) to {@code end} (excluded) on an axis of {@code extent} indexes, as the
   * ONNX operator {@code Slice} (opset 13) defines: a negative bound counts from the end of the axis, and bounds
   * outside the axis are clamped to it. Walking backwards, {@code Long.MIN_VALUE} as the end includes index 0. It is
   * NumPy's rule but for one case: walking backwards from before the axis, ONNX clamps the start to index 0 where
   * NumPy selects nothing.
   *
   * @throws IllegalArgumentException when {@code step} is 0 or {@code extent} negative
   */
  public static SliceRange of(long start, long end, long step, long extent) {
    requireStep(step);
    if (extent < 0) {
      throw new IllegalArgumentException("negative extent: extent=" + extent);
    }
    if (extent == 0) {
      return new SliceRange(0, step, 0);
    }
    long from = start < 0 ? start + extent : start;
    long to = end < 0 ? end + extent : end;
    if (step > 0) {
      from = Math.clamp(from, 0L, extent);
      to = Math.clamp(to, 0L, extent);
      return new SliceRange(from, step, to > from ? (to - from - 1) / step + 1 : 0);
    }
    from = Math.clamp(from, 0L, extent - 1);
    to = Math.clamp(to, -1L, extent - 1);
    return new SliceRange(from, step, from > to ? (to - from + 1) / step + 1 : 0);
  }

  private static void requireStep(long step) {
    if (step == 0) {
      throw new IllegalArgumentException("a slice cannot step by nothing: step=0");
    }
  }
}
