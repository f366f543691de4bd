package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ClassLabels;
import dev.cairn.kernels.attribute.ScoreTransform;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;

/** Operators of ai.onnx.ml, ONNX's domain for classic machine learning, with ONNX's own. */
final class ClassicExpansions {
  private static final double NEARLY_ZERO = 1e-7;

  private ClassicExpansions() {}

  /** Labels and scores by one linear function for each class. */
  static List<NodeEntry> linearClassifier(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    ClassLabels labels = ClassLabels.of(old.attributes());
    List<Float> intercepts = old.attributes().getFloats("intercepts");
    int classes = intercepts.isEmpty() ? labels.count() : intercepts.size();
    GraphExpression scores = linear(made, classes);
    boolean isSingle = classes == 1;
    boolean isPair = labels.count() == 2;
    if (!isSingle && labels.count() < classes) {
      throw new IllegalArgumentException("one label for each class is needed: labels=%d classes=%d".formatted(labels
        .count(), classes));
    }
    GraphExpression best = isSingle
      ? scores.gt(0).astype(DType.INT64).reshapeKeeping(made.longs("rows", -1))
      : scores.argmax(1);
    List<NodeEntry> results = new ArrayList<>(made.last(table(made, labels, isSingle && !isPair), 1).take(best)
      .results());
    ScoreTransform transform = ScoreTransform.of(old.attributes());
    GraphExpression transformed = isSingle && transform != ScoreTransform.PROBIT
      ? scores
      : transformed(scores, transform);
    if (isSingle && isPair) {
      transformed = transform == ScoreTransform.LOGISTIC
        ? scores.neg().concat(1, List.of(scores)).sigmoid()
        : transformed.scalar(1f).sub(transformed).concat(1, List.of(transformed));
    }
    results.add(transformed.entry());
    return old.first(results);
  }

  /** The labels of classes; 0 and 1 as numbers or texts for one class whose opposite has no label. */
  private static GraphExpression table(Replacement made, ClassLabels labels, boolean isUnnamed) {
    boolean areTexts = !labels.texts().isEmpty();
    if (isUnnamed) {
      return areTexts
        ? made.constant("labels", StringElements.of(List.of("0", "1")))
        : made.longs("labels", 0, 1);
    }
    return areTexts
      ? made.constant("labels", StringElements.of(labels.texts()))
      : made.longs("labels", labels.numbers());
  }

  static List<NodeEntry> linearRegressor(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    int targets = old.attributes().getInt("targets", 1);
    GraphExpression scores = linear(made, targets);
    ScoreTransform transform = ScoreTransform.of(old.attributes());
    // A single score is no probability, so that only its quantile makes sense.
    boolean isPlain = targets == 1 && transform != ScoreTransform.PROBIT;
    return made.last(isPlain ? scores : transformed(scores, transform)).identity().results();
  }

  /** {@code x · coefficientsᵀ + intercepts}, for rows of features, or one. */
  private static GraphExpression linear(Replacement made, int results) {
    Attributes given = made.old().attributes();
    List<Float> coefficients = given.getFloats("coefficients");
    List<Float> intercepts = given.getFloats("intercepts");
    if (results < 1 || coefficients.isEmpty() || coefficients.size() % results != 0 || (!intercepts.isEmpty()
      && intercepts.size() != results)) {
      throw new IllegalArgumentException("coefficients do not fit: coefficients=%d intercepts=%d results=%d".formatted(
        coefficients.size(), intercepts.size(), results));
    }
    GraphExpression weight = made.constant("coefficients", TensorView.ofFloats(Shape.of(results, coefficients.size()
      / results), array(coefficients)));
    GraphExpression x = made.input(0).astype(DType.FLOAT32);
    GraphExpression rows = x.reshapeKeeping(made.longs("rows", -1).concat(0, List.of(x.extent(-1))));
    Attributes turned = Attributes.NONE.with("transB", 1);
    return rows.gemm(turned, intercepts.isEmpty() ? List.of(weight) : List.of(weight, reals(made, "intercepts")));
  }

  private static GraphExpression reals(Replacement made, String attribute) {
    float[] values = array(made.old().attributes().getFloats(attribute));
    return made.constant(attribute, TensorView.ofFloats(Shape.of(values.length), values));
  }

