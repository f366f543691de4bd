package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The trees of a {@code TreeEnsemble}, parsed from its attributes. */
public final class DecisionTrees {
  private static final int MEMBER = 6;

  private final int targets;
  private final long[] roots;
  private final long[] features;
  private final int[] modes;
  private final double[] splits;
  private final List<Set<Double>> members;
  private final long[] next;
  private final boolean[] isLeaf;
  private final boolean[] missingIsTrue;
  private final long[] leafTargets;
  private final double[] leafWeights;

  private DecisionTrees(Attributes attributes) {
    targets = attributes.getInt("n_targets", 0);
    roots = attributes.getLongs("tree_roots");
    features = attributes.getLongs("nodes_featureids");
    int nodes = features.length;
    modes = new int[nodes];
    double[] wanted = values(attributes, "nodes_modes", nodes);
    for (int i = 0; i < nodes; i++) {
      modes[i] = (int) wanted[i];
    }
    splits = values(attributes, "nodes_splits", nodes);
    next = new long[2 * nodes];
    isLeaf = new boolean[2 * nodes];
    String[] sides = {"false", "true"};
    for (int side = 0; side < 2; side++) {
      long[] ids = exactly(attributes, "nodes_" + sides[side] + "nodeids", nodes);
      long[] leaves = exactly(attributes, "nodes_" + sides[side] + "leafs", nodes);
      for (int i = 0; i < nodes; i++) {
        next[2 * i + side] = ids[i];
        isLeaf[2 * i + side] = leaves[i] != 0;
      }
    }
    missingIsTrue = new boolean[nodes];
    long[] missing = attributes.getLongs("nodes_missing_value_tracks_true");
    for (int i = 0; i < missing.length && i < nodes; i++) {
      missingIsTrue[i] = missing[i] != 0;
    }
    leafTargets = attributes.getLongs("leaf_targetids");
    leafWeights = values(attributes, "leaf_weights", leafTargets.length);
    members = members(attributes);
    requireWithin();
  }

  /** @throws IllegalArgumentException when attributes are missing, contradict each other or lead nowhere */
  public static DecisionTrees of(Attributes attributes) {
    return new DecisionTrees(attributes);
  }

  public int targets() {
    return targets;
  }

  private static Optional<TensorView> tensor(Attributes attributes, String name) {
    return attributes.find(name).map(it -> it instanceof AttributeValue.Tensor(TensorView view)
      ? view
      : new TensorView(TensorType.of(DType.INT8, 0), MemorySegment.ofArray(new byte[0])));
  }

  private static double[] values(Attributes attributes, String name, int count) {
    TensorView view = tensor(attributes, name).filter(it -> it.elementCount() == count).orElseThrow(
      () -> new IllegalArgumentException("one value for each is needed: attribute=%s wanted=%d".formatted(name,
        count)));
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = view.doubleAt(i);
    }
    return values;
  }

  private static long[] exactly(Attributes attributes, String name, int count) {
    long[] values = attributes.getLongs(name);
    if (values.length != count) {
      throw new IllegalArgumentException("one value for each node is needed: attribute=%s values=%d nodes=%d".formatted(
        name, values.length, count));
    }
    return values;
  }

  /** The sets of the nodes that ask for members, in their order; a NaN ends a set. */
  private List<Set<Double>> members(Attributes attributes) {
    List<Set<Double>> sets = new ArrayList<>();
    Optional<TensorView> all = tensor(attributes, "membership_values");
    long at = 0;
    for (int mode : modes) {
      Set<Double> set = new HashSet<>();
      while (mode == MEMBER && all.isPresent() && at < all.get().elementCount()) {
        double value = all.get().doubleAt(at++);
        if (Double.isNaN(value)) {
          break;
        }
        set.add(value + 0.0);
      }
      sets.add(Set.copyOf(set));
    }
    return sets;
  }

  private void requireWithin() {
    for (long root : roots) {
      requireIndex("tree_roots", root, features.length);
    }
    for (int i = 0; i < next.length; i++) {
      requireIndex("nodes_*nodeids", next[i], isLeaf[i] ? leafTargets.length : features.length);
    }
    for (long target : leafTargets) {
      requireIndex("leaf_targetids", target, targets);
    }
    for (int mode : modes) {
      requireIndex("nodes_modes", mode, MEMBER + 1);
    }
    if (targets < 1 || roots.length == 0) {
      throw new IllegalArgumentException("trees and targets are needed: tree_roots=%d n_targets=%d".formatted(
        roots.length, targets));
    }
  }

  private static void requireIndex(String what, long index, int count) {
    if (index < 0 || index >= count) {
      throw new IllegalArgumentException("no such entry: attribute=%s index=%d count=%d".formatted(what, index, count));
    }
  }

  /** @throws IllegalArgumentException when a node asks for a feature that a row does not have */
  public void requireFeatures(long count) {
    for (long feature : features) {
      requireIndex("nodes_featureids", feature, Math.toIntExact(Math.min(count, Integer.MAX_VALUE)));
    }
  }

  public int trees() {
    return roots.length;
  }

  /** The leaf of a tree that a row of features leads to. */
  public int leaf(int tree, TensorView x, long row) {
    long node = roots[tree];
    for (int steps = 0; steps <= features.length; steps++) {
      int side = isTrue((int) node, x.doubleAt(row + features[(int) node])) ? 1 : 0;
      int branch = 2 * (int) node + side;
      if (isLeaf[branch]) {
        return (int) next[branch];
      }
      node = next[branch];
    }
    throw new IllegalArgumentException("a tree has a cycle: tree=%d node=%d".formatted(tree, node));
  }

  private boolean isTrue(int node, double value) {
    if (Double.isNaN(value)) {
      return missingIsTrue[node];
    }
    double split = splits[node];
    return switch (modes[node]) {
      case 0 -> value <= split;
      case 1 -> value < split;
      case 2 -> value >= split;
      case 3 -> value > split;
      case 4 -> value == split;
      case 5 -> value != split;
      default -> members.get(node).contains(value + 0.0);
    };
  }

  public int target(int leaf) {
    return (int) leafTargets[leaf];
  }

  public double weight(int leaf) {
    return leafWeights[leaf];
  }
}
