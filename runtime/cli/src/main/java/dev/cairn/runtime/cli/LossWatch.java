package dev.cairn.runtime.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Optional;

/** Notices once that the loss of a training is far above its first value. */
final class LossWatch {
  private static final double FAR = 1e3;
  /** A smaller first loss counts as this one: that of a trained model is nearly 0, and may rise. */
  private static final double LEAST = 1;
  private static final MathContext RATE_DIGITS = new MathContext(3);

  private double first = Double.NaN;
  private boolean isTold;

  /**
   * What to say of a loss, if it is the first one that is far above.
   *
   * @param where the loss was, as facts
   * @param rate the learning rate that led there
   */
  Optional<String> warning(double loss, String where, double rate) {
    if (Double.isNaN(first)) {
      first = loss;
    }
    if (isTold || !(loss > FAR * Math.max(Math.abs(first), LEAST))) {
      return Optional.empty();
    }
    isTold = true;
    return Optional.of(String.format(Locale.ROOT, "the loss is more than %,.0f times its first value, so the training "
      + "diverges: loss=%.3g first=%.3g %s; begin anew with a hundredth of this learning rate: --rate %s", FAR, loss,
      first, where,
      BigDecimal.valueOf(rate / 100).round(RATE_DIGITS).stripTrailingZeros().toPlainString()));
  }
}
