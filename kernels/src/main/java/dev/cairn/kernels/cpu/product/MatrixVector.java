package dev.cairn.kernels.cpu.product;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * Products so flat that each element of the large matrix is used only a few times: they run as fast as memory is read.
 * The matrix is read in place, in order. Positions are in bytes.
 */
public final class MatrixVector {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  /** Rows of the matrix that are read side by side. */
  private static final int ABREAST = 4;

  private MatrixVector() {}

  /** Rows of floats in memory: where the first starts, and how far it is from each row to the next. */
  public record Rows(MemorySegment segment, long start, long rowBytes) {
    public long row(long row) {
      return start + row * rowBytes;
    }
  }

  /**
   * Dot products of the rows of a matrix with one vector.
   *
   * @param output takes one element a row, {@code rowBytes} apart
   * @param count rows of the matrix
   * @param depth elements of each of them
   */
  public static void dots(Rows matrix, Rows vector, Rows output, int count, int depth) {
    float[] lanes = new float[ABREAST * LANES];
    for (int row = 0; row < count; row += ABREAST) {
      addLanes(matrix, row, count - 1, vector, depth, lanes);
      for (int i = row; i < Math.min(count, row + ABREAST); i++) {
        float sum = 0;
        for (int lane = 0; lane < LANES; lane++) {
          sum += lanes[(i - row) * LANES + lane];
        }
        output.segment.set(FLOAT, output.row(i), sum);
      }
    }
  }

  /**
   * Leaves the sums of each lane of {@link #ABREAST} rows from {@code row} on; beyond {@code last}, of that one
   * again. Whole vectors and the rest are two methods: in a single method the client compiler runs out of registers,
   * and then the server compiler never gets the method (a multilayer perceptron took 1.2 ms instead of 0.05).
   */
  private static void addLanes(Rows matrix, int row, int last, Rows vector, int depth, float[] lanes) {
    addWhole(matrix, row, last, vector, SPECIES.loopBound(depth), lanes);
    for (int i = 0; SPECIES.loopBound(depth) < depth && i < ABREAST; i++) {
      addRest(matrix.segment, matrix.row(Math.min(row + i, last)), vector, depth, lanes, i * LANES);
    }
  }

