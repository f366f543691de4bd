package dev.cairn.runtime.train;

/**
 * The factor by which the loss is multiplied before gradients are computed, so that small gradients do not become zero
 * in {@code float16}. Gradients are divided by it before anything else happens to them.
 *
 * <p>A dynamic scale follows PyTorch's {@code GradScaler}: if a gradient is not finite, the update is left out and the
 * scale times {@code backoff}; after {@code interval} updates in a row, the scale is multiplied by {@code growth}.
 *
 * @param initial the first scale
 * @param interval how many updates without overflow precede a larger scale; 0 for a scale that stays
 */
public record LossScale(double initial, double growth, double backoff, int interval) {
  /** No scale, as in {@code float32} and {@code bfloat16}. */
  public static final LossScale NONE = fixed(1);
  /** From 65,536: twice that after 2,000 updates, half of it after an overflow. */
  public static final LossScale DYNAMIC = new LossScale(0x1p16, 2, 0.5, 2_000);

  public LossScale {
    if (!(initial > 0 && Double.isFinite(initial)) || !(growth >= 1) || !(backoff > 0 && backoff <= 1)
      || interval < 0) {
      throw new IllegalArgumentException("out of range: initial=%s growth=%s backoff=%s interval=%d".formatted(initial,
        growth, backoff, interval));
    }
  }

  /** The same scale for all updates; none is left out. */
  public static LossScale fixed(double scale) {
    return new LossScale(scale, 1, 1, 0);
  }

  /** This scale from another first value. */
  public LossScale withInitial(double scale) {
    return new LossScale(scale, growth, backoff, interval);
  }

  /** This scale, which grows after so many updates without overflow. */
  public LossScale withInterval(int updates) {
    return new LossScale(initial, growth, backoff, updates);
  }

  /** Whether the scale changes, and updates with gradients that are not finite are left out. */
  public boolean isDynamic() {
    return interval > 0;
  }

  boolean isNone() {
    return initial == 1 && !isDynamic();
  }
}
