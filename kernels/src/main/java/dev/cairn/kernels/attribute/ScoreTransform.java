package dev.cairn.kernels.attribute;

/** What operators of ai.onnx.ml make of scores at last: attribute {@code post_transform}. */
public enum ScoreTransform {
  NONE,
  SOFTMAX,
  LOGISTIC,
  SOFTMAX_ZERO,
  PROBIT;

  private static final double NEARLY_ZERO = 1e-7;

  /** @throws IllegalArgumentException when there is no such transform */
  public static ScoreTransform of(Attributes attributes) {
    return named(attributes.getText("post_transform", NONE.name()));
  }

  private static ScoreTransform named(String name) {
    for (ScoreTransform transform : values()) {
      if (transform.name().equals(name)) {
        return transform;
      }
    }
    throw new IllegalArgumentException("no such transform: post_transform=\"%s\"".formatted(name));
  }

  /** The transform with a number that {@code TreeEnsemble} gives it. */
  static ScoreTransform numbered(long number) {
    if (number < 0 || number >= values().length) {
      throw new IllegalArgumentException("no such transform: post_transform=" + number);
    }
    return values()[(int) number];
  }

  /** Transforms the scores of one row in place. */
  public void apply(float[] scores, int first, int count) {
    switch (this) {
      case NONE -> {}
      case LOGISTIC -> {
        for (int i = first; i < first + count; i++) {
          scores[i] = logistic(scores[i]);
        }
      }
      case PROBIT -> {
        for (int i = first; i < first + count; i++) {
          scores[i] = probit(scores[i]);
        }
      }
      case SOFTMAX, SOFTMAX_ZERO -> normalize(scores, first, count);
    }
  }

  /** SOFTMAX_ZERO leaves scores of nearly 0 out of the sum. */
  private void normalize(float[] scores, int first, int count) {
    float most = Float.NEGATIVE_INFINITY;
    for (int i = first; i < first + count; i++) {
      most = Math.max(most, scores[i]);
    }
    double sum = 0;
    double[] powers = new double[count];
    for (int i = 0; i < count; i++) {
      float score = scores[first + i];
      boolean counts = this == SOFTMAX || Math.abs(score) > NEARLY_ZERO;
      powers[i] = counts ? Math.exp((double) score - most) : score * Math.exp(-most);
      sum += counts ? powers[i] : 0;
    }
    for (int i = 0; i < count; i++) {
      scores[first + i] = (float) (powers[i] / sum);
    }
  }

  public static float logistic(float score) {
    float positive = (float) (1 / (1 + Math.exp(-Math.abs(score))));
    return score < 0 ? 1 - positive : positive;
  }

  /** The quantile of the normal distribution, by Winitzki's formula for the inverse of erf. */
  public static float probit(float score) {
    float x = 2 * score - 1;
    double log = Math.log((1 - x) * (1 + x));
    double half = 2 / (3.14159 * 0.147) + 0.5 * log;
    double root = Math.sqrt(-half + Math.sqrt(half * half - log / 0.147));
    return (float) (Math.sqrt(2) * Math.copySign(root, x));
  }
}