  private static void addWhole(Rows matrix, int row, int last, Rows vector, int whole, float[] lanes) {
    MemorySegment m = matrix.segment;
    MemorySegment v = vector.segment;
    long v0 = vector.start;
    long m0 = matrix.row(row);
    long m1 = matrix.row(Math.min(row + 1, last));
    long m2 = matrix.row(Math.min(row + 2, last));
    long m3 = matrix.row(Math.min(row + 3, last));
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    FloatVector sum3 = FloatVector.zero(SPECIES);
    for (int k = 0; k < whole; k += LANES) {
      long at = (long) k * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, v, v0 + at, ORDER);
      sum0 = FloatVector.fromMemorySegment(SPECIES, m, m0 + at, ORDER).fma(x, sum0);
      sum1 = FloatVector.fromMemorySegment(SPECIES, m, m1 + at, ORDER).fma(x, sum1);
      sum2 = FloatVector.fromMemorySegment(SPECIES, m, m2 + at, ORDER).fma(x, sum2);
      sum3 = FloatVector.fromMemorySegment(SPECIES, m, m3 + at, ORDER).fma(x, sum3);
    }
    sum0.intoArray(lanes, 0);
    sum1.intoArray(lanes, LANES);
    sum2.intoArray(lanes, 2 * LANES);
    sum3.intoArray(lanes, 3 * LANES);
  }

  /** Adds the products past the last whole vector to the lanes of one row. */
  private static void addRest(MemorySegment matrix, long row, Rows vector, int depth, float[] lanes, int first) {
    int whole = SPECIES.loopBound(depth);
    long at = (long) whole * Float.BYTES;
    VectorMask<Float> mask = SPECIES.indexInRange(whole, depth);
    FloatVector x = FloatVector.fromMemorySegment(SPECIES, vector.segment, vector.start + at, ORDER, mask);
    FloatVector sum = FloatVector.fromArray(SPECIES, lanes, first);
    FloatVector.fromMemorySegment(SPECIES, matrix, row + at, ORDER, mask).fma(x, sum).intoArray(lanes, first);
  }

  /**
   * A few rows times a matrix whose rows are dense: {@code output = left * matrix}.
   *
   * @param left rows of {@code depth} elements {@code leftStep} bytes apart
   * @param size rows of {@code left}, columns of {@code matrix} and depth
   */
  static void multiply(Rows left, long leftStep, Rows matrix, Rows output, TiledProduct.Size size) {
    for (int row = 0; row < size.rows(); row++) {
      output.segment.asSlice(output.row(row), (long) size.columns() * Float.BYTES).fill((byte) 0);
    }
    float[] factors = new float[ABREAST];
    for (int k = 0; k < size.depth(); k += ABREAST) {
      int terms = Math.min(ABREAST, size.depth() - k);
      for (int row = 0; row < size.rows(); row++) {
        for (int i = 0; i < terms; i++) {
          factors[i] = left.segment.get(FLOAT, left.row(row) + (k + i) * leftStep);
        }
        if (terms == ABREAST) {
          addFour(factors, matrix, k, new Rows(output.segment, output.row(row), 0), size.columns());
        } else {
          for (int i = 0; i < terms; i++) {
            addOne(factors[i], matrix.segment, matrix.row(k + i), new Rows(output.segment, output.row(row), 0),
              size.columns());
          }
        }
      }
    }
  }

  private static void addFour(float[] factors, Rows matrix, int k, Rows output, int columns) {
    MemorySegment m = matrix.segment;
    MemorySegment y = output.segment;
    long y0 = output.start;
    long m0 = matrix.row(k);
    long m1 = matrix.row(k + 1);
    long m2 = matrix.row(k + 2);
    long m3 = matrix.row(k + 3);
    FloatVector x0 = FloatVector.broadcast(SPECIES, factors[0]);
    FloatVector x1 = FloatVector.broadcast(SPECIES, factors[1]);
    FloatVector x2 = FloatVector.broadcast(SPECIES, factors[2]);
    FloatVector x3 = FloatVector.broadcast(SPECIES, factors[3]);
    int whole = SPECIES.loopBound(columns);
    for (int j = 0; j < whole; j += LANES) {
      long at = (long) j * Float.BYTES;
      FloatVector sum = FloatVector.fromMemorySegment(SPECIES, y, y0 + at, ORDER);
      sum = FloatVector.fromMemorySegment(SPECIES, m, m0 + at, ORDER).fma(x0, sum);
      sum = FloatVector.fromMemorySegment(SPECIES, m, m1 + at, ORDER).fma(x1, sum);
      sum = FloatVector.fromMemorySegment(SPECIES, m, m2 + at, ORDER).fma(x2, sum);
      sum = FloatVector.fromMemorySegment(SPECIES, m, m3 + at, ORDER).fma(x3, sum);
      sum.intoMemorySegment(y, y0 + at, ORDER);
    }
    for (int i = 0; whole < columns && i < ABREAST; i++) {
      addTail(factors[i], m, matrix.row(k + i), output, columns);
    }
  }

  private static void addOne(float factor, MemorySegment matrix, long row, Rows output, int columns) {
    int whole = SPECIES.loopBound(columns);
    for (int j = 0; j < whole; j += LANES) {
      long at = (long) j * Float.BYTES;
      FloatVector sum = FloatVector.fromMemorySegment(SPECIES, output.segment, output.start + at, ORDER);
      FloatVector.fromMemorySegment(SPECIES, matrix, row + at, ORDER).fma(FloatVector.broadcast(SPECIES, factor), sum)
        .intoMemorySegment(output.segment, output.start + at, ORDER);
    }
    if (whole < columns) {
      addTail(factor, matrix, row, output, columns);
    }
  }

  private static void addTail(float factor, MemorySegment matrix, long row, Rows output, int columns) {
    int whole = SPECIES.loopBound(columns);
    long at = (long) whole * Float.BYTES;
    VectorMask<Float> mask = SPECIES.indexInRange(whole, columns);
    FloatVector sum = FloatVector.fromMemorySegment(SPECIES, output.segment, output.start + at, ORDER, mask);
    FloatVector.fromMemorySegment(SPECIES, matrix, row + at, ORDER, mask)
      .fma(FloatVector.broadcast(SPECIES, factor), sum)
      .intoMemorySegment(output.segment, output.start + at, ORDER, mask);
  }
}
