package dev.cairn.benchmarks.harness;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Several measurements of one thing, at least one, in rising order. */
public record Sample(List<Double> values) {
  public Sample {
    values = values.stream().sorted().toList();
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    if (values.stream().anyMatch(it -> it.isNaN())) {
      throw new IllegalArgumentException("not a number among measurements: values=" + values);
    }
  }

  public static Sample of(Collection<? extends Number> values) {
    return new Sample(values.stream().map(Number::doubleValue).toList());
  }

  /** The middle value; of an even number of values, the mean of the two in the middle. */
  public double median() {
    int middle = values.size() / 2;
    return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
  }

  /**
   * Nearest rank: a value that was really measured.
   *
   * @param percent 0 to 100
   */
  public double percentile(double percent) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new IllegalArgumentException("not a percentage: percent=" + percent);
    }
    int rank = (int) Math.ceil(percent / 100 * values.size());
    return values.get(Math.max(rank, 1) - 1);
  }

  /** @throws IllegalArgumentException when a value is not positive: ratios are */
  public double geometricMean() {
    if (min() <= 0) {
      throw new IllegalArgumentException("a geometric mean is of positive numbers: values=" + values);
    }
    return Math.exp(values.stream().mapToDouble(Math::log).sum() / values.size());
  }

  public double min() {
    return values.get(0);
  }

  public double max() {
    return values.get(values.size() - 1);
  }

  /** {@code 1.05 (0.98..1.10)}: the median, and how far the values spread. */
  public String withSpread() {
    return String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", median(), min(), max());
  }
}
