package dev.cairn.kernels.attribute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of trees as a file lists them, with indexes in the place of names. A node compares one feature with a
 * number; a leaf has weights.
 */
final class TreeNodes {
  /** How a node compares: the numbers that {@code TreeEnsemble} gives them. */
  static final List<String> MODES = List.of("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ",
    "BRANCH_NEQ", "BRANCH_MEMBER");
  static final int LEQ = 0;
  static final int LT = 1;
  static final int GTE = 2;
  static final int GT = 3;
  static final int EQ = 4;
  static final int NEQ = 5;
  static final int MEMBER = 6;
  static final int LEAF = 7;

  final int[] modes;
  final int[] features;
  final double[] splits;
  /** Where the comparison holds, and where it does not; unused in a leaf. */
  final int[] whenTrue;
  final int[] whenFalse;
  final boolean[] isMissingTrue;
  final int[] roots;
  /** By node, and meaningful for leaves only. */
  final int[][] targets;
  final double[][] weights;

  private TreeNodes(int count, int[] roots) {
    this.roots = roots;
    modes = new int[count];
    features = new int[count];
    splits = new double[count];
    whenTrue = new int[count];
    whenFalse = new int[count];
    isMissingTrue = new boolean[count];
    targets = new int[count][];
    weights = new double[count][];
  }

  /** One node of one tree, by the numbers that older operators give both. */
  private record Place(long tree, long node) {}

