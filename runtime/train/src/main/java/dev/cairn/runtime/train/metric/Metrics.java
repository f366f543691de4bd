package dev.cairn.runtime.train.metric;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.List;
import java.util.stream.Stream;

/** The metrics, by name. Scores are {@code [N,C]} and class labels {@code int64[N]}, where classes are meant. */
public final class Metrics {
  private static final double TINY = 1e-12;

  private Metrics() {}

  /** The share of items whose largest score is their label's. */
  public static Metric accuracy() {
    return Metric.of("accuracy", (scores, labels) -> sums(scores.argmax(1).eq(labels)), (sums, count) -> sums[0]
      / count);
  }

  /** The share of items whose label has one of the {@code k} largest scores. */
  public static Metric topK(int k) {
    return Metric.of("top_" + k, (scores, labels) -> {
      NDArray own = scores.takeAlongAxis(labels.expandDims(1), 1);
      return sums(scores.gt(own).astype(DType.INT64).sum(1).lt(k));
    }, (sums, count) -> sums[0] / count);
  }

  /** The harmonic mean of precision and recall of class 1, of two classes. */
  public static Metric f1() {
    return Metric.of("f1", Metrics::confusion, (sums, _) -> ratio(2 * sums[0], 2 * sums[0] + sums[1] + sums[2]));
  }

  /** The correlation of two classes with their labels, after B. Matthews (1975). */
  public static Metric mcc() {
    return Metric.of("mcc", Metrics::confusion, (sums, _) -> ratio(sums[0] * sums[3] - sums[1] * sums[2], Math.sqrt(
      (sums[0] + sums[1]) * (sums[0] + sums[2]) * (sums[3] + sums[1]) * (sums[3] + sums[2]))));
  }

  /** True positives, false positives, false negatives and true negatives. */
  private static NDArray confusion(NDArray scores, NDArray labels) {
    NDArray predicted = scores.argmax(1).eq(1);
    NDArray actual = labels.eq(1);
    return sums(predicted.logicalAnd(actual), predicted.logicalAnd(actual.logicalNot()), actual.logicalAnd(predicted
      .logicalNot()), predicted.logicalOr(actual).logicalNot());
  }

  /** The mean of absolute differences. */
  public static Metric mae() {
    return Metric.of("mae", (x, labels) -> sums(x.sub(labels).abs()), (sums, count) -> sums[0] / count);
  }

  /** The mean of squared differences. */
  public static Metric mse() {
    return Metric.of("mse", (x, labels) -> sums(x.sub(labels).square()), (sums, count) -> sums[0] / count);
  }

  /** The root of {@link #mse}. */
  public static Metric rmse() {
    return Metric.of("rmse", (x, labels) -> sums(x.sub(labels).square()), (sums, count) -> Math.sqrt(sums[0] / count));
  }

  /** The mean of {@code -log(probability)} of labels, of probabilities. */
  public static Metric crossEntropy() {
    return Metric.of("cross_entropy", Metrics::surprise, (sums, count) -> sums[0] / count);
  }

  /** {@code exp} of {@link #crossEntropy}. */
  public static Metric perplexity() {
    return Metric.of("perplexity", Metrics::surprise, (sums, count) -> Math.exp(sums[0] / count));
  }

  private static NDArray surprise(NDArray probabilities, NDArray labels) {
    return sums(probabilities.takeAlongAxis(labels.expandDims(1), 1).add(TINY).log().neg());
  }

  /** The correlation of predictions and labels, after K. Pearson. */
  public static Metric pearson() {
    return Metric.of("pearson", (predictions, labels) -> {
      NDArray x = predictions.astype(DType.FLOAT64);
      NDArray y = labels.astype(DType.FLOAT64);
      return sums(x, y, x.square(), y.square(), x.mul(y));
    }, (sums, count) -> ratio(count * sums[4] - sums[0] * sums[1], Math.sqrt((count * sums[2] - sums[0] * sums[0])
      * (count * sums[3] - sums[1] * sums[1]))));
  }

  /** The mean of losses, which are the predictions; labels only count items. */
  public static Metric meanLoss() {
    return Metric.of("loss", (losses, _) -> sums(losses, losses.eq(losses)), (sums, _) -> sums[0] / sums[1]);
  }

  private static double ratio(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }

  /** The sum of each array, in {@code float64}. */
  private static NDArray sums(NDArray... arrays) {
    List<NDArray> all = Stream.of(arrays).map(it -> it.astype(DType.FLOAT64).sum().reshape(1)).toList();
    return all.size() == 1 ? all.getFirst() : all.getFirst().concat(0, all.subList(1, all.size()));
  }
}
