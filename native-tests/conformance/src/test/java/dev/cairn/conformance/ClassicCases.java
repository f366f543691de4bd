package dev.cairn.conformance;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Random models of operators of classic machine learning. */
final class ClassicCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();
  private static final String DOMAIN = "ai.onnx.ml::";
  private static final String[] TRANSFORMS = {"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"};
  private static final String[] WORDS = {"a", "b", "ünï", "", "d"};
  private static final int INNER = 3;
  private static final int NODES = 7;

  private ClassicCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put("CategoryMapper", it -> {
      boolean areTexts = it.coin();
      it.input(areTexts ? it.strings(it.shape(1, 3), WORDS) : it.tensor(DType.INT64, it.shape(1, 3), 0, 4)).with(
        "cats_strings", texts("a", "b", "")).with("cats_int64s", 1, 3, 2);
      if (it.coin()) {
        it.with("default_int64", 7).with("default_string", "none");
      }
    });
    all.put("OneHotEncoder", it -> {
      Shape shape = it.shape(1, 2);
      if (it.coin()) {
        it.input(it.strings(shape, WORDS)).with("cats_strings", texts("b", "a", "d"));
      } else {
        it.input(it.tensor(it.oneOf(DType.INT64, DType.FLOAT32, DType.FLOAT64), shape, 0, 4)).with(
          "cats_int64s", 3, 1, 2);
      }
    });
    all.put("FeatureVectorizer", it -> {
      int inputs = it.number(1, 3);
      long rows = it.number(1, 5);
      long[] columns = new long[inputs];
      for (int i = 0; i < inputs; i++) {
        long given = it.number(1, 4);
        columns[i] = it.number(1, 5);
        it.input(it.floats(Shape.of(rows, given), -2, 2));
      }
      it.with("inputdimensions", columns);
    });
    all.put("TreeEnsembleRegressor", ClassicCases::treeRegressor);
    all.put("TreeEnsembleClassifier", ClassicCases::treeClassifier);
    all.put("SVMRegressor", ClassicCases::vectorRegressor);
    all.put("SVMClassifier", ClassicCases::vectorClassifier);
    all.put(DOMAIN + "LinearClassifier", ClassicCases::linearClassifier);
    all.put(DOMAIN + "LinearRegressor", it -> {
      int targets = it.number(1, 3);
      linear(it, targets, DType.FLOAT32);
      it.with("targets", targets).with("post_transform", it.oneOf(TRANSFORMS));
      if (it.coin()) {
        it.with("intercepts", reals(it, targets));
      }
    });
    all.put(DOMAIN + "Normalizer", it -> it.input(features(it, Shape.of(it.number(1, 9), it.extent()))).with("norm", it
      .oneOf("MAX", "L1", "L2")));
    all.put(DOMAIN + "Scaler", it -> {
      int columns = it.number(1, 9);
      int given = it.coin() ? columns : 1;
      it.input(features(it, Shape.of(it.number(1, 9), columns))).with("offset", reals(it, given)).with("scale", reals(
        it, given));
    });
    all.put(DOMAIN + "Imputer", ClassicCases::imputer);
    all.put(DOMAIN + "Binarizer", it -> it.input(it.floats(it.shape(1, 3), -2, 2)).with("threshold", it.number(-1, 1)
      / 2f));
    all.put(DOMAIN + "ArrayFeatureExtractor", it -> {
      long columns = it.number(2, 6);
      Shape shape = it.coin() ? Shape.of(it.number(1, 4), columns) : Shape.of(it.number(1, 4), 3, columns);
      it.input(it.coin() ? it.floats(shape, -2, 2) : it.strings(shape, WORDS)).input(it.tensor(DType.INT64, Shape.of(it
        .number(1, 4)), 0, columns - 1));
    });
    return all;
  }

  private static AttributeValue texts(String... texts) {
    return new AttributeValue.Texts(List.of(texts));
  }

  private static AttributeValue reals(OneOperator it, int count) {
    return new AttributeValue.Reals(numbers(it, count, -1));
  }

  private static List<Float> numbers(OneOperator it, int count, float least) {
    TensorView view = it.floats(Shape.of(count), least, 1);
    return LongStream.range(0, count).mapToObj(i -> (float) view.doubleAt(i)).toList();
  }

  /** Features of any type that rows may have. */
  private static TensorView features(OneOperator it, Shape shape) {
    DType dtype = it.oneOf(DType.FLOAT32, DType.FLOAT32, DType.FLOAT64, DType.INT32, DType.INT64);
    return it.tensor(dtype, shape, -3, 4);
  }

  private static Shape rows(OneOperator it, long columns) {
    return Shape.of(it.oneOf(1, 2, 7, 8, 9, 17, 300), columns);
  }

  /** Complete trees of three nodes and four leaves. */
  private static int trees(OneOperator it, DType... dtypes) {
    int trees = it.oneOf(1, 2, 5, 9);
    int count = trees * NODES;
    long columns = it.number(1, 5);
    DType dtype = it.oneOf(dtypes);
    TensorView x = it.tensor(dtype, rows(it, columns), 0, 4);
    boolean mixes = it.coin();
    String one = it.oneOf("BRANCH_LEQ", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT");
    List<String> modes = new ArrayList<>();
    List<Float> values = new ArrayList<>();
    long[] trues = new long[count];
    long[] falses = new long[count];
    for (int node = 0; node < count; node++) {
      int own = node % NODES;
      boolean isLeaf = own >= INNER;
      modes.add(isLeaf
        ? "LEAF"
        : mixes
          ? it.oneOf("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
          : one);
      values.add(isLeaf ? 0f : (float) it.number(0, 8) / 2);
      trues[node] = isLeaf ? 0 : 2 * own + 1;
      falses[node] = isLeaf ? 0 : 2 * own + 2;
    }
    it.input(x).with("nodes_treeids", LongStream.range(0, count).map(node -> node / NODES).toArray()).with(
      "nodes_nodeids", LongStream.range(0, count).map(node -> node % NODES).toArray()).with("nodes_featureids",
        LongStream.range(0, count).map(_ -> it.number(0, (int) columns - 1)).toArray())
      .with("nodes_modes",
        new AttributeValue.Texts(modes))
      .with("nodes_values", new AttributeValue.Reals(values)).with(
        "nodes_truenodeids", trues)
      .with("nodes_falsenodeids", falses);
    if (it.coin()) {
      it.with("nodes_missing_value_tracks_true", LongStream.range(0, count).map(_ -> it.number(0, 1)).toArray());
      for (long i = 0; dtype == DType.FLOAT32 && i < x.elementCount(); i += it.number(1, 9)) {
        OneOperator.set(x, i, Double.NaN);
      }
    }
    return trees;
  }

  /**
   * Weights of leaves.
   *
   * @param each whether a leaf has a weight for each target; else one for a target that its tree has, or the first
   */
  private static void weights(OneOperator it, String prefix, int trees, int targets, boolean each, float least) {
    List<Long> tree = new ArrayList<>();
    List<Long> node = new ArrayList<>();
    List<Long> id = new ArrayList<>();
    boolean isFirst = targets == 2 && it.coin();
    for (int t = 0; t < trees; t++) {
      for (int leaf = INNER; leaf < NODES; leaf++) {
        for (int target = 0; target < (each ? targets : 1); target++) {
          tree.add((long) t);
          node.add((long) leaf);
          id.add((long) (each ? target : isFirst ? 0 : t % targets));
        }
      }
    }
    it.with(prefix + "_treeids", AttributeValue.Ints.of(array(tree))).with(prefix + "_nodeids", AttributeValue.Ints.of(
      array(node))).with(prefix + "_ids", AttributeValue.Ints.of(array(id))).with(prefix + "_weights",
        new AttributeValue.Reals(numbers(it, tree.size(), least)));
  }

  private static long[] array(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  private static void treeRegressor(OneOperator it) {
    int trees = trees(it, DType.FLOAT32, DType.FLOAT64);
    int targets = it.number(1, 3);
    // ONNX Runtime leaves the base out for a target without weights.
    boolean hasBase = it.coin();
    weights(it, "target", trees, targets, hasBase || it.coin(), -1);
    it.with("n_targets", targets).with("post_transform", it.oneOf(TRANSFORMS)).with("aggregate_function", it.oneOf(
      "SUM", "SUM", "AVERAGE", "MIN", "MAX"));
    if (hasBase) {
      it.with("base_values", reals(it, targets));
    }
  }

  private static void treeClassifier(OneOperator it) {
    int trees = trees(it, DType.FLOAT32, DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.INT32);
    int classes = it.number(2, 4);
    boolean each = it.coin();
    weights(it, "class", trees, classes, each, it.coin() ? 0 : -1);
    // Of two classes with weights for both, ONNX Runtime gives the labels 0 and 1 whatever the labels are.
    it.outputs(2).with("post_transform", it.oneOf(TRANSFORMS)).with("classlabels_int64s", LongStream.range(0, classes)
      .map(label -> classes == 2 ? label : 10 - 3 * label).toArray());
    if (it.coin()) {
      it.with("base_values", reals(it, classes > 2 || !each ? classes == 2 ? 1 : classes : 2));
    }
  }

  private static void vectors(OneOperator it, int count, int columns) {
    it.input(it.floats(rows(it, columns), -1, 1)).with("support_vectors", reals(it, count * columns)).with(
      "kernel_type", it.oneOf("LINEAR", "POLY", "RBF", "SIGMOID")).with("kernel_params",
        new AttributeValue.Reals(List
          .of(0.5f, 0.25f, (float) it.number(1, 3))));
  }

  private static void vectorRegressor(OneOperator it) {
    int columns = it.number(1, 5);
    int count = it.number(0, 6);
    vectors(it, count, columns);
    it.with("n_supports", count).with("coefficients", reals(it, count == 0 ? columns : count)).with("rho", reals(it, 1))
      .with("one_class", it.number(0, 1));
  }

  private static void vectorClassifier(OneOperator it) {
    int columns = it.number(1, 5);
    int classes = it.number(2, 4);
    boolean isLinear = it.number(0, 3) == 0;
    int pairs = classes * (classes - 1) / 2;
    int each = 3;
    vectors(it, isLinear ? 0 : classes * each, columns);
    it.outputs(2).with("classlabels_ints", LongStream.range(0, classes).map(label -> 10 - 3 * label).toArray()).with(
      "coefficients", reals(it, isLinear ? classes * columns : (classes - 1) * classes * each)).with("rho",
        reals(it,
          isLinear ? 1 : pairs))
      .with("post_transform", it.oneOf(TRANSFORMS));
    if (!isLinear) {
      it.with("vectors_per_class", LongStream.range(0, classes).map(_ -> each).toArray());
      if (it.coin()) {
        it.with("prob_a", new AttributeValue.Reals(Collections.nCopies(pairs, -1.5f))).with("prob_b", reals(it,
          pairs));
      }
    }
  }

  private static void linear(OneOperator it, int results, DType dtype) {
    int columns = it.number(1, 9);
    it.input(it.tensor(dtype, it.number(0, 4) == 0 ? Shape.of(columns) : rows(it, columns), -3, 3)).with("coefficients",
      reals(it, results * columns));
  }

  private static void linearClassifier(OneOperator it) {
    int classes = it.number(1, 4);
    linear(it, classes, it.oneOf(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.INT32));
    int labels = classes == 1 ? 2 : classes;
    it.outputs(2).with("intercepts", reals(it, classes)).with("post_transform", it.oneOf(TRANSFORMS));
    if (it.coin()) {
      it.with("classlabels_ints", IntStream.range(0, labels).mapToLong(label -> 10 - 3L * label).toArray());
    } else {
      it.with("classlabels_strings", new AttributeValue.Texts(List.of(WORDS).subList(0, labels)));
    }
  }

  private static void imputer(OneOperator it) {
    int columns = it.number(1, 5);
    int given = it.coin() ? columns : 1;
    if (it.coin()) {
      it.input(it.tensor(DType.INT64, Shape.of(it.number(1, 9), columns), 0, 3)).with("imputed_value_int64s", LongStream
        .range(0, given).map(i -> 10 + i).toArray()).with("replaced_value_int64", 2);
      return;
    }
    TensorView x = it.floats(Shape.of(it.number(1, 9), columns), -1, 1);
    boolean isMissing = it.coin();
    for (long i = 0; i < x.elementCount(); i += it.number(1, 4)) {
      OneOperator.set(x, i, isMissing ? Double.NaN : 0.5);
    }
    it.input(x).with("imputed_value_floats", reals(it, given)).with("replaced_value_float", isMissing
      ? Float.NaN
      : 0.5f);
  }
}
