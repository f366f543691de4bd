package dev.cairn.runtime.train.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Figures over two batches, by hand (case 172). */
class MetricsTest {
  private static final Offset<Double> CLOSE = within(1e-9);
  private static final ArrayRuntime ARRAYS = ArrayRuntime.open(ArrayOptions.DEFAULT);
  private static final ArrayScope SCOPE = ARRAYS.scope();

  @AfterAll
  static void close() {
    SCOPE.close();
    ARRAYS.close();
  }

  private static NDArray scores(double... values) {
    return ARRAYS.of(values, values.length / 2, 2);
  }

  private static NDArray labels(long... values) {
    return ARRAYS.of(values, values.length);
  }

  private static NDArray row(double... values) {
    return ARRAYS.of(values, values.length);
  }

  /** True positives 2, false positives 1, false negatives 1, true negatives 1. */
  private static double overTwoBatches(Metric metric) {
    try (metric) {
      metric.update(scores(0.3, 0.7, 0.2, 0.8, 0.6, 0.4), labels(1, 0, 0));
      metric.update(scores(0.1, 0.9, 0.9, 0.1), labels(1, 1));
      return metric.get();
    }
  }

  @Test
  void classes() {
    assertThat(overTwoBatches(Metrics.accuracy())).isEqualTo(0.6);
    assertThat(overTwoBatches(Metrics.f1())).isCloseTo(4.0 / 6, CLOSE);
    assertThat(overTwoBatches(Metrics.mcc())).isCloseTo((2 - 1) / Math.sqrt(3 * 3 * 2 * 2), CLOSE);
    double surprise = -(Math.log(0.7) + Math.log(0.2) + Math.log(0.6) + Math.log(0.9) + Math.log(0.1)) / 5;
    assertThat(overTwoBatches(Metrics.crossEntropy())).isCloseTo(surprise, CLOSE);
    assertThat(overTwoBatches(Metrics.perplexity())).isCloseTo(Math.exp(surprise), CLOSE);
  }

  @Test
  void theLargestScoresCount() {
    NDArray scores = ARRAYS.of(new double[] {0.1, 0.2, 0.7, 0.5, 0.3, 0.2}, 2, 3);
    for (int k = 1; k <= 3; k++) {
      try (Metric metric = Metrics.topK(k)) {
        metric.update(scores, labels(1, 2));
        assertThat(metric.get()).isEqualTo((k - 1) / 2.0);
        assertThat(metric.name()).isEqualTo("top_" + k);
      }
    }
  }

  @Test
  void distances() {
    double[][] expected = {{1.5}, {3.5}, {Math.sqrt(3.5)}};
    Metric[] metrics = {Metrics.mae(), Metrics.mse(), Metrics.rmse()};
    for (int i = 0; i < metrics.length; i++) {
      try (Metric metric = metrics[i]) {
        metric.update(row(1, 2), row(1, 3));
        metric.update(row(3, 4), row(5, 7));
        assertThat(metric.get()).isCloseTo(expected[i][0], CLOSE);
      }
    }
  }

  @Test
  void correlation() {
    try (Metric metric = Metrics.pearson()) {
      metric.update(row(1, 2, 3), row(1, 3, 2));
      metric.update(row(4), row(5));
      assertThat(metric.get()).isCloseTo(5.5 / Math.sqrt(5 * 8.75), CLOSE);
    }
  }

  @Test
  void lossesAreAveragedOverTheirElements() {
    try (Metric metric = Metrics.meanLoss()) {
      metric.update(row(1, 2, 3), labels(0, 0, 0));
      metric.update(row(6), labels(0));
      assertThat(metric.get()).isEqualTo(3);
    }
  }

  @Test
  void aResetMetricBeginsAgain() {
    try (Metric metric = Metrics.accuracy()) {
      assertThat(metric.get()).isNaN();
      metric.update(scores(1, 0), labels(1));
      assertThat(metric.get()).isZero();
      metric.reset();
      metric.update(scores(1, 0), labels(0));
      assertThat(metric.get()).isEqualTo(1);
    }
  }
}