  private static float[] array(List<Float> values) {
    float[] array = new float[values.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = values.get(i);
    }
    return array;
  }

  /** Scores of rows after the transform that the operator asks for. */
  private static GraphExpression transformed(GraphExpression scores, ScoreTransform transform) {
    return switch (transform) {
      case NONE -> scores;
      case LOGISTIC -> scores.sigmoid();
      case SOFTMAX -> scores.softmax(-1);
      case SOFTMAX_ZERO -> softmaxWithoutZeros(scores);
      case PROBIT -> quantile(scores);
    };
  }

  /** A softmax that leaves scores of nearly 0 out of the sum. */
  private static GraphExpression softmaxWithoutZeros(GraphExpression scores) {
    GraphExpression most = scores.reduce("ReduceMax", true, -1);
    GraphExpression counts = scores.abs().gt(NEARLY_ZERO);
    GraphExpression powers = scores.sub(most).exp();
    GraphExpression sum = counts.where(powers, powers.sub(powers)).reduce("ReduceSum", true, -1);
    return counts.where(powers, scores.mul(most.neg().exp())).div(sum);
  }

  /** The quantile of the normal distribution, by Winitzki's formula for the inverse of erf. */
  private static GraphExpression quantile(GraphExpression scores) {
    GraphExpression x = scores.mul(2f).sub(1f);
    GraphExpression log = x.scalar(1f).sub(x.square()).log();
    GraphExpression half = log.mul(0.5f).add((float) (2 / (3.14159 * 0.147)));
    GraphExpression root = half.square().sub(log.div(0.147f)).sqrt().sub(half).sqrt();
    return root.mul(x.sign()).mul((float) Math.sqrt(2));
  }

  /** Rows divided by their greatest element, by the sum of their sizes, or by their length, if that is not 0. */
  static List<NodeEntry> normalizer(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0).astype(DType.FLOAT32);
    String norm = old.attributes().getText("norm", "MAX");
    GraphExpression size = switch (norm) {
      case "MAX" -> x.reduce("ReduceMax", true, -1);
      case "L1" -> x.reduce("ReduceL1", true, -1);
      case "L2" -> x.reduce("ReduceL2", true, -1);
      default -> throw new IllegalArgumentException("no such norm: norm=\"%s\"".formatted(norm));
    };
    return made.last(x).div(size.eq(0).where(size.scalar(1f), size)).results();
  }

  /** {@code (x - offset) * scale}. */
  static List<NodeEntry> scaler(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0).astype(DType.FLOAT32);
    return made.last(x.sub(reals(made, "offset"))).mul(reals(made, "scale")).results();
  }

  /** Other values in the place of one that says that a value is missing. */
  static List<NodeEntry> imputer(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    GraphExpression x = made.input(0);
    boolean isReal = given.has("imputed_value_floats");
    GraphExpression others = isReal
      ? reals(made, "imputed_value_floats")
      : made.longs("imputed_value_int64s", given.getLongs("imputed_value_int64s"));
    float replaced = given.getFloat("replaced_value_float", 0);
    GraphExpression isMissing = isReal && Float.isNaN(replaced)
      ? x.isnan()
      : isReal ? x.eq(replaced) : x.eq(given.getLong("replaced_value_int64", 0));
    return made.last(isMissing).where(others.castLike(x), x).results();
  }

  /** 1 for elements above the threshold, else 0, of the element type of x. */
  static List<NodeEntry> binarizer(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0);
    return made.last(x.gt(made.attribute("threshold", 0))).castLike(x).results();
  }

  /**
   * A classifier that gives the numbers of classes, as all do in a graph: labels that are texts are looked up by them.
   *
   * @param numbers the attribute of labels that are numbers
   */
  static List<NodeEntry> numbered(OldNode old, UpgradeScope scope, String numbers) {
    ClassLabels labels = ClassLabels.of(old.attributes());
    if (labels.texts().isEmpty()) {
      return scope.node(old);
    }
    var made = new Replacement(old, scope);
    List<GraphExpression> results = made.input(0).callAll(old.operator().name(), labels.numbered(old.attributes(),
      numbers), old.outputs(), List.of());
    List<NodeEntry> all = new ArrayList<>(made.last(table(made, labels, false), 1).take(results.getFirst()).results());
    results.stream().skip(1).forEach(it -> all.add(it.entry()));
    return all;
  }
}
