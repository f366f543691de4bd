package dev.cairn.kernels.cpu.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.CentralDifferences;
import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.row.LossKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Losses over classes and their gradients. */
class CpuClassLossTest {
  private static final Attributes SUM = Attributes.NONE.with("reduction", new AttributeValue.Text("sum"));
  private static final Attributes NONE = Attributes.NONE.with("reduction", new AttributeValue.Text("none"));

  private static List<TensorView> run(String operator, Attributes attributes, List<TensorType> results,
    @Nullable TensorView... inputs) {
    return KernelRunner.checkTwins(LossKernels.ROWS, operator, attributes, results, 64, inputs);
  }

  private static TensorView loss(String operator, Attributes attributes, @Nullable TensorView... inputs) {
    TensorView scores = Objects.requireNonNull(inputs[0]);
    TensorView labels = Objects.requireNonNull(inputs[1]);
    Shape shape = attributes.getText("reduction", "mean").equals("none") ? labels.shape() : Shape.SCALAR;
    return run(operator, attributes, List.of(scores.type().withShape(shape)), inputs).getFirst();
  }

  /** ln(1 + e) - 1 and ln(1 + e), with weights 2 and 3; the item with label -1 does not count. */
  @Test
  void byHand() {
    TensorView scores = TestTensors.of(DType.FLOAT64, Shape.of(3, 2), 0, 1, 1, 0, 5, 7);
    TensorView labels = TestTensors.int64s(1, 1, -1);
    TensorView weights = TestTensors.of(DType.FLOAT64, Shape.of(2), 2, 3);
    Attributes ignoring = Attributes.NONE.with("ignore_index", -1);
    double right = Math.log(1 + Math.E) - 1;
    double wrong = Math.log(1 + Math.E);
    assertThat(loss("SoftmaxCrossEntropyLoss", ignoring, scores, labels, weights).doubleAt(0)).isCloseTo((right
      + wrong) / 2, Offset.offset(1e-15));
    assertThat(loss("SoftmaxCrossEntropyLoss", ignoring.with("reduction", new AttributeValue.Text("sum")), scores,
      labels, weights).doubleAt(0)).isCloseTo(3 * (right + wrong), Offset.offset(1e-14));
    assertThat(TestTensors.doubles(loss("SoftmaxCrossEntropyLoss", ignoring.with("reduction", new AttributeValue.Text(
      "none")), scores, labels, weights))[2]).isZero();
    assertThat(loss("NegativeLogLikelihoodLoss", SUM, scores, TestTensors.int64s(0, 1, 1)).doubleAt(0)).isEqualTo(-7);
  }

  @Test
  void largeScoresOverflowNowhere() {
    TensorView scores = TestTensors.of(DType.FLOAT32, Shape.of(2, 3), 1e4, -1e4, 0, -1e4, 1e4, 0);
    TensorView labels = TestTensors.int64s(1, 1);
    TensorType each = TensorType.of(DType.FLOAT32, 2);
    assertThat(TestTensors.doubles(run("SoftmaxCrossEntropyLoss", NONE, List.of(each), scores, labels).getFirst()))
      .containsExactly(2e4, 0);
    TensorView one = TestTensors.of(DType.FLOAT32, Shape.of(2), 1, 1);
    assertThat(TestTensors.doubles(run("SoftmaxCrossEntropyLossGradient", NONE, List.of(scores.type()), one, scores,
      labels).getFirst())).containsExactly(1, -1, 0, 0, 0, 0);
  }

  @Test
  void gradientsAreTheDerivatives() {
    var random = new Random(7);
    for (Shape shape : List.of(Shape.of(3, 4), Shape.of(2, 3, 5), Shape.of(2, 5, 1, 3), Shape.of(1, 1))) {
      long[] extents = shape.extents();
      TensorView scores = TestTensors.random(DType.FLOAT64, shape, random);
      long items = scores.elementCount() / extents[1];
      long[] chosen = random.longs(items, 0, extents[1]).toArray();
      long[] some = chosen.clone();
      some[0] = 99;
      TensorView weights = TestTensors.of(DType.FLOAT64, Shape.of(extents[1]), random.doubles(extents[1], 0.5, 2)
        .toArray());
      Shape labels = ClassLoss.labels(shape);
      for (Attributes attributes : List.of(Attributes.NONE, SUM, NONE)) {
        check(attributes, scores, TestTensors.ofLongs(DType.INT64, labels, chosen), null);
        check(attributes, scores, TestTensors.ofLongs(DType.INT32, labels, chosen), weights);
        if (items > 1) {
          check(attributes.with("ignore_index", 99), scores, TestTensors.ofLongs(DType.INT64, labels, some), weights);
        }
      }
    }
  }

  private static void check(Attributes attributes, TensorView scores, TensorView labels, @Nullable TensorView weights) {
    TensorView head = TestTensors.copy(loss("SoftmaxCrossEntropyLoss", attributes, scores, labels, weights));
    for (long i = 0; i < head.elementCount(); i++) {
      TestTensors.set(head, i, 0.1 + i % 7 / 7.0);
    }
    for (String operator : List.of("SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss")) {
      boolean softmax = operator.startsWith("S");
      TensorView gradient = softmax
        ? run(operator + "Gradient", attributes, List.of(scores.type()), head, scores, labels, weights).getFirst()
        : run(operator + "Gradient", attributes.with("classes", scores.shape().extent(1)), List.of(scores.type()), head,
          labels, weights).getFirst();
      CentralDifferences.check(operator + attributes, scores, head, at -> loss(operator, attributes, at, labels,
        weights), gradient);
    }
  }

  /** Many items, in several sums, and all types; the second result has the likelihoods' logarithms. */
  @Test
  void manyItemsOfEveryType() {
    var random = new Random(8);
    for (DType dtype : List.of(DType.FLOAT64, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      TensorView scores = TestTensors.random(dtype, Shape.of(37, 11, 5), random);
      TensorView labels = TestTensors.ofLongs(DType.INT64, Shape.of(37, 5), random.longs(37 * 5, 0, 11).toArray());
      List<TensorView> results = run("SoftmaxCrossEntropyLoss", Attributes.NONE, List.of(TensorType.of(dtype), scores
        .type()), scores, labels);
      TensorView same = run("NegativeLogLikelihoodLoss", Attributes.NONE, List.of(TensorType.of(dtype)), results.get(1),
        labels).getFirst();
      Tolerance.of(dtype, 8).check("loss", same, results.getFirst());
    }
  }

  @Test
  void aLabelThatIsNoClassIsNamed() {
    TensorView scores = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 0, 1, 1, 0);
    assertThatThrownBy(() -> loss("SoftmaxCrossEntropyLoss", Attributes.NONE, scores, TestTensors.int64s(1, 2)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("label=2", "classes=2", "item=1",
        "ignore_index");
  }
}
