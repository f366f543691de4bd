package dev.cairn.runtime.train.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.train.loss.Loss.Reduction;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Cross entropies of classes against formulas in doubles (cases 127 and 171). */
class CrossEntropyTest {
  private static final Offset<Double> CLOSE = within(1e-7);
  private static final ArrayRuntime ARRAYS = ArrayRuntime.open(ArrayOptions.DEFAULT);
  private static final ArrayScope SCOPE = ARRAYS.scope();

  @AfterAll
  static void close() {
    SCOPE.close();
    ARRAYS.close();
  }

  private static NDArray labels(long... values) {
    return ARRAYS.of(values, values.length);
  }

  private static double entropy(int label, double... logits) {
    double sum = 0;
    for (double logit : logits) {
      sum += Math.exp(logit);
    }
    return Math.log(sum) - logits[label];
  }

  /** The numbers of MXNet's test. */
  @Test
  void mxnetsNumbers() {
    NDArray output = ARRAYS.of(new double[] {0, 2, 1, 4}, 2, 2);
    Loss loss = Losses.softmaxCrossEntropy(Reduction.NONE);
    assertThat(loss.of(output, labels(0, 1)).toDoubleArray()).containsExactly(new double[] {2.12692809, 0.04858733},
      within(1e-6));
    NDArray weights = ARRAYS.of(new double[] {0.5, 1}, 2);
    assertThat(loss.of(output, labels(0, 1), weights).toDoubleArray()).containsExactly(new double[] {1.06346405,
      0.04858733}, within(1e-6));
    assertThat(Losses.softmaxCrossEntropy().of(output, labels(0, 1)).item()).isCloseTo(2.17551542 / 2, within(1e-6));
    assertThat(Losses.softmaxCrossEntropy(Reduction.SUM).of(output, labels(0, 1)).item()).isCloseTo(2.17551542, within(
      1e-6));
  }

  @Test
  void largeLogitsStayFinite() {
    NDArray output = ARRAYS.of(new float[] {1e4f, -1e4f, -1e4f, 1e4f}, 2, 2);
    assertThat(Losses.softmaxCrossEntropy(Reduction.NONE).of(output, labels(0, 0)).toFloatArray()).containsExactly(0,
      2e4f);
  }

  @Test
  void logarithmsOfProbabilitiesGiveTheSame() {
    NDArray output = ARRAYS.of(new double[] {0.3, -1, 2, 0, 0.5, 0.1}, 2, 3);
    double expected = Losses.softmaxCrossEntropy().of(output, labels(2, 1)).item();
    assertThat(Losses.nll().of(output.logSoftmax(1), labels(2, 1)).item()).isCloseTo(expected, CLOSE);
    NDArray oneHot = ARRAYS.of(new double[] {0, 0, 1, 0, 1, 0}, 2, 3);
    assertThat(Losses.softmaxCrossEntropy().withDistributions().of(output, oneHot).item()).isCloseTo(expected, CLOSE);
  }

  @Test
  void ignoredLabelsDoNotCount() {
    NDArray output = ARRAYS.of(new double[] {0, 2, 1, 4, 5, 5}, 3, 2);
    assertThat(Losses.softmaxCrossEntropy().ignoring(-1).of(output, labels(0, -1, 1)).item()).isCloseTo((entropy(0, 0,
      2) + Math.log(2)) / 2, CLOSE);
  }

  /** Scores {@code [N,T,C]} of a language model. */
  @Test
  void classesMayBeTheLastAxis() {
    NDArray output = ARRAYS.of(new double[] {0, 2, 1, 4, 3, 3, 0, 1}, 2, 2, 2);
    NDArray tokens = ARRAYS.of(new long[] {0, 1, 1, 0}, 2, 2);
    double[] expected = {entropy(0, 0, 2), entropy(1, 1, 4), Math.log(2), entropy(0, 0, 1)};
    CrossEntropy each = Losses.softmaxCrossEntropy(Reduction.NONE).alongLastAxis();
    NDArray losses = each.of(output, tokens);
    assertThat(losses.toDoubleArray()).containsExactly(expected, CLOSE);
    assertThat(losses.shape()).isEqualTo(tokens.shape());
    assertThat(Losses.softmaxCrossEntropy().alongLastAxis().of(output, tokens).item()).isCloseTo((expected[0]
      + expected[1] + expected[2] + expected[3]) / 4, CLOSE);
  }

  /** The trap of section 12: one operator, not a logarithm of a softmax. */
  @Test
  void itIsOneOperator() {
    Symbol loss = Losses.softmaxCrossEntropy().of(Symbol.variable("scores", PartialType.of(DType.FLOAT32, 4, 3)), Symbol
      .variable("labels", PartialType.of(DType.INT64, 4)));
    assertThat(loss.toString()).contains("SoftmaxCrossEntropyLoss").doesNotContain("Log(", "LogSoftmax");
    assertThat(loss.infer(Map.of()).outputs()).hasToString("[float32[scalar]]");
  }

  @Test
  void labelsOfOtherShapesAreRefused() {
    NDArray output = ARRAYS.of(new double[] {0, 2, 1, 4}, 2, 2);
    assertThatThrownBy(() -> Losses.softmaxCrossEntropy().of(output, labels(0, 1, 1))).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("SoftmaxCrossEntropyLoss").hasMessageContaining("[3]");
    assertThat(List.of(Losses.softmaxCrossEntropy().reduction())).containsExactly(Reduction.MEAN);
  }
}
