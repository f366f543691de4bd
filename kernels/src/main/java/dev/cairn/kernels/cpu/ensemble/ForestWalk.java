package dev.cairn.kernels.cpu.ensemble;

import dev.cairn.kernels.attribute.DecisionForest;
import dev.cairn.kernels.attribute.DecisionForest.Aggregate;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Scores of a range of rows in single precision. Eight walks go down side by side: each step needs the result of the
 * one before, so one walk alone would wait for memory. The next node is computed, not branched to, because the
 * processor cannot predict it. Not thread-safe: one range has one.
 */
final class ForestWalk {
  static final int WALKERS = 8;

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int MOST_ROWS = 128;
  /** The bits of infinity; those of every NaN without its sign are a greater number. */
  private static final int INFINITY = 0x7f800000;
  private static final int MOST_FEATURES = 1 << 15;

  private final DecisionForest forest;
  private final TensorView x;
  private final int features;
  private final int block;
  private final boolean isSum;
  private final float[] values;
  private final double[] wide;
  private final int[] keys;
  private final float[] scores;
  private final boolean[] seen;
  private final int[] at = new int[WALKERS];
  private final int[] rows = new int[WALKERS];

  /** @param count how many rows there are in all, so that less memory is taken for few */
  ForestWalk(DecisionForest forest, TensorView x, long features, long count) {
    this.forest = forest;
    this.x = x;
    this.features = Math.toIntExact(features);
    block = (int) Math.clamp(MOST_FEATURES / Math.max(1, features), 1, Math.min(MOST_ROWS, count));
    isSum = forest.aggregate() == Aggregate.SUM || forest.aggregate() == Aggregate.AVERAGE;
    values = new float[Math.multiplyExact(block, this.features)];
    wide = new double[x.dtype() == DType.FLOAT32 ? 0 : values.length];
    keys = new int[Math.max(1, values.length)];
    scores = new float[Math.multiplyExact(block, forest.targets())];
    boolean looksAtSeen = forest.aggregate() == Aggregate.MIN || forest.aggregate() == Aggregate.MAX || forest
      .isClassifier();
    seen = new boolean[looksAtSeen ? scores.length : 0];
  }

  void run(KernelCall call, long first, long end) {
    var results = new ForestResults(forest, call);
    for (long row = first; row < end; row += block) {
      int count = (int) Math.min(block, end - row);
      boolean hasGaps = read(row, count) && forest.hasMissing();
      Arrays.fill(scores, 0, count * forest.targets(), 0);
      Arrays.fill(seen, false);
      if (count < WALKERS) {
        for (int i = 0; i < count; i++) {
          walkTrees(i, hasGaps);
        }
      } else {
        for (int tree = 0; tree < forest.trees(); tree++) {
          walkRows(tree, count, hasGaps);
        }
      }
      for (int i = 0; i < count; i++) {
        results.write(row + i, scores, i * forest.targets(), seen);
      }
    }
  }

  /** Reads rows; says whether a value is missing. */
  private boolean read(long row, int count) {
    int length = count * features;
    if (x.dtype() == DType.FLOAT32) {
      MemorySegment.copy(x.segment(), FLOAT, row * features * Float.BYTES, values, 0, length);
    } else {
      Elements.read(x, row * features, wide, length);
      for (int i = 0; i < length; i++) {
        values[i] = (float) wide[i];
      }
    }
    int greatest = 0;
    for (int i = 0; i < length; i++) {
      float value = values[i];
      keys[i] = DecisionForest.key(value);
      greatest = Math.max(greatest, Float.floatToRawIntBits(value) & Integer.MAX_VALUE);
    }
    boolean hasGaps = greatest > INFINITY;
    for (int i = 0; hasGaps && i < length; i++) {
      keys[i] = Float.isNaN(values[i]) ? Integer.MAX_VALUE : keys[i];
    }
    return hasGaps;
  }