  /**
   * The nodes of {@code TreeEnsembleClassifier} and {@code TreeEnsembleRegressor}.
   *
   * @param prefix of the attributes of weights
   */
  static TreeNodes ofOlder(Attributes attributes, String prefix) {
    long[] trees = attributes.getLongs("nodes_treeids");
    int count = trees.length;
    long[] nodes = exactly(attributes, "nodes_nodeids", count);
    Map<Place, Integer> places = new HashMap<>();
    List<Integer> roots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (places.put(new Place(trees[i], nodes[i]), i) != null) {
        throw new IllegalArgumentException("a node is there twice: tree=%d node=%d".formatted(trees[i], nodes[i]));
      }
      if (i == 0 || trees[i] != trees[i - 1]) {
        roots.add(i);
      }
    }
    var made = new TreeNodes(count, roots.stream().mapToInt(Integer::intValue).toArray());
    List<String> modes = attributes.getTexts("nodes_modes");
    requireCount("nodes_modes", modes.size(), count);
    long[] features = exactly(attributes, "nodes_featureids", count);
    double[] splits = TreeTensors.numbers(attributes, "nodes_values", count);
    long[] whenTrue = exactly(attributes, "nodes_truenodeids", count);
    long[] whenFalse = exactly(attributes, "nodes_falsenodeids", count);
    long[] missing = attributes.getLongs("nodes_missing_value_tracks_true");
    for (int i = 0; i < count; i++) {
      String mode = modes.get(i);
      made.modes[i] = mode.equals("LEAF") ? LEAF : MODES.indexOf(mode);
      if (made.modes[i] < 0) {
        throw new IllegalArgumentException("no such comparison: nodes_modes=\"%s\"".formatted(mode));
      }
      made.targets[i] = new int[0];
      made.weights[i] = new double[0];
      if (made.modes[i] != LEAF) {
        made.features[i] = index("nodes_featureids", features[i], Integer.MAX_VALUE);
        made.splits[i] = splits[i];
        made.isMissingTrue[i] = i < missing.length && missing[i] != 0;
        made.whenTrue[i] = found(places, "nodes_truenodeids", trees[i], whenTrue[i]);
        made.whenFalse[i] = found(places, "nodes_falsenodeids", trees[i], whenFalse[i]);
      }
    }
    made.readWeights(attributes, prefix, places);
    return made;
  }

  private void readWeights(Attributes attributes, String prefix, Map<Place, Integer> places) {
    long[] ids = attributes.getLongs(prefix + "_ids");
    long[] trees = exactly(attributes, prefix + "_treeids", ids.length);
    long[] nodes = exactly(attributes, prefix + "_nodeids", ids.length);
    double[] given = TreeTensors.numbers(attributes, prefix + "_weights", ids.length);
    int[] counts = new int[modes.length];
    int[] owners = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      owners[i] = found(places, prefix + "_nodeids", trees[i], nodes[i]);
      counts[owners[i]]++;
    }
    for (int node = 0; node < counts.length; node++) {
      targets[node] = new int[counts[node]];
      weights[node] = new double[counts[node]];
    }
    for (int i = ids.length - 1; i >= 0; i--) {
      int at = --counts[owners[i]];
      targets[owners[i]][at] = index(prefix + "_ids", ids[i], Integer.MAX_VALUE);
      weights[owners[i]][at] = given[i];
    }
  }

  private static int found(Map<Place, Integer> places, String attribute, long tree, long node) {
    Integer place = places.get(new Place(tree, node));
    if (place == null) {
      throw new IllegalArgumentException("no such node: attribute=%s tree=%d node=%d".formatted(attribute, tree, node));
    }
    return place;
  }

  /** The nodes of {@code TreeEnsemble}, then its leaves, which have one weight each. */
  static TreeNodes ofEnsemble(Attributes attributes) {
    long[] features = attributes.getLongs("nodes_featureids");
    int inner = features.length;
    long[] leafTargets = attributes.getLongs("leaf_targetids");
    int leaves = leafTargets.length;
    long[] roots = attributes.getLongs("tree_roots");
    int[] starts = new int[roots.length];
    for (int i = 0; i < roots.length; i++) {
      starts[i] = index("tree_roots", roots[i], inner);
    }
    var made = new TreeNodes(Math.addExact(inner, leaves), starts);
    double[] modes = TreeTensors.tensor(attributes, "nodes_modes", inner);
    double[] splits = TreeTensors.tensor(attributes, "nodes_splits", inner);
    long[] missing = attributes.getLongs("nodes_missing_value_tracks_true");
    for (int i = 0; i < inner; i++) {
      made.modes[i] = index("nodes_modes", (long) modes[i], MODES.size());
      made.features[i] = index("nodes_featureids", features[i], Integer.MAX_VALUE);
      made.splits[i] = splits[i];
      made.isMissingTrue[i] = i < missing.length && missing[i] != 0;
    }
    sides(attributes, "false", made.whenFalse, inner, leaves);
    sides(attributes, "true", made.whenTrue, inner, leaves);
    double[] weights = TreeTensors.tensor(attributes, "leaf_weights", leaves);
    for (int leaf = 0; leaf < leaves; leaf++) {
      made.modes[inner + leaf] = LEAF;
      made.targets[inner + leaf] = new int[] {index("leaf_targetids", leafTargets[leaf], Integer.MAX_VALUE)};
      made.weights[inner + leaf] = new double[] {weights[leaf]};
    }
    return made;
  }

  private static void sides(Attributes attributes, String side, int[] next, int inner, int leaves) {
    long[] ids = exactly(attributes, "nodes_" + side + "nodeids", inner);
    long[] areLeaves = exactly(attributes, "nodes_" + side + "leafs", inner);
    for (int i = 0; i < inner; i++) {
      next[i] = areLeaves[i] != 0
        ? inner + index("nodes_*nodeids", ids[i], leaves)
        : index("nodes_*nodeids", ids[i], inner);
    }
  }

  static long[] exactly(Attributes attributes, String name, int count) {
    long[] values = attributes.getLongs(name);
    requireCount(name, values.length, count);
    return values;
  }

  private static void requireCount(String name, int given, int wanted) {
    if (given != wanted) {
      throw new IllegalArgumentException(
        "one value for each entry is needed: attribute=%s values=%d wanted=%d".formatted(name,
          given, wanted));
    }
  }

  static int index(String attribute, long index, int count) {
    if (index < 0 || index >= count) {
      throw new IllegalArgumentException("no such entry: attribute=%s index=%d count=%d".formatted(attribute, index,
        count));
    }
    return (int) index;
  }
}
