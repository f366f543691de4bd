package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.tensor.TensorView;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The differences between sums of products of bytes less their zero points, and sums of products of the bytes as they
 * lie in memory.
 */
final class IntegerOffsets {
  private final TensorView left;
  private final int depth;
  private final int[] ofColumns;
  private final int[] ofRows;
  private final boolean hasRows;

  /**
   * Finds the offsets of a product. Takes over both arrays.
   *
   * @param leftZero the left matrix's zero point
   * @param rightZeros of the columns of the right matrix as they were added up
   * @param columnSums the sums of these columns
   */
  IntegerOffsets(TensorView left, int leftZero, int depth, int[] rightZeros, int[] columnSums) {
    this.left = left;
    this.depth = depth;
    this.ofColumns = columnSums;
    this.ofRows = rightZeros;
    boolean any = false;
    for (int j = 0; j < columnSums.length; j++) {
      any |= rightZeros[j] != 0;
      ofColumns[j] = leftZero * (depth * rightZeros[j] - columnSums[j]);
      ofRows[j] = -rightZeros[j];
    }
    this.hasRows = any;
  }

  /** The number that is added to each element of a column. */
  int ofColumn(int column) {
    return ofColumns[column];
  }

  /** Whether anything depends on the row. */
  boolean hasRows() {
    return hasRows;
  }

  /** The number that is added to an element of a column for each unit of the row's sum. */
  int ofRow(int column) {
    return ofRows[column];
  }

  /** The elements of a row of the left matrix added up, exactly: a float holds sums of 65,536 of them. */
  int rowSum(long row) {
    byte turn = ByteLanes.turn(left.dtype());
    FloatVector lanes = FloatVector.zero(SPECIES);
    long start = row * depth;
    int whole = SPECIES.loopBound(depth);
    for (int k = 0; k < whole; k += LANES) {
      lanes = lanes.add(ByteLanes.load(left.segment(), start + k, turn));
    }
    float sum = lanes.reduceLanes(VectorOperators.ADD);
    for (int k = whole; k < depth; k++) {
      sum += ByteLanes.get(left.segment(), start + k, turn);
    }
    return (int) (sum - depth * ByteLanes.zero(left.dtype(), 0));
  }
}
