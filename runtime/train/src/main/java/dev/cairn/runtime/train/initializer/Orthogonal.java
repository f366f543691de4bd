package dev.cairn.runtime.train.initializer;

import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.resource.RandomState;

/**
 * An orthogonal matrix, after A. Saxe and others (2014): the columns of a Gaussian matrix made orthonormal, one after
 * another. The first axis has the rows; all others are the columns.
 *
 * @param scale times which the matrix is taken
 */
record Orthogonal(double scale) implements Initializer {
  @Override
  public void fill(String name, TensorView values, RandomState random) {
    Initializers.requireAxes(name, values.shape(), 2);
    int rows = Math.toIntExact(values.shape().extent(0));
    int columns = Math.toIntExact(rows == 0 ? 0 : values.elementCount() / rows);
    boolean isWide = columns >= rows;
    double[][] vectors = gaussian(random, isWide ? rows : columns, isWide ? columns : rows);
    for (int i = 0; i < vectors.length; i++) {
      orthonormalise(vectors, i);
    }
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        double value = isWide ? vectors[row][column] : vectors[column][row];
        FirstValues.set(values, (long) row * columns + column, scale * value);
      }
    }
  }

  private static double[][] gaussian(RandomState random, int count, int length) {
    PhiloxGenerator generator = FirstValues.generator(random);
    double[][] vectors = new double[count][length];
    for (int i = 0; i < count; i++) {
      generator.normal((long) i * length, vectors[i], length);
    }
    return vectors;
  }

  /** Twice, as rounding leaves a rest of the other vectors the first time. */
  private static void orthonormalise(double[][] vectors, int index) {
    double[] vector = vectors[index];
    for (int round = 0; round < 2; round++) {
      for (int other = 0; other < index; other++) {
        double along = product(vector, vectors[other]);
        for (int i = 0; i < vector.length; i++) {
          vector[i] -= along * vectors[other][i];
        }
      }
      double length = Math.sqrt(product(vector, vector));
      for (int i = 0; i < vector.length; i++) {
        vector[i] /= length;
      }
    }
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
