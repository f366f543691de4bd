package dev.cairn.kernels.cuda.blas;

/**
 * One matrix of a product, or as many as the batch has: row-major, on the device.
 *
 * @param address of the first element
 * @param rowElements from one row to the next as they lie in memory, at least the length of a row
 * @param batchElements from one matrix of the batch to the next; 0 where all products share this one
 * @param transposed whether rows and columns are swapped when it is read
 */
public record GemmMatrix(long address, int rowElements, long batchElements, boolean transposed) {
  /** Checks the signs. */
  public GemmMatrix {
    if (rowElements < 1 || batchElements < 0) {
      throw new IllegalArgumentException(
        "no such matrix: rowElements=%d batchElements=%d".formatted(rowElements, batchElements));
    }
  }

  /** Rows without gaps, one matrix. */
  public static GemmMatrix of(long address, int rowElements) {
    return new GemmMatrix(address, rowElements, 0, false);
  }

  /** The same memory, read with rows and columns swapped. */
  public GemmMatrix asTransposed() {
    return new GemmMatrix(address, rowElements, batchElements, !transposed);
  }

  /** The same as the first of a batch. */
  public GemmMatrix withBatchElements(long elements) {
    return new GemmMatrix(address, rowElements, elements, transposed);
  }

  /** The same at another address. */
  public GemmMatrix at(long elsewhere) {
    return new GemmMatrix(elsewhere, rowElements, batchElements, transposed);
  }
}
