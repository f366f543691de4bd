package dev.cairn.kernels.tensor;

/**
 * The {@code count} indexes that a slice selects on one axis: {@code start}, {@code start + step} and so on. All of
 * them lie on the axis. If {@code count} is 0, {@code start} has no meaning.
 *
 * @param start first index selected
 * @param step distance from one index to the next; negative to go backwards, never 0
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
   * The range from {@code start} (included) to {@code end} (excluded) on an axis of {@code extent} indexes, as the ONNX
   * operator {@code Slice} (opset 13) defines: a negative bound counts from the end of the axis, and bounds outside the
   * axis are clamped to it. With a negative step, the end {@code Long.MIN_VALUE} includes index 0. NumPy's rule differs
   * in one case: for a negative step and a start before the axis, ONNX clamps the start to index 0, but NumPy selects
   * nothing.
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
      throw new IllegalArgumentException("a slice step must not be 0: step=0");
    }
  }
}
