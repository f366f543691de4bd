package dev.cairn.kernels.cuda.blas;

/**
 * {@code result = alpha · left · right + beta · result}, once or for each matrix of a batch. If {@code beta} is zero,
 * the old values of the result are ignored, even NaN.
 *
 * @param precision the precision of the elements and sums
 * @param rows the rows of left and of the result
 * @param columns the columns of right and of the result
 * @param depth the columns of left and rows of right
 * @param result the result, which is never transposed
 * @param batch the number of products
 */
public record GemmCall(GemmPrecision precision, int rows, int columns, int depth, GemmMatrix left, GemmMatrix right,
  GemmMatrix result, float alpha, float beta, int batch) {

  /** Checks that the extents fit each matrix. */
  public GemmCall {
    if (rows < 1 || columns < 1 || depth < 1 || batch < 1) {
      throw new IllegalArgumentException("product of nothing: rows=%d columns=%d depth=%d batch=%d".formatted(rows,
        columns, depth, batch));
    }
    require("left", left, left.transposed() ? rows : depth);
    require("right", right, right.transposed() ? depth : columns);
    require("result", result, columns);
    if (result.transposed() || (batch > 1 && result.batchElements() == 0)) {
      throw new IllegalArgumentException("result can't be written like this: " + result + " batch=" + batch);
    }
  }

  /** One product, which overwrites its result. */
  public static GemmCall of(GemmPrecision precision, int[] rowsColumnsDepth, GemmMatrix left, GemmMatrix right,
    GemmMatrix result) {
    return new GemmCall(precision, rowsColumnsDepth[0], rowsColumnsDepth[1], rowsColumnsDepth[2], left, right, result,
      1, 0, 1);
  }

  private static void require(String which, GemmMatrix matrix, int leastRowElements) {
    if (matrix.rowElements() < leastRowElements) {
      throw new IllegalArgumentException("rows overlap: matrix=%s rowElements=%d least=%d".formatted(which,
        matrix.rowElements(), leastRowElements));
    }
  }

  /** The same call with other factors. */
  public GemmCall scaled(float newAlpha, float newBeta) {
    return new GemmCall(precision, rows, columns, depth, left, right, result, newAlpha, newBeta, batch);
  }

  /** The same call for each matrix of a batch. */
  public GemmCall batched(int products) {
    return new GemmCall(precision, rows, columns, depth, left, right, result, alpha, beta, products);
  }

  /** The same call with operands at other addresses. */
  public GemmCall at(long leftAddress, long rightAddress) {
    return new GemmCall(precision, rows, columns, depth, left.at(leftAddress), right.at(rightAddress), result, alpha,
      beta, batch);
  }
}
