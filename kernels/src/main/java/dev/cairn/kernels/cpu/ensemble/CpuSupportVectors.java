package dev.cairn.kernels.cpu.ensemble;

import dev.cairn.kernels.attribute.ScoreTransform;
import dev.cairn.kernels.attribute.SupportVectors;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Classes and values of rows by their likeness to support vectors. */
public final class CpuSupportVectors {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final long GRAIN = 1 << 14;
  private static final float LEAST_PROBABILITY = 1e-7f;
  private static final int ROUNDS = 100;

  /** Works on one row of features. */
  private interface RowBody {
    void run(long row, float[] features, float[] likeness);
  }

  private CpuSupportVectors() {}

  /** {@code SVMRegressor}. */
  public static void regress(KernelCall call) {
    SupportVectors vectors = SupportVectors.ofRegressor(call.attributes());
    eachRow(call, vectors, (row, _, likeness) -> {
      double sum = vectors.rho(0);
      for (int i = 0; i < likeness.length; i++) {
        sum += vectors.isLinear() ? likeness[i] : (double) likeness[i] * vectors.coefficient(i);
      }
      float value = (float) sum;
      call.output(0).segment().set(FLOAT, row * Float.BYTES, vectors.isOneClass() ? (value > 0 ? 1 : -1) : value);
    });
  }

  /** {@code SVMClassifier}, whose labels are whole numbers. */
  public static void classify(KernelCall call) {
    SupportVectors vectors = SupportVectors.ofClassifier(call.attributes());
    int width = vectors.scores();
    eachRow(call, vectors, (row, _, likeness) -> {
      float[] scores = new float[width];
      int label = vectors.isLinear()
        ? linear(vectors, likeness, scores)
        : voted(vectors, likeness, scores);
      call.output(0).segment().set(LONG, row * Long.BYTES, vectors.label(label));
      for (int i = 0; call.outputCount() > 1 && i < width; i++) {
        call.output(1).segment().set(FLOAT, (row * width + i) * Float.BYTES, scores[i]);
      }
    });
  }

  private static void eachRow(KernelCall call, SupportVectors vectors, RowBody body) {
    TensorView x = call.input(0);
    int features = vectors.features();
    long grain = Math.max(1, GRAIN / ((long) features * vectors.count()));
    CpuStream.of(call).parallel(x.elementCount() / features, grain, (first, end) -> {
      double[] wide = new double[features];
      float[] row = new float[features];
      float[] likeness = new float[vectors.count()];
      for (long i = first; i < end; i++) {
        Elements.read(x, i * features, wide, features);
        for (int feature = 0; feature < features; feature++) {
          row[feature] = (float) wide[feature];
        }
        vectors.compare(row, likeness);
        body.run(i, row, likeness);
      }
    });
  }

  /** One score for each class; says which is best. Of two classes, the second is meant by any positive score. */
  private static int linear(SupportVectors vectors, float[] likeness, float[] scores) {
    int best = 0;
    for (int i = 0; i < scores.length; i++) {
      scores[i] = likeness[i] + vectors.rho(0);
      best = scores[i] > scores[best] ? i : best;
    }
    float most = scores[best];
    if (scores.length == 2 && (vectors.isPositive() ? most >= 0.5f : most > 0)) {
      best = 1;
    }
    vectors.transform().apply(scores, 0, scores.length);
    return best;
  }

