package dev.cairn.kernels.cpu.ensemble;

import dev.cairn.kernels.attribute.DecisionForest;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/** Scores of a range of rows, one row after the other, for forests of any comparisons and rows of any type. */
final class ForestDoubles {
  private final DecisionForest forest;
  private final TensorView x;
  private final double[] values;
  private final double[] sums;
  private final float[] scores;
  private final boolean[] seen;

  ForestDoubles(DecisionForest forest, TensorView x, long features) {
    this.forest = forest;
    this.x = x;
    values = new double[Math.max(1, Math.toIntExact(features))];
    sums = new double[forest.targets()];
    scores = new float[sums.length];
    seen = new boolean[sums.length];
  }

  void run(KernelCall call, long first, long end) {
    var results = new ForestResults(forest, call);
    long features = x.shape().extent(-1);
    boolean isPrecise = x.dtype() == DType.FLOAT64;
    for (long row = first; row < end; row++) {
      Elements.read(x, row * features, values, (int) features);
      for (int i = 0; !isPrecise && i < features; i++) {
        values[i] = (float) values[i];
      }
      Arrays.fill(sums, 0);
      Arrays.fill(scores, 0);
      Arrays.fill(seen, false);
      for (int tree = 0; tree < forest.trees(); tree++) {
        add(forest.leaf(tree, values, 0), isPrecise);
      }
      if (isPrecise) {
        results.write(row, sums, seen);
      } else {
        results.write(row, scores, 0, seen);
      }
    }
  }

  private void add(int leaf, boolean isPrecise) {
    for (int i = forest.firstWeight(leaf); i < forest.firstWeight(leaf + 1); i++) {
      int target = forest.target(i);
      double weight = forest.weight(i);
      double sum = isPrecise ? sums[target] : scores[target];
      double next = switch (forest.aggregate()) {
        case SUM, AVERAGE -> sum + weight;
        case MIN -> seen[target] ? Math.min(sum, weight) : weight;
        case MAX -> seen[target] ? Math.max(sum, weight) : weight;
      };
      sums[target] = next;
      scores[target] = (float) next;
      seen[target] = true;
    }
  }
}
