package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The path of {@code DynamicTimeWarping} of com.microsoft through a matrix of costs: from the first element to the last
 * one, with the least sum. A step goes to the next row, the next column, or both. Sums are {@code float32}. Of equal
 * ways to an element, unless the third is greater, the path takes the one from the column before.
 */
public final class WarpingPath {
  private static final byte BOTH = 0;
  private static final byte ROW = 1;
  private static final byte COLUMN = 2;

  private WarpingPath() {}

  /**
   * @param costs {@code float32[rows, columns]}, or with an axis of 1 before
   * @return the rows of the path, then its columns
   */
  public static int[] of(TensorView costs) {
    int rows = Math.toIntExact(costs.shape().extent(-2));
    int columns = Math.toIntExact(costs.shape().extent(-1));
    byte[][] steps = new byte[columns + 1][rows + 1];
    float[] before = new float[rows + 1];
    float[] sums = new float[rows + 1];
    Arrays.fill(before, Float.POSITIVE_INFINITY);
    before[0] = 0;
    for (int column = 1; column <= columns; column++) {
      sums[0] = Float.POSITIVE_INFINITY;
      for (int row = 1; row <= rows; row++) {
        float both = before[row - 1];
        float ofRow = sums[row - 1];
        float ofColumn = before[row];
        byte step = both < ofRow && both < ofColumn ? BOTH : ofRow < both && ofRow < ofColumn ? ROW : COLUMN;
        steps[column][row] = step;
        float cost = costs.segment().get(ValueLayout.JAVA_FLOAT_UNALIGNED, ((row - 1L) * columns + column - 1)
          * Float.BYTES);
        sums[row] = (step == BOTH ? both : step == ROW ? ofRow : ofColumn) + cost;
      }
      float[] swapped = before;
      before = sums;
      sums = swapped;
    }
    return walked(steps, rows, columns);
  }

  private static int[] walked(byte[][] steps, int rows, int columns) {
    int most = rows + columns;
    int[] path = new int[2 * most];
    int at = most;
    int row = rows;
    int column = columns;
    while (row > 0 && column > 0) {
      at--;
      path[at] = row - 1;
      path[most + at] = column - 1;
      byte step = steps[column][row];
      row -= step == COLUMN ? 0 : 1;
      column -= step == ROW ? 0 : 1;
    }
    int length = most - at;
    int[] result = new int[2 * length];
    System.arraycopy(path, at, result, 0, length);
    System.arraycopy(path, most + at, result, length, length);
    return result;
  }
}
