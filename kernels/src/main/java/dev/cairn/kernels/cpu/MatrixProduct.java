package dev.cairn.kernels.cpu;

import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/**
 * Which matrices a {@code MatMul} or {@code Gemm} multiplies: some number of products, all of one size, whose operands
 * lie at a start each and are walked with common strides. All starts and strides are in elements. The outputs are
 * dense, one after the other.
 */
public final class MatrixProduct {
  private final int rows;
  private final int columns;
  private final int depth;
  private final Walk left;
  private final Walk right;

  /** One operand: where each product's matrix starts, and how far apart its elements lie along both of its axes. */
  private record Walk(Starts starts, long outer, long depth) {}

  /** The starts of one operand's matrices, by product. */
  private static final class Starts {
    private final long[] elements;

    Starts(long[] elements) {
      this.elements = elements;
    }
  }

  private MatrixProduct(int rows, int columns, int depth, Walk left, Walk right) {
    this.rows = rows;
    this.columns = columns;
    this.depth = depth;
    this.left = left;
    this.right = right;
  }

  /**
   * The products of {@code MatMul}, as NumPy defines them: the last two axes are the matrices, the axes before them are
   * stretched to each other; a vector is a row on the left, a column on the right. Products that share their right
   * matrix are one taller product.
   *
   * @throws IllegalArgumentException for a scalar, or when inner or outer extents do not fit
   */
  public static MatrixProduct ofMatmul(Shape left, Shape right) {
    if (left.rank() == 0 || right.rank() == 0) {
      throw new IllegalArgumentException("no matrix: left=%s right=%s".formatted(left, right));
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
    Starts leftStarts = tall ? new Starts(new long[1]) : starts(leftBatch, all, rows * depth);
    Starts rightStarts = tall ? new Starts(new long[1]) : starts(rightBatch, all, (long) depth * columns);
    int allRows = Math.toIntExact(tall ? rows * all.elementCount() : rows);
    return new MatrixProduct(allRows, columns, depth, new Walk(leftStarts, depth, 1),
      new Walk(rightStarts, 1, columns));
  }

  /**
   * The product of {@code Gemm}: two matrices, each transposed or not.
   *
   * @throws IllegalArgumentException when an operand is no matrix, or the inner extents differ
   */
  public static MatrixProduct ofGemm(Shape left, Shape right, boolean transposeLeft, boolean transposeRight) {
    if (left.rank() != 2 || right.rank() != 2
      || left.extent(transposeLeft ? 0 : 1) != right.extent(transposeRight ? 1 : 0)) {
      throw new IllegalArgumentException("matrices do not fit: left=%s transA=%s right=%s transB=%s".formatted(left,
        transposeLeft, right, transposeRight));
    }
    int rows = Math.toIntExact(left.extent(transposeLeft ? 1 : 0));
    int depth = Math.toIntExact(left.extent(transposeLeft ? 0 : 1));
    int columns = Math.toIntExact(right.extent(transposeRight ? 0 : 1));
    var start = new Starts(new long[1]);
    return new MatrixProduct(rows, columns, depth,
      transposeLeft ? new Walk(start, 1, rows) : new Walk(start, depth, 1),
      transposeRight ? new Walk(start, depth, 1) : new Walk(start, 1, columns));
  }

  private static Shape batch(Shape shape) {
    return Shape.of(Arrays.copyOf(shape.extents(), Math.max(0, shape.rank() - 2)));
  }

  private static Starts starts(Shape batch, Shape all, long matrix) {
    Layout layout = Layout.rowMajor(batch).broadcastTo(all);
    long[] starts = new long[Math.toIntExact(all.elementCount())];
    for (int i = 0; i < starts.length; i++) {
      long rest = i;
      for (int axis = all.rank() - 1; axis >= 0; axis--) {
        starts[i] += rest % all.extent(axis) * layout.stride(axis) * matrix;
        rest /= all.extent(axis);
      }
    }
    return new Starts(starts);
  }

  /** How many products there are. */
  public int count() {
    return left.starts.elements.length;
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /** Terms that are summed into one element. */
  public int depth() {
    return depth;
  }

  public long leftStart(int product) {
    return left.starts.elements[product];
  }

  public long rightStart(int product) {
    return right.starts.elements[product];
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
