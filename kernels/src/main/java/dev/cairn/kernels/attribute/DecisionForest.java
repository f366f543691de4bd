package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The trees of {@code TreeEnsemble}, {@code TreeEnsembleClassifier} or {@code TreeEnsembleRegressor}, parsed from the
 * attributes into arrays.
 *
 * <p>A forest whose nodes only compare by order also has a packed form, of four numbers for each node: the feature; the
 * {@linkplain #key key} of the largest value for which the walk takes the first side; the next node on the first and on
 * the second side. A leaf leads to itself on both sides and has its own number in place of the key. Nodes of one tree
 * lie in the order of a walk that takes the first side first.
 */
public final class DecisionForest {
  /** How leaves of several trees become one score. */
  public enum Aggregate {
    AVERAGE,
    SUM,
    MIN,
    MAX
  }

  /** Ints for each node of the packed form. */
  public static final int STRIDE = 4;

  /** What attribute {@code aggregate_function} is by default: the number of {@link Aggregate#SUM}. */
  private static final long SUM = 1;
  private static final int NEW = 0;
  private static final int OPEN = 1;
  private static final int DONE = 2;

  private final TreeNodes nodes;
  private final List<Set<Double>> members;
  private final Aggregate aggregate;
  private final ScoreTransform transform;
  private final int targets;
  private final float[] bases;
  private final int mostFeature;
  private final int[] leafNumbers;
  private final int[] leafStarts;
  private final int[] leafTargets;
  private final double[] leafWeights;
  private final float[] leafSingles;
  private final int[] packed;
  private final int[] packedRoots;
  private final boolean hasMissing;
  private final int steps;
  private final long[] labels;
  private final boolean isBinary;
  private final boolean isPositive;

  private DecisionForest(TreeNodes nodes, List<Set<Double>> members, Aggregate aggregate, ScoreTransform transform,
    int targets, double[] bases, long[] labels) {
    this.nodes = nodes;
    this.members = members;
    this.aggregate = aggregate;
    this.transform = transform;
    this.targets = targets;
    this.labels = labels;
    this.bases = new float[bases.length];
    for (int i = 0; i < bases.length; i++) {
      this.bases[i] = (float) bases[i];
    }
    if (targets < 1 || nodes.roots.length == 0) {
      throw new IllegalArgumentException("trees and targets are needed: trees=%d targets=%d".formatted(
        nodes.roots.length, targets));
    }
    List<Integer> order = order(nodes);
    mostFeature = order.stream().mapToInt(node -> nodes.features[node]).max().orElse(0);
    leafNumbers = new int[nodes.modes.length];
    leafStarts = leafStarts(order);
    int weights = leafStarts[leafStarts.length - 1];
    leafTargets = new int[weights];
    leafWeights = new double[weights];
    leafSingles = new float[weights];
    fillLeaves(order);
    steps = order.size();
    boolean isOrdered = order.stream().allMatch(node -> isOrdered(nodes.modes[node], nodes.splits[node]));
    packedRoots = new int[nodes.roots.length];
    packed = isOrdered && order.size() <= Integer.MAX_VALUE / STRIDE ? packed(order) : new int[0];
    hasMissing = order.stream().anyMatch(node -> nodes.modes[node] != TreeNodes.LEAF && takesMissing(node));
    Set<Integer> classes = new HashSet<>();
    boolean positive = true;
    for (int i = 0; i < weights; i++) {
      classes.add(leafTargets[i]);
      positive &= leafWeights[i] >= 0;
    }
    isPositive = positive;
    isBinary = targets == 2 && classes.size() == 1;
  }

  /** @throws IllegalArgumentException when attributes are missing, contradict each other or lead nowhere */
  public static DecisionForest ofEnsemble(Attributes attributes) {
    return attributes.parsed(DecisionForest.class, DecisionForest::parseEnsemble);
  }

  /** @throws IllegalArgumentException when attributes are missing, contradict each other or lead nowhere */
  public static DecisionForest ofClassifier(Attributes attributes) {
    return attributes.parsed(DecisionForest.class, DecisionForest::parseClassifier);
  }

  /** @throws IllegalArgumentException when attributes are missing, contradict each other or lead nowhere */
  public static DecisionForest ofRegressor(Attributes attributes) {
    return attributes.parsed(DecisionForest.class, DecisionForest::parseRegressor);
  }

  private static DecisionForest parseEnsemble(Attributes attributes) {
    TreeNodes nodes = TreeNodes.ofEnsemble(attributes);
    long aggregate = attributes.getLong("aggregate_function", SUM);
    if (aggregate < 0 || aggregate >= Aggregate.values().length) {
      throw new IllegalArgumentException("no such combination of trees: aggregate_function=" + aggregate);
    }
    return new DecisionForest(nodes, members(attributes, nodes), Aggregate.values()[(int) aggregate], ScoreTransform
      .numbered(attributes.getLong("post_transform", 0)), attributes.getInt("n_targets", 0), new double[0],
      new long[0]);
  }

  private static DecisionForest parseClassifier(Attributes attributes) {
    ClassLabels labels = ClassLabels.of(attributes);
    return new DecisionForest(TreeNodes.ofOlder(attributes, "class"), List.of(), Aggregate.SUM, ScoreTransform.of(
      attributes), labels.count(), TreeTensors.numbers(attributes, "base_values"), labels.numbers());
  }

  private static DecisionForest parseRegressor(Attributes attributes) {
    String name = attributes.getText("aggregate_function", Aggregate.SUM.name());
    Aggregate aggregate = Arrays.stream(Aggregate.values()).filter(it -> it.name().equals(name)).findFirst()
      .orElseThrow(() -> new IllegalArgumentException("no such combination of trees: aggregate_function=\"%s\""
        .formatted(name)));
    return new DecisionForest(TreeNodes.ofOlder(attributes, "target"), List.of(), aggregate, ScoreTransform.of(
      attributes), attributes.getInt("n_targets", 0), TreeTensors.numbers(attributes, "base_values"), new long[0]);
  }

  /** The sets of the nodes that ask for members, in their order; a NaN ends a set. */
  private static List<Set<Double>> members(Attributes attributes, TreeNodes nodes) {
    double[] all = attributes.find("membership_values").orElse(null) instanceof AttributeValue.Tensor(TensorView view)
      ? TreeTensors.tensor(attributes, "membership_values", Math.toIntExact(view.elementCount()))
      : new double[0];
    List<Set<Double>> sets = new ArrayList<>();
    int at = 0;
    for (int mode : nodes.modes) {
      Set<Double> set = new HashSet<>();
      while (mode == TreeNodes.MEMBER && at < all.length) {
        double value = all[at++];
        if (Double.isNaN(value)) {
          break;
        }
        set.add(value + 0.0);
      }
      sets.add(Set.copyOf(set));
    }
    return sets;
  }

  /** Nodes that a root leads to, each before what its first side leads to. */
  private static List<Integer> order(TreeNodes nodes) {
    int[] states = new int[nodes.modes.length];
    int[] stack = new int[nodes.modes.length + 1];
    List<Integer> order = new ArrayList<>();
    for (int root : nodes.roots) {
      int depth = 0;
      stack[0] = root;
      while (depth >= 0) {
        int node = stack[depth];
        if (states[node] == NEW) {
          order.add(node);
          states[node] = OPEN;
        }
        int next = nodes.modes[node] == TreeNodes.LEAF ? -1 : unfinished(nodes, states, node);
        if (next < 0) {
          states[node] = DONE;
          depth--;
        } else {
          stack[++depth] = next;
        }
      }
    }
    return order;
  }

  /** A node to go on with; -1 if both sides are done. */
  private static int unfinished(TreeNodes nodes, int[] states, int node) {
    for (int next : new int[] {nodes.whenTrue[node], nodes.whenFalse[node]}) {
      if (states[next] == OPEN) {
        throw new IllegalArgumentException("a tree has a cycle: node=" + next);
      }
      if (states[next] == NEW) {
        return next;
      }
    }
    return -1;
  }

  private int[] leafStarts(List<Integer> order) {
    List<Integer> starts = new ArrayList<>(List.of(0));
    for (int node : order) {
      if (nodes.modes[node] == TreeNodes.LEAF) {
        leafNumbers[node] = starts.size() - 1;
        starts.add(Math.addExact(starts.getLast(), nodes.targets[node].length));
      }
    }
    return starts.stream().mapToInt(Integer::intValue).toArray();
  }

  private void fillLeaves(List<Integer> order) {
    for (int node : order) {
      for (int i = 0; nodes.modes[node] == TreeNodes.LEAF && i < nodes.targets[node].length; i++) {
        int at = leafStarts[leafNumbers[node]] + i;
        leafTargets[at] = TreeNodes.index("target", nodes.targets[node][i], targets);
        leafWeights[at] = nodes.weights[node][i];
        leafSingles[at] = (float) leafWeights[at];
      }
    }
  }

  private static boolean isOrdered(int mode, double split) {
    boolean isStrict = mode == TreeNodes.LT || mode == TreeNodes.GTE;
    return mode == TreeNodes.LEAF || (mode <= TreeNodes.GT && !(isStrict && split == Double.NEGATIVE_INFINITY));
  }

  /** Whether the packed form's first side is where a comparison does not hold. */
  private static boolean isTurned(int mode) {
    return mode == TreeNodes.GTE || mode == TreeNodes.GT;
  }

  /** Whether a missing value takes the packed form's first side. */
  private boolean takesMissing(int node) {
    return nodes.isMissingTrue[node] != isTurned(nodes.modes[node]);
  }

  private int[] packed(List<Integer> order) {
    int[] places = new int[nodes.modes.length];
    for (int i = 0; i < order.size(); i++) {
      places[order.get(i)] = i * STRIDE;
    }
    int[] made = new int[order.size() * STRIDE];
    for (int node : order) {
      int at = places[node];
      int mode = nodes.modes[node];
      if (mode == TreeNodes.LEAF) {
        made[at + 1] = leafNumbers[node];
        made[at + 2] = at;
        made[at + 3] = at;
        continue;
      }
      float split = (float) nodes.splits[node];
      boolean excludes = mode == TreeNodes.LT || mode == TreeNodes.GTE;
      made[at] = nodes.features[node] | (takesMissing(node) ? Integer.MIN_VALUE : 0);
      made[at + 1] = Float.isNaN(split) ? Integer.MIN_VALUE : key(excludes ? Math.nextDown(split) : split);
      made[at + 2] = places[isTurned(mode) ? nodes.whenFalse[node] : nodes.whenTrue[node]];
      made[at + 3] = places[isTurned(mode) ? nodes.whenTrue[node] : nodes.whenFalse[node]];
    }
    for (int i = 0; i < packedRoots.length; i++) {
      packedRoots[i] = places[nodes.roots[i]];
    }
    return made;
  }

  /** A whole number in the place of a real one, which is no NaN: of two numbers, the greater has the greater key. */
  public static int key(float value) {
    int bits = Float.floatToRawIntBits(value + 0.0f);
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  /** @throws IllegalArgumentException when a node asks for a feature that a row does not have */
  public void requireFeatures(long count) {
    if (mostFeature >= Math.max(1, count)) {
      throw new IllegalArgumentException("no such entry: attribute=nodes_featureids index=%d count=%d".formatted(
        mostFeature, count));
    }
  }

  public Aggregate aggregate() {
    return aggregate;
  }

  public ScoreTransform transform() {
    return transform;
  }

  public int targets() {
    return targets;
  }

  public int trees() {
    return nodes.roots.length;
  }

  /** How many nodes the forest has. */
  public int nodes() {
    return steps;
  }

  /** What is added to scores: none, one number, or one for each target. */
  public float base(int index) {
    return bases[index];
  }

  public int bases() {
    return bases.length;
  }

  /** Whether targets are classes with labels. */
  public boolean isClassifier() {
    return labels.length > 0;
  }

  /** The label of a class. */
  public long label(int index) {
    return labels[index];
  }

  /** Whether there are two classes and all leaves have weights for one of them. */
  public boolean isBinary() {
    return isBinary;
  }

  /** Whether no weight is negative. */
  public boolean isPositive() {
    return isPositive;
  }

  /** Whether the forest has the packed form. */
  public boolean isPacked() {
    return packed.length > 0;
  }

  /** The packed form; not to be changed. */
  public int[] packed() {
    return packed;
  }

  /** Where a tree begins in the packed form. */
  public int packedRoot(int tree) {
    return packedRoots[tree];
  }

  /** Whether missing values may take the first side of a node. */
  public boolean hasMissing() {
    return hasMissing;
  }

  /** The leaf of a tree that a row of features leads to. */
  public int leaf(int tree, double[] x, int row) {
    int node = nodes.roots[tree];
    while (nodes.modes[node] != TreeNodes.LEAF) {
      node = isTrue(node, x[row + nodes.features[node]]) ? nodes.whenTrue[node] : nodes.whenFalse[node];
    }
    return leafNumbers[node];
  }

  private boolean isTrue(int node, double value) {
    double split = nodes.splits[node];
    boolean holds = switch (nodes.modes[node]) {
      case TreeNodes.LEQ -> value <= split;
      case TreeNodes.LT -> value < split;
      case TreeNodes.GTE -> value >= split;
      case TreeNodes.GT -> value > split;
      case TreeNodes.EQ -> value == split;
      case TreeNodes.NEQ -> value != split;
      default -> members.get(node).contains(value + 0.0);
    };
    return holds || (nodes.isMissingTrue[node] && Double.isNaN(value));
  }

  /** The first of a leaf's weights; those of the next leaf follow them. */
  public int firstWeight(int leaf) {
    return leafStarts[leaf];
  }

  public int target(int weight) {
    return leafTargets[weight];
  }

  public double weight(int weight) {
    return leafWeights[weight];
  }

  /** A weight in single precision. */
  public float single(int weight) {
    return leafSingles[weight];
  }
}
