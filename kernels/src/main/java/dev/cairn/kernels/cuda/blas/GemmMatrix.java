package dev.cairn.kernels.cuda.blas;

/**
 * A row-major matrix on the device, or a batch of them.
 *
 * @param address the address of the first element
 * @param rowElements elements from one row in memory to the next, at least the length of a row
 * @param batchElements elements from one matrix of the batch to the next; 0 if all products share one matrix
 * @param transposed whether the product reads the matrix with rows and columns swapped
 */
public record GemmMatrix(long address, int rowElements, long batchElements, boolean transposed) {
  /** Checks that the numbers are not negative. */
  public GemmMatrix {
    if (rowElements < 1 || batchElements < 0) {
      throw new IllegalArgumentException(
        "no such matrix: rowElements=%d batchElements=%d".formatted(rowElements, batchElements));
    }
  }

  /** One matrix with rows of this length, without gaps. */
  public static GemmMatrix of(long address, int rowElements) {
    return new GemmMatrix(address, rowElements, 0, false);
  }

  /** The same memory, read with rows and columns swapped. */
  public GemmMatrix asTransposed() {
    return new GemmMatrix(address, rowElements, batchElements, !transposed);
  }

  /** The same matrix at another address. */
  public GemmMatrix at(long elsewhere) {
    return new GemmMatrix(elsewhere, rowElements, batchElements, transposed);
  }
}
