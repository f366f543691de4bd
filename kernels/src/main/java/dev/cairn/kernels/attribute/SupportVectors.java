package dev.cairn.kernels.attribute;

import java.util.Arrays;
import java.util.List;

/** The vectors and coefficients of {@code SVMClassifier} or {@code SVMRegressor}, parsed from the attributes. */
public final class SupportVectors {
  /** How a row of features is compared with a support vector. */
  public enum Similarity {
    LINEAR,
    POLY,
    RBF,
    SIGMOID
  }

  private final Similarity similarity;
  private final float[] vectors;
  private final boolean isLinear;
  private final int count;
  private final int features;
  private final float[] coefficients;
  private final float[] rho;
  private final float gamma;
  private final float constant;
  private final float degree;
  private final float[] probabilitiesA;
  private final float[] probabilitiesB;
  private final int[] vectorsPerClass;
  private final ScoreTransform transform;
  private final boolean isOneClass;
  private final long[] labels;

  private SupportVectors(Attributes attributes, long vectorCount, long[] labels) {
    this.labels = labels;
    long[] perClass = attributes.getLongs("vectors_per_class");
    vectorsPerClass = new int[perClass.length];
    long sum = 0;
    for (int i = 0; i < perClass.length; i++) {
      vectorsPerClass[i] = TreeNodes.index("vectors_per_class", perClass[i], Integer.MAX_VALUE);
      sum += vectorsPerClass[i];
    }
    coefficients = floats(attributes, "coefficients");
    rho = floats(attributes, "rho");
    if (coefficients.length == 0 || rho.length == 0) {
      throw new IllegalArgumentException("coefficients and offsets are needed: coefficients=%d rho=%d".formatted(
        coefficients.length, rho.length));
    }
    long wanted = vectorCount < 0 ? sum : vectorCount;
    isLinear = wanted == 0;
    // Without support vectors, coefficients are one vector for each class.
    count = isLinear ? Math.max(1, labels.length) : TreeNodes.index("n_supports", wanted, Integer.MAX_VALUE);
    vectors = isLinear ? coefficients : floats(attributes, "support_vectors");
    features = vectors.length / count;
    if (features == 0 || features * count != vectors.length) {
      throw new IllegalArgumentException("vectors must have one length: numbers=%d vectors=%d".formatted(vectors.length,
        count));
    }
    similarity = isLinear ? Similarity.LINEAR : similarity(attributes.getText("kernel_type", "LINEAR"));
    float[] parameters = floats(attributes, "kernel_params");
    gamma = parameters.length > 0 ? parameters[0] : 0;
    constant = parameters.length > 1 ? parameters[1] : 0;
    degree = parameters.length > 2 ? parameters[2] : 0;
    probabilitiesA = floats(attributes, "prob_a");
    probabilitiesB = floats(attributes, "prob_b");
    transform = ScoreTransform.of(attributes);
    isOneClass = attributes.getFlag("one_class", false);
    if (labels.length > 0 && !isLinear) {
      requireOfClasses();
    } else if (!isLinear && coefficients.length < count) {
      throw tooFew("coefficients", coefficients.length, count);
    }
  }

  private void requireOfClasses() {
    int classes = labels.length;
    int pairs = pairs();
    if (vectorsPerClass.length != classes || coefficients.length < (long) (classes - 1) * count) {
      throw tooFew("coefficients", coefficients.length, (long) (classes - 1) * count);
    }
    if (rho.length < pairs) {
      throw tooFew("rho", rho.length, pairs);
    }
    if (probabilitiesA.length != probabilitiesB.length
      || (probabilitiesA.length > 0 && probabilitiesA.length < pairs)) {
      throw tooFew("prob_a, prob_b", Math.min(probabilitiesA.length, probabilitiesB.length), pairs);
    }
  }

  private static IllegalArgumentException tooFew(String what, int given, long wanted) {
    return new IllegalArgumentException("one value for each entry is needed: attribute=%s values=%d wanted=%d"
      .formatted(what, given, wanted));
  }

  private static float[] floats(Attributes attributes, String name) {
    List<Float> values = attributes.getFloats(name);
    float[] floats = new float[values.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values.get(i);
    }
    return floats;
  }

  private static Similarity similarity(String name) {
    return Arrays.stream(Similarity.values()).filter(it -> it.name().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("no such kernel: kernel_type=\"%s\"".formatted(name)));
  }

  /** @throws IllegalArgumentException when attributes are missing or contradict each other */
  public static SupportVectors ofClassifier(Attributes attributes) {
    return attributes.parsed(SupportVectors.class, it -> new SupportVectors(it, -1, ClassLabels.of(it).numbers()));
  }

  /** @throws IllegalArgumentException when attributes are missing or contradict each other */
  public static SupportVectors ofRegressor(Attributes attributes) {
    return attributes.parsed(SupportVectors.class, it -> new SupportVectors(it, it.getLong("n_supports", 0),
      new long[0]));
  }

  /** How like a row of features is to each of the vectors. */
  public void compare(float[] x, float[] results) {
    for (int vector = 0; vector < count; vector++) {
      int from = vector * features;
      results[vector] = similarity == Similarity.RBF
        ? (float) Math.exp(-gamma * distance(x, from))
        : ofProduct(product(x, from));
    }
  }

  private float ofProduct(double product) {
    double scaled = gamma * product + constant;
    return (float) switch (similarity) {
      case POLY -> Math.pow(scaled, degree);
      case SIGMOID -> Math.tanh(scaled);
      default -> product;
    };
  }

  private double product(float[] x, int from) {
    double sum = 0;
    for (int i = 0; i < features; i++) {
      sum += (double) x[i] * vectors[from + i];
    }
    return sum;
  }

  private double distance(float[] x, int from) {
    double sum = 0;
    for (int i = 0; i < features; i++) {
      double difference = (double) x[i] - vectors[from + i];
      sum += difference * difference;
    }
    return sum;
  }

  /** Whether there are coefficients alone, and no support vectors. */
  public boolean isLinear() {
    return isLinear;
  }

  public int count() {
    return count;
  }

  public int features() {
    return features;
  }

  public float coefficient(int index) {
    return coefficients[index];
  }

  public boolean isPositive() {
    for (float coefficient : coefficients) {
      if (coefficient < 0) {
        return false;
      }
    }
    return true;
  }

  public float rho(int index) {
    return rho[index];
  }

  public int classes() {
    return labels.length;
  }

  /** How many pairs of classes there are. */
  public int pairs() {
    return Math.toIntExact((long) labels.length * (labels.length - 1) / 2);
  }

  public long label(int index) {
    return labels[index];
  }

  public int vectorsOf(int index) {
    return vectorsPerClass[index];
  }

  public boolean hasProbabilities() {
    return probabilitiesA.length > 0;
  }

  /** The probability that a row is of the first class of a pair, by the score of the pair. */
  public float probability(int pair, float score) {
    return 1 - ScoreTransform.logistic(score * probabilitiesA[pair] + probabilitiesB[pair]);
  }

  /** How many scores a classifier gives for a row. */
  public int scores() {
    return isLinear() || hasProbabilities() ? classes() : Math.max(2, pairs());
  }

  public ScoreTransform transform() {
    return transform;
  }

  public boolean isOneClass() {
    return isOneClass;
  }
}
