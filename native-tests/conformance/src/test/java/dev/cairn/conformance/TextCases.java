package dev.cairn.conformance;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Random models of operators on strings, of those that turn words into numbers, and of trees. */
final class TextCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();
  private static final String[] WORDS = {"", "a", "B", "ab", "Montag", "ünï", "日本", "a b  c", "a-b--c"};

  private TextCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put("StringConcat", it -> {
      Shape shape = it.shape(0, 3);
      it.input(it.strings(shape, WORDS)).input(it.strings(it.stretching(shape), WORDS));
    });
    all.put("StringNormalizer", it -> {
      it.constant(it.strings(Shape.of(it.number(1, 9)), "a", "B", "ab", "Montag")).with("case_change_action", it.oneOf(
        "NONE", "LOWER", "UPPER")).with("is_case_sensitive", 1).with("locale", "C");
      if (it.coin()) {
        it.with("stopwords", new AttributeValue.Texts(List.of("a", "b", "montag")));
      }
    });
    all.put("StringSplit", it -> {
      it.constant(it.strings(it.shape(1, 2), "a b  c", "a-b--c", "a", "-")).outputs(2);
      if (it.coin()) {
        it.with("delimiter", it.oneOf("-", "--"));
      }
      if (it.coin()) {
        it.with("maxsplit", it.number(1, 3));
      }
    });
    all.put("RegexFullMatch", it -> it.input(it.strings(it.shape(0, 3), WORDS)).with("pattern", it.oneOf("a.*",
      "[a-zA-Z]+", "(a|B)", ".", "\\w*")));
    all.put("Tokenizer", it -> {
      it.constant(it.strings(Shape.of(it.number(1, 4)), "a b  c", "a-b--c", "abc-Z", "ünï d")).with("mark", it.number(0,
        1)).with("pad_value", "#");
      if (it.coin()) {
        List<String> separators = it.oneOf(List.of(""), List.of("-"), List.of(" ", "-"), List.of("-+", "b"));
        boolean byLetter = separators.getFirst().isEmpty();
        it.with("separators", new AttributeValue.Texts(separators)).with("mincharnum", byLetter ? 1 : it.number(1, 2));
      } else {
        it.with("tokenexp", it.oneOf("[a-zA-Z]+", "[a-z]", "b")).with("mincharnum", it.number(1, 2));
      }
    });
    all.put("TfIdfVectorizer", TextCases::ngrams);
    all.put("LabelEncoder", TextCases::labels);
    all.put("TreeEnsemble", TextCases::trees);
    return all;
  }

  private static void ngrams(OneOperator it) {
    long columns = it.number(1, 12);
    Shape shape = it.coin() ? Shape.of(columns) : Shape.of(it.number(1, 3), columns);
    boolean words = it.coin();
    if (words) {
      it.with("pool_strings", new AttributeValue.Texts(List.of("a", "b", "a", "b", "b", "c", "c", "b", "a"))).input(it
        .strings(shape, "a", "b", "c"));
    } else {
      it.with("pool_int64s", 1, 2, 1, 2, 2, 3, 3, 2, 1).input(it.tensor(it.oneOf(DType.INT32, DType.INT64), shape, 1,
        3));
    }
    it.with("ngram_counts", 0, 2, 6).with("ngram_indexes", 4, 0, 2, 1, 3).with("mode", it.oneOf("TF", "IDF", "TFIDF"))
      .with("min_gram_length", it.number(1, 2)).with("max_gram_length", it.number(2, 3)).with("max_skip_count", it
        .number(0, 2));
    if (it.coin()) {
      it.with("weights", new AttributeValue.Reals(List.of(0.5f, 2f, 3f, 4f, 5f)));
    }
  }

  private static void labels(OneOperator it) {
    Shape shape = it.shape(1, 3);
    AttributeValue words = new AttributeValue.Texts(List.of("a", "b", "c"));
    AttributeValue numbers = AttributeValue.Ints.of(1, 2, 3);
    AttributeValue reals = new AttributeValue.Reals(List.of(1f, 2f, 3f));
    switch (it.number(0, 4)) {
      case 0 -> it.input(it.strings(shape, "a", "b", "d")).with("keys_strings", words).with("values_int64s", numbers);
      case 1 -> it.input(it.tensor(DType.INT64, shape, 0, 4)).with("keys_int64s", numbers).with("values_strings",
        words);
      case 2 -> it.input(it.tensor(DType.INT64, shape, 0, 4)).with("keys_int64s", numbers).with("values_floats", reals)
        .with("default_float", -7f);
      case 3 -> it.input(wholeFloats(it, shape)).with("keys_floats", reals).with("values_floats", reals);
      default -> it.input(wholeFloats(it, shape)).with("keys_floats", reals).with("values_strings", words).with(
        "default_string", "none");
    }
  }

  /** Complete trees of seven nodes, whose last four have leaves. */
  private static void trees(OneOperator it) {
    int count = it.number(1, 4);
    int nodes = 7 * count;
    long features = it.number(1, 4);
    long[][] ids = new long[2][nodes];
    long[] leafs = new long[nodes];
    for (int node = 0; node < nodes; node++) {
      int own = node % 7;
      leafs[node] = own < 3 ? 0 : 1;
      for (int side = 0; side < 2; side++) {
        ids[side][node] = own < 3 ? node + own + 1 + side : node / 7 * 8 + (own - 3) * 2 + side;
      }
    }
    int leaves = 8 * count;
    it.input(wholeFloats(it, Shape.of(it.number(1, 9), features))).with("n_targets", 3).with("tree_roots", LongStream
      .range(0, count).map(tree -> 7 * tree).toArray()).with("nodes_featureids", LongStream.range(0, nodes)
        .map(
          _ -> it.number(0, (int) features - 1))
        .toArray())
      .with("nodes_modes", it.tensor(DType.UINT8, Shape.of(nodes), 0, 5)).with("nodes_splits", wholeFloats(it, Shape
        .of(nodes)))
      .with("nodes_truenodeids", ids[0]).with("nodes_falsenodeids", ids[1]).with("nodes_trueleafs", leafs).with(
        "nodes_falseleafs", leafs)
      .with("leaf_targetids", LongStream.range(0, leaves).map(_ -> it.number(0, 2)).toArray()).with("leaf_weights", it
        .floats(Shape.of(leaves), -1, 1));
  }

  private static TensorView wholeFloats(OneOperator it, Shape shape) {
    float[] values = new float[(int) shape.elementCount()];
    LongStream.range(0, values.length).forEach(i -> values[(int) i] = it.number(0, 4));
    return TensorView.ofFloats(shape, values);
  }
}