  /** Each pair of classes votes for one of them; says which has the most votes. */
  private static int voted(SupportVectors vectors, float[] likeness, float[] scores) {
    int classes = vectors.classes();
    float[] ofPairs = new float[Math.max(1, vectors.pairs())];
    int[] votes = new int[classes];
    int[] starts = new int[classes];
    for (int i = 1; i < classes; i++) {
      starts[i] = starts[i - 1] + vectors.vectorsOf(i - 1);
    }
    int pair = 0;
    for (int i = 0; i < classes; i++) {
      for (int j = i + 1; j < classes; j++) {
        double sum = part(vectors, likeness, starts[i], vectors.vectorsOf(i), j - 1) + part(vectors, likeness,
          starts[j], vectors.vectorsOf(j), i) + vectors.rho(pair);
        ofPairs[pair++] = (float) sum;
        votes[sum > 0 ? i : j]++;
      }
    }
    if (vectors.hasProbabilities()) {
      probabilities(vectors, ofPairs, scores);
      vectors.transform().apply(scores, 0, classes);
    } else if (vectors.pairs() > 1) {
      System.arraycopy(ofPairs, 0, scores, 0, ofPairs.length);
      vectors.transform().apply(scores, 0, ofPairs.length);
    } else {
      ofTwo(vectors.transform(), ofPairs[0], scores);
    }
    int best = 0;
    for (int i = 1; i < classes; i++) {
      best = votes[i] > votes[best] ? i : best;
    }
    return best;
  }

  /** The scores of both classes by that of their pair. */
  private static void ofTwo(ScoreTransform transform, float score, float[] scores) {
    switch (transform) {
      case NONE -> {
        scores[0] = -score;
        scores[1] = score;
      }
      case LOGISTIC -> {
        scores[0] = ScoreTransform.logistic(-score);
        scores[1] = ScoreTransform.logistic(score);
      }
      case PROBIT -> scores[0] = ScoreTransform.probit(score);
      default -> {
        scores[0] = 1 - score;
        scores[1] = score;
      }
    }
  }

  private static double part(SupportVectors vectors, float[] likeness, int start, int count, int row) {
    double sum = 0;
    int coefficients = row * vectors.count();
    for (int i = start; i < start + count; i++) {
      sum += vectors.coefficient(coefficients + i) * likeness[i];
    }
    return sum;
  }

  /** Probabilities of classes by those of pairs: the second method of Wu, Lin and Weng (2004). */
  private static void probabilities(SupportVectors vectors, float[] ofPairs, float[] p) {
    int n = vectors.classes();
    double[] r = new double[n * n];
    int pair = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        float raw = vectors.probability(pair, ofPairs[pair++]);
        float bounded = Math.min(Math.max(raw, LEAST_PROBABILITY), 1 - LEAST_PROBABILITY);
        r[i * n + j] = bounded;
        r[j * n + i] = 1 - bounded;
      }
    }
    double[] q = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (i != j) {
          q[i * n + i] += r[j * n + i] * r[j * n + i];
          q[i * n + j] = -r[j * n + i] * r[i * n + j];
        }
      }
    }
    double[] shares = new double[n];
    Arrays.fill(shares, 1.0 / n);
    double[] products = new double[n];
    for (int round = 0; round < ROUNDS && improve(q, shares, products); round++) {
      // each round improves all shares
    }
    for (int i = 0; i < n; i++) {
      p[i] = (float) shares[i];
    }
  }

  /** One round; false if the shares are good enough already. */
  private static boolean improve(double[] q, double[] shares, double[] products) {
    int n = shares.length;
    double all = 0;
    for (int i = 0; i < n; i++) {
      products[i] = 0;
      for (int j = 0; j < n; j++) {
        products[i] += q[i * n + j] * shares[j];
      }
      all += shares[i] * products[i];
    }
    double error = 0;
    for (int i = 0; i < n; i++) {
      error = Math.max(error, Math.abs(products[i] - all));
    }
    if (error < 0.005 / n) {
      return false;
    }
    for (int i = 0; i < n; i++) {
      double change = (all - products[i]) / q[i * n + i];
      shares[i] += change;
      all = (all + change * (change * q[i * n + i] + 2 * products[i])) / (1 + change) / (1 + change);
      for (int j = 0; j < n; j++) {
        products[j] = (products[j] + change * q[i * n + j]) / (1 + change);
        shares[j] /= 1 + change;
      }
    }
    return true;
  }
}
