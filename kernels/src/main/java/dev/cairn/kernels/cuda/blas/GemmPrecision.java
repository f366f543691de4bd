package dev.cairn.kernels.cuda.blas;

/** The element type and precision of a product. Sums are always {@code float}. */
public enum GemmPrecision {
  /** Elements are {@code float}, read with full precision. */
  FLOAT32(4),
  /** Elements are {@code float}; tensor cores read them with 10 bits of fraction. */
  TENSOR_FLOAT32(4),
  /** Elements are IEEE half precision. */
  FLOAT16(2),
  /** Elements are bfloat16. */
  BFLOAT16(2);

  private final int bytes;

  GemmPrecision(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }
}
