package dev.cairn.runtime.train.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.train.loss.Loss.Reduction;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Losses of small arrays against numbers by hand (case 171). */
class LossesTest {
  private static final Offset<Double> CLOSE = within(1e-6);
  private static final ArrayRuntime ARRAYS = ArrayRuntime.open(ArrayOptions.DEFAULT);
  private static final ArrayScope SCOPE = ARRAYS.scope();

  @AfterAll
  static void close() {
    SCOPE.close();
    ARRAYS.close();
  }

  private static NDArray row(double... values) {
    return ARRAYS.of(values, values.length);
  }

  private static NDArray rows(int columns, double... values) {
    return ARRAYS.of(values, values.length / columns, columns);
  }

  private static double[] values(NDArray array) {
    return array.toDoubleArray();
  }

  @Test
  void distancesHaveMxnetsNumbers() {
    NDArray output = row(1, 2, 3, 4);
    NDArray label = row(1, 3, 5, 7);
    NDArray weights = row(0.5, 1, 0.5, 1);
    assertThat(Losses.l1(Reduction.SUM).of(output, label).item()).isEqualTo(6);
    assertThat(Losses.l1().of(output, label).item()).isEqualTo(1.5);
    assertThat(Losses.l1(Reduction.SUM).of(output, label, weights).item()).isEqualTo(5);
    assertThat(Losses.l2(Reduction.SUM).of(output, label).item()).isEqualTo(7);
    assertThat(Losses.l2().of(output, label).item()).isEqualTo(1.75);
    assertThat(Losses.l2(Reduction.SUM).of(output, label, weights).item()).isEqualTo(6);
    assertThat(values(Losses.l1(Reduction.NONE).of(output, label))).containsExactly(0, 1, 2, 3);
  }

  @Test
  void sigmoidCrossEntropyIsThatOfProbabilities() {
    double[] logits = {-3, -0.5, 0, 0.25, 2};
    double[] labels = {0, 1, 1, 0.3, 1};
    double[] plain = values(Losses.sigmoidCrossEntropy(Reduction.NONE, 1).of(row(logits), row(labels)));
    double[] weighted = values(Losses.sigmoidCrossEntropy(Reduction.NONE, 3).of(row(logits), row(labels)));
    double[] probable = values(Losses.binaryCrossEntropy(Reduction.NONE).of(row(logits).sigmoid(), row(labels)));
    for (int i = 0; i < logits.length; i++) {
      double p = 1 / (1 + Math.exp(-logits[i]));
      double yes = -labels[i] * Math.log(p);
      double no = -(1 - labels[i]) * Math.log(1 - p);
      assertThat(plain[i]).isCloseTo(yes + no, CLOSE);
      assertThat(weighted[i]).isCloseTo(3 * yes + no, CLOSE);
      assertThat(probable[i]).isCloseTo(yes + no, CLOSE);
    }
  }

  @Test
  void largeLogitsStayFinite() {
    assertThat(values(Losses.sigmoidCrossEntropy(Reduction.NONE, 1).of(row(1e4, -1e4, 1e4), row(1, 0, 0))))
      .containsExactly(0, 0, 1e4);
    assertThat(values(Losses.logistic(Reduction.NONE).of(row(1e4, -1e4), row(1, 1)))).containsExactly(0, 1e4);
    assertThat(values(Losses.binaryCrossEntropy(Reduction.NONE).of(row(0, 1), row(0, 1))))
      .containsExactly(new double[] {
        0, 0}, within(1e-11));
  }

  /** Case 171: with labels -1 and 1 it is the cross entropy with labels 0 and 1. */
  @Test
  void logisticIsSigmoidCrossEntropy() {
    NDArray x = row(-2, -0.1, 0.4, 3);
    NDArray signs = row(1, -1, 1, -1);
    double[] logistic = values(Losses.logistic(Reduction.NONE).of(x, signs));
    double[] entropy = values(Losses.sigmoidCrossEntropy(Reduction.NONE, 1).of(x, signs.add(1).mul(0.5)));
    assertThat(logistic).containsExactly(entropy, CLOSE);
  }

  @Test
  void marginsCountBelowOne() {
    NDArray x = row(2, 0.5, -1);
    NDArray signs = row(1, 1, 1);
    assertThat(values(Losses.hinge(Reduction.NONE, 1).of(x, signs))).containsExactly(0, 0.5, 2);
    assertThat(values(Losses.squaredHinge(Reduction.NONE, 1).of(x, signs))).containsExactly(0, 0.25, 4);
  }

  @Test
  void huberIsQuadraticThenLinear() {
    assertThat(values(Losses.huber(Reduction.NONE, 2).of(row(1, 2, -5), row(0, 0, 0)))).containsExactly(0.25, 1, 4);
  }

  @Test
  void klOfProbabilities() {
    NDArray logarithms = row(Math.log(0.5), Math.log(0.25), Math.log(0.25));
    double expected = 0.5 * Math.log(0.5 / 0.5) + 0.5 * Math.log(0.5 / 0.25);
    assertThat(Losses.kl(Reduction.SUM).of(logarithms, row(0.5, 0.5, 0)).item()).isCloseTo(expected, CLOSE);
  }

  @Test
  void poissonOfCounts() {
    assertThat(values(Losses.poissonFromLogarithms(Reduction.NONE).of(row(0, 1), row(2, 3)))).containsExactly(
      new double[] {1, Math.E - 3}, CLOSE);
    assertThat(values(Losses.poisson(Reduction.NONE, 0).of(row(1, 2), row(2, 3)))).containsExactly(new double[] {1, 2
      - 3 * Math.log(2)}, CLOSE);
  }

  @Test
  void tripletsAndAngles() {
    NDArray anchor = rows(2, 0, 0, 1, 1);
    NDArray positive = rows(2, 1, 0, 1, 1);
    NDArray negative = rows(2, 0, 1.5, 4, 5);
    Loss triplet = Losses.triplet(Reduction.NONE, 2);
    assertThat(values(triplet.ofAll(List.of(anchor, positive, negative), null))).containsExactly(0.75, 0);
    Loss cosine = Losses.cosine(Reduction.NONE, 0.1);
    NDArray a = rows(2, 1, 0, 1, 0, 1, 1);
    NDArray b = rows(2, 0, 2, 3, 0, 1, 0);
    double angle = Math.sqrt(0.5);
    assertThat(values(cosine.ofAll(List.of(a, b, row(1, 1, -1)), null))).containsExactly(new double[] {1, 0, angle
      - 0.1}, CLOSE);
  }

  @Test
  void otherCountsOfOperandsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Losses.triplet(Reduction.MEAN, 1).of(row(1), row(1)))
      .withMessageContaining("wanted=3 given=2");
  }
}
