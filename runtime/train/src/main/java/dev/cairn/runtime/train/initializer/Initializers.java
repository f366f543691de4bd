package dev.cairn.runtime.train.initializer;

import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import dev.cairn.kernels.tensor.Shape;
import java.util.Map;
import java.util.Set;

/** The initializers, by name. Formulas are MXNet's. */
public final class Initializers {
  /** Weights lie between its negative and itself, where nothing else is said. */
  public static final double STANDARD_SCALE = 0.07;

  private static final double MAGNITUDE = 3;
  private static final Set<String> ZEROS = Set.of("bias", "beta", "running_mean");
  private static final Set<String> ONES = Set.of("gamma", "running_var");

  /** Which of a weight's two counts of neighbours decides the scale. */
  public enum Fan {
    /** The mean of both. */
    AVERAGE,
    /** Numbers that come into one output. */
    IN,
    /** Numbers that one input goes to. */
    OUT
  }

  /** How numbers are distributed. */
  public enum Distribution {
    UNIFORM,
    GAUSSIAN
  }

  private Initializers() {}

  public static Initializer zero() {
    return constant(0);
  }

  public static Initializer one() {
    return constant(1);
  }

  public static Initializer constant(double value) {
    return (name, values, random) -> FirstValues.fill(values, value);
  }

  /** Numbers from {@code -scale} to {@code scale}, all as likely. */
  public static Initializer uniform(double scale) {
    return (name, values, random) -> FirstValues.draw(values, random, PhiloxGenerator::uniform24, it -> scale * (2 * it
      - 1));
  }

  /** Normally distributed numbers with mean 0. */
  public static Initializer normal(double deviation) {
    return (name, values, random) -> FirstValues.draw(values, random, PhiloxGenerator::normal, it -> deviation * it);
  }

  /** The scale of X. Glorot and Y. Bengio (2010): uniform, by the mean of both counts. */
  public static Initializer xavier() {
    return xavier(Distribution.UNIFORM, Fan.AVERAGE, MAGNITUDE);
  }

  /**
   * Numbers at a scale of √(magnitude / fan). Extents after the second multiply both counts: they are the kernel's.
   *
   * @throws IllegalArgumentException by {@code fill}, when a parameter has fewer than two axes
   */
  public static Initializer xavier(Distribution distribution, Fan fan, double magnitude) {
    return (name, values, random) -> {
      double scale = Math.sqrt(magnitude / count(name, values.shape(), fan));
      (distribution == Distribution.UNIFORM ? uniform(scale) : normal(scale)).fill(name, values, random);
    };
  }

  /** The scale of K. He and others (2015), for rectifiers with this slope below 0. */
  public static Initializer msraPrelu(Fan fan, double slope) {
    return xavier(Distribution.GAUSSIAN, fan, 2 / (1 + slope * slope));
  }

  private static double count(String name, Shape shape, Fan fan) {
    requireAxes(name, shape, 2);
    double area = 1;
    for (int axis = 2; axis < shape.rank(); axis++) {
      area *= shape.extent(axis);
    }
    double out = shape.extent(0) * area;
    double in = shape.extent(1) * area;
    double count = switch (fan) {
      case AVERAGE -> (in + out) / 2;
      case IN -> in;
      case OUT -> out;
    };
    return Math.max(count, 1);
  }

  static void requireAxes(String name, Shape shape, int least) {
    if (shape.rank() < least) {
      throw new IllegalArgumentException("the initializer needs at least %d axes: parameter=%s shape=%s; give it to "
        .formatted(least, name, shape) + "weights alone, or use Initializers.mixed");
    }
  }

  /** Rows that are orthogonal to each other, or columns where there are more rows, times a scale. */
  public static Initializer orthogonal(double scale) {
    return new Orthogonal(scale);
  }

  /** Kernels of a transposed convolution that interpolates linearly along the last two axes. */
  public static Initializer bilinear() {
    return (name, values, random) -> {
      requireAxes(name, values.shape(), 2);
      int rank = values.shape().rank();
      long width = values.shape().extent(rank - 1);
      long height = values.shape().extent(rank - 2);
      double factor = Math.ceil(width / 2.0);
      double center = (2 * factor - 1 - factor % 2) / (2 * factor);
      for (long i = 0; i < values.elementCount(); i++) {
        long x = i % width;
        long y = i / width % height;
        FirstValues.set(values, i, (1 - Math.abs(x / factor - center)) * (1 - Math.abs(y / factor - center)));
      }
    };
  }

  /** Biases of an LSTM's gates i, f, g, o: one number for those of f, and 0 for all others. */
  public static Initializer lstmBias(double forget) {
    return (name, values, random) -> {
      long hidden = values.elementCount() / 4;
      FirstValues.fill(values, 0);
      for (long i = hidden; i < 2 * hidden; i++) {
        FirstValues.set(values, i, forget);
      }
    };
  }

  /**
   * The initializer of a parameter without one of its own, by the end of its name. Biases, {@code beta} and {@code
   * running_mean} are 0, {@code gamma} and {@code running_var} are 1, and all others go to the given initializer.
   * An initializer that chooses by path is asked for everything.
   */
  public static Initializer byName(Initializer weights) {
    return weights.choosesByPath() ? weights : (name, values, random) -> {
      String role = name.substring(name.lastIndexOf('.') + 1);
      Initializer chosen = ZEROS.contains(role) || role.startsWith("bias_") || role.endsWith("_bias")
        ? zero()
        : ONES.contains(role) ? one() : weights;
      chosen.fill(name, values, random);
    };
  }

  /** {@link #byName} with weights between -0.07 and 0.07. */
  public static Initializer standard() {
    return byName(uniform(STANDARD_SCALE));
  }

  /**
   * The first initializer whose pattern fits the parameter's path. In a pattern, {@code *} stands for any characters.
   *
   * @param patterns in the order in which they are tried
   * @throws IllegalArgumentException by {@code fill}, when no pattern fits
   */
  public static Initializer mixed(Map<String, Initializer> patterns) {
    return new Mixed(patterns);
  }
}
