package dev.cairn.kernels.cuda.blas;

/**
 * {@code result = alpha · left · right + beta · result}, once or for each matrix of a batch. With {@code beta} zero the
 * old values of the result don't count, not even where they are no numbers.
 *
 * @param precision of the elements, and of the sums
 * @param rows of left and of the result
 * @param columns of right and of the result
 * @param depth columns of left, rows of right
 * @param result never transposed
 * @param batch how many products
 */
public record GemmCall(GemmPrecision precision, int rows, int columns, int depth, GemmMatrix left, GemmMatrix right,
  GemmMatrix result, float alpha, float beta, int batch) {

  /** Checks that each matrix can have the extents it must have. */
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

  /** One product, into a result whose old values don't count. */
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

  /** The same with factors. */
  public GemmCall scaled(float newAlpha, float newBeta) {
    return new GemmCall(precision, rows, columns, depth, left, right, result, newAlpha, newBeta, batch);
  }

  /** The same for each matrix of a batch. */
  public GemmCall batched(int products) {
    return new GemmCall(precision, rows, columns, depth, left, right, result, alpha, beta, products);
  }

  /** The same of operands that lie elsewhere. */
  public GemmCall at(long leftAddress, long rightAddress) {
    return new GemmCall(precision, rows, columns, depth, left.at(leftAddress), right.at(rightAddress), result, alpha,
      beta, batch);
  }
}
