package dev.cairn.kernels.cpu.ensemble;

import dev.cairn.kernels.attribute.DecisionForest;
import dev.cairn.kernels.attribute.DecisionForest.Aggregate;
import dev.cairn.kernels.attribute.ScoreTransform;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/** Makes results of the sums of leaves: scores, and the label of a classifier. */
final class ForestResults {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final DecisionForest forest;
  private final boolean isClassifier;
  private final TensorView first;
  private final KernelCall call;
  private final float[] row;
  private final double[] written;

  ForestResults(DecisionForest forest, KernelCall call) {
    this.forest = forest;
    this.call = call;
    first = call.output(0);
    isClassifier = first.dtype() == DType.INT64;
    row = new float[Math.max(2, forest.targets())];
    written = new double[row.length];
  }

  /** The results of a row of {@code float64}. */
  void write(long number, double[] sums, boolean[] seen) {
    if (!isClassifier && first.dtype() == DType.FLOAT64 && forest.transform() == ScoreTransform.NONE) {
      for (int i = 0; i < sums.length; i++) {
        written[i] = sums[i] / divisor();
      }
      Elements.write(written, first, number * sums.length, sums.length);
      return;
    }
    float[] scores = new float[sums.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) sums[i];
    }
    write(number, scores, 0, seen);
  }

  /**
   * The results of a row.
   *
   * @param seen whether a leaf had a weight for the score; empty if that does not matter
   */
  void write(long number, float[] scores, int from, boolean[] seen) {
    int targets = forest.targets();
    System.arraycopy(scores, from, row, 0, targets);
    int label = 0;
    if (!isClassifier) {
      regress();
    } else {
      label = targets > 2 ? classify(seen, from) : classifyTwo(seen.length > 0 && seen[from + 1]);
    }
    TensorView target = first;
    if (isClassifier) {
      first.segment().set(LONG, number * Long.BYTES, forest.label(label));
      if (call.outputCount() < 2) {
        return;
      }
      target = call.output(1);
    }
    if (target.dtype() == DType.FLOAT32) {
      for (int i = 0; i < targets; i++) {
        target.segment().set(FLOAT, (number * targets + i) * Float.BYTES, row[i]);
      }
      return;
    }
    for (int i = 0; i < targets; i++) {
      written[i] = row[i];
    }
    Elements.write(written, target, number * targets, targets);
  }

  private float divisor() {
    return forest.aggregate() == Aggregate.AVERAGE ? forest.trees() : 1;
  }

  private void regress() {
    int targets = forest.targets();
    for (int i = 0; i < targets; i++) {
      row[i] = row[i] / divisor() + (forest.bases() == targets ? forest.base(i) : 0);
    }
    // A single score is no probability, so that only its quantile makes sense.
    if (targets > 1 || forest.transform() == ScoreTransform.PROBIT) {
      forest.transform().apply(row, 0, targets);
    }
  }

  /** The class with the greatest score, of those that have one. */
  private int classify(boolean[] seen, int from) {
    int best = -1;
    for (int i = 0; i < forest.targets(); i++) {
      row[i] += i < forest.bases() ? forest.base(i) : 0;
      boolean hasScore = i < forest.bases() || seen.length == 0 || seen[from + i];
      best = hasScore && (best < 0 || row[i] > row[best]) ? i : best;
    }
    forest.transform().apply(row, 0, forest.targets());
    return Math.max(0, best);
  }

  /** Two classes: leaves may have weights for both, or for one, whose opposite is the other's score. */
  private int classifyTwo(boolean hasSecond) {
    boolean both = hasSecond;
    if (forest.bases() == 2) {
      if (both) {
        row[1] = forest.base(1) + row[0];
        row[0] = -row[1];
      } else {
        row[1] += forest.base(1);
        row[0] += forest.base(0);
      }
    } else if (forest.bases() == 1) {
      row[0] += forest.base(0);
    }
    float decisive = both ? row[1] : row[0];
    int label = decisive > (forest.isBinary() && forest.isPositive() ? 0.5f : 0) ? 1 : 0;
    if (both || forest.bases() == 2) {
      forest.transform().apply(row, 0, 2);
      return label;
    }
    ScoreTransform transform = forest.transform();
    float score = row[0];
    if (transform == ScoreTransform.PROBIT) {
      row[0] = ScoreTransform.probit(score);
      row[1] = 0;
    } else if (transform == ScoreTransform.LOGISTIC) {
      row[0] = ScoreTransform.logistic(-score);
      row[1] = ScoreTransform.logistic(score);
    } else {
      row[0] = forest.isBinary() && forest.isPositive() ? 1 - score : -score;
      row[1] = score;
    }
    return label;
  }
}