  /** One tree for all rows of the block. The last rows may be walked twice, and are counted once. */
  private void walkRows(int tree, int count, boolean hasGaps) {
    int root = forest.packedRoot(tree);
    for (int row = 0; row < count; row += WALKERS) {
      for (int i = 0; i < WALKERS; i++) {
        at[i] = root;
        rows[i] = Math.min(row + i, count - 1) * features;
      }
      walk(hasGaps);
      for (int i = 0; i < Math.min(WALKERS, count - row); i++) {
        add(at[i], row + i);
      }
    }
  }

  /** All trees for one row. */
  private void walkTrees(int row, boolean hasGaps) {
    int trees = forest.trees();
    Arrays.fill(rows, row * features);
    for (int tree = 0; tree < trees; tree += WALKERS) {
      for (int i = 0; i < WALKERS; i++) {
        at[i] = forest.packedRoot(Math.min(tree + i, trees - 1));
      }
      walk(hasGaps);
      for (int i = 0; i < Math.min(WALKERS, trees - tree); i++) {
        add(at[i], row);
      }
    }
  }

  private void walk(boolean hasGaps) {
    if (hasGaps) {
      for (int i = 0; i < WALKERS; i++) {
        at[i] = withGaps(forest.packed(), keys, rows[i], at[i]);
      }
    } else {
      walk(forest.packed(), keys, rows, at);
    }
  }

  /** Moves all walks down to their leaves. */
  private static void walk(int[] nodes, int[] keys, int[] rows, int[] at) {
    int n0 = at[0];
    int n1 = at[1];
    int n2 = at[2];
    int n3 = at[3];
    int n4 = at[4];
    int n5 = at[5];
    int n6 = at[6];
    int n7 = at[7];
    int moved;
    do {
      int m0 = next(nodes, keys, rows[0], n0);
      int m1 = next(nodes, keys, rows[1], n1);
      int m2 = next(nodes, keys, rows[2], n2);
      int m3 = next(nodes, keys, rows[3], n3);
      int m4 = next(nodes, keys, rows[4], n4);
      int m5 = next(nodes, keys, rows[5], n5);
      int m6 = next(nodes, keys, rows[6], n6);
      int m7 = next(nodes, keys, rows[7], n7);
      moved = (m0 ^ n0) | (m1 ^ n1) | (m2 ^ n2) | (m3 ^ n3) | (m4 ^ n4) | (m5 ^ n5) | (m6 ^ n6) | (m7 ^ n7);
      n0 = m0;
      n1 = m1;
      n2 = m2;
      n3 = m3;
      n4 = m4;
      n5 = m5;
      n6 = m6;
      n7 = m7;
    } while (moved != 0);
    at[0] = n0;
    at[1] = n1;
    at[2] = n2;
    at[3] = n3;
    at[4] = n4;
    at[5] = n5;
    at[6] = n6;
    at[7] = n7;
  }

  private static int next(int[] nodes, int[] keys, int row, int node) {
    int key = keys[row + (nodes[node] & Integer.MAX_VALUE)];
    int second = (int) (((long) nodes[node + 1] - key) >>> 63);
    return nodes[node + 2 + second];
  }

  /** The leaf of one walk, where values may be missing. */
  private static int withGaps(int[] nodes, int[] keys, int row, int start) {
    int node = start;
    while (true) {
      int feature = nodes[node];
      int key = keys[row + (feature & Integer.MAX_VALUE)];
      boolean isFirst = key == Integer.MAX_VALUE ? feature < 0 : key <= nodes[node + 1];
      int next = nodes[node + (isFirst ? 2 : 3)];
      if (next == node) {
        return node;
      }
      node = next;
    }
  }

  /** Adds the weights of a leaf to the scores of a row. */
  private void add(int node, int row) {
    int leaf = forest.packed()[node + 1];
    int end = forest.firstWeight(leaf + 1);
    int base = row * forest.targets();
    for (int i = forest.firstWeight(leaf); i < end; i++) {
      int score = base + forest.target(i);
      float weight = forest.single(i);
      if (isSum) {
        scores[score] += weight;
      } else if (!seen[score]) {
        scores[score] = weight;
      } else {
        scores[score] = forest.aggregate() == Aggregate.MIN
          ? Math.min(scores[score], weight)
          : Math.max(scores[score], weight);
      }
      if (seen.length > 0) {
        seen[score] = true;
      }
    }
  }
}
