package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/**
 * The matrices that a {@code MatMul} or {@code Gemm} multiplies: a batch of products of one size. All left matrices
 * have the same strides, and so have all right matrices. Starts and strides are in elements. The outputs are dense and
 * contiguous.
 */
public final class MatrixProduct {
  private final Shape batch;
  private final int rows;
  private final int columns;
  private final int depth;
  private final Operand left;
  private final Operand right;

  /** The strides of one operand: along the axes of the batch, and along the two axes of its matrices. */
  private static final class Operand {
    private final Layout matrices;
    private final long matrixElements;
    private final long outer;
    private final long depth;

    Operand(Layout matrices, long matrixElements, long outer, long depth) {
      this.matrices = matrices;
      this.matrixElements = matrixElements;
      this.outer = outer;
      this.depth = depth;
    }

    static Operand single(long outer, long depth) {
      return new Operand(Layout.rowMajor(Shape.SCALAR), 0, outer, depth);
    }

    long start(int product) {
      Shape batch = matrices.shape();
      long start = 0;
      long rest = product;
      for (int axis = batch.rank() - 1; axis >= 0; axis--) {
        start += rest % batch.extent(axis) * matrices.stride(axis);
        rest /= batch.extent(axis);
      }
      return start * matrixElements;
    }

    long[] batchStrides() {
      return Arrays.stream(matrices.strides()).map(stride -> stride * matrixElements).toArray();
    }
  }

  private MatrixProduct(Shape batch, int rows, int columns, int depth, Operand left, Operand right) {
    this.batch = batch;
    this.rows = rows;
    this.columns = columns;
    this.depth = depth;
    this.left = left;
    this.right = right;
  }

  /**
   * The products of {@code MatMul}, as NumPy defines them. The last two axes are those of the matrices; the axes before
   * them broadcast. A vector is a row on the left, and a column on the right. Products with the same right matrix are
   * merged into one taller product.
   *
   * @throws IllegalArgumentException for a scalar, or if inner or outer extents do not match
   */
  public static MatrixProduct ofMatmul(Shape left, Shape right) {
    if (left.rank() == 0 || right.rank() == 0) {
      throw new IllegalArgumentException(
        "an operand of a product is a scalar: left=%s right=%s".formatted(left, right));
    }
    int depth = Math.toIntExact(left.extent(-1));
    if (depth != right.extent(Math.max(0, right.rank() - 2))) {
      throw new IllegalArgumentException("inner extents differ: left=%s right=%s".formatted(left, right));
    }
    long rows = left.rank() == 1 ? 1 : left.extent(-2);
    int columns = Math.toIntExact(right.rank() == 1 ? 1 : right.extent(-1));
    Shape leftBatch = batch(left);
    Shape rightBatch = batch(right);
    Shape all = leftBatch.broadcastWith(rightBatch);
    boolean tall = rightBatch.elementCount() == 1 && leftBatch.elementCount() == all.elementCount();
    if (tall) {
      return new MatrixProduct(Shape.SCALAR, Math.toIntExact(rows * all.elementCount()), columns, depth,
        Operand.single(depth, 1), Operand.single(1, columns));
    }
    return new MatrixProduct(all, Math.toIntExact(rows), columns, depth,
      new Operand(Layout.rowMajor(leftBatch).broadcastTo(all), rows * depth, depth, 1),
      new Operand(Layout.rowMajor(rightBatch).broadcastTo(all), (long) depth * columns, 1, columns));
  }

  /**
   * The product of {@code Gemm}: two matrices, each transposed if attribute {@code transA} or {@code transB} is set.
   *
   * @throws IllegalArgumentException if an operand is not a matrix, or the inner extents differ
   */
  public static MatrixProduct ofGemm(Attributes attributes, Shape left, Shape right) {
    GemmForm form = GemmForm.of(attributes);
    return ofGemm(left, right, form.transA(), form.transB());
  }

  /** The product of {@code Gemm}, with the values of its attributes. */
  public static MatrixProduct ofGemm(Shape left, Shape right, boolean transposeLeft, boolean transposeRight) {
    if (left.rank() != 2 || right.rank() != 2
      || left.extent(transposeLeft ? 0 : 1) != right.extent(transposeRight ? 1 : 0)) {
      throw new IllegalArgumentException(
        "operands must be matrices with equal inner extents: left=%s transA=%s right=%s transB=%s"
          .formatted(left, transposeLeft, right, transposeRight));
    }
    int rows = Math.toIntExact(left.extent(transposeLeft ? 1 : 0));
    int depth = Math.toIntExact(left.extent(transposeLeft ? 0 : 1));
    int columns = Math.toIntExact(right.extent(transposeRight ? 0 : 1));
    return new MatrixProduct(Shape.SCALAR, rows, columns, depth,
      transposeLeft ? Operand.single(1, rows) : Operand.single(depth, 1),
      transposeRight ? Operand.single(depth, 1) : Operand.single(1, columns));
  }

  private static Shape batch(Shape shape) {
    return Shape.of(Arrays.copyOf(shape.extents(), Math.max(0, shape.rank() - 2)));
  }

  /** The number of products. */
  public int count() {
    return Math.toIntExact(batch.elementCount());
  }

  /** The extents of the batch's axes. */
  public long[] batchExtents() {
    return batch.extents();
  }

  /** Elements from one left matrix to the next, along each axis of the batch; 0 along axes that share one matrix. */
  public long[] leftBatchStrides() {
    return left.batchStrides();
  }

  /** Elements from one right matrix to the next, along each axis of the batch; 0 along axes that share one matrix. */
  public long[] rightBatchStrides() {
    return right.batchStrides();
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /** The number of terms in the sum of one element. */
  public int depth() {
    return depth;
  }

  public long leftStart(int product) {
    return left.start(product);
  }

  public long rightStart(int product) {
    return right.start(product);
  }

  /** Elements from one row of a left matrix to the next. */
  public long leftRowStride() {
    return left.outer;
  }

  /** Elements from one term of a left row to the next; 1 unless transposed. */
  public long leftDepthStride() {
    return left.depth;
  }

  /** Elements from one column of a right matrix to the next; 1 unless transposed. */
  public long rightColumnStride() {
    return right.outer;
  }

  /** Elements from one term of a right column to the next. */
  public long rightDepthStride() {
    return right.depth;
  }
}
