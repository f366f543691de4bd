package dev.cairn.kernels.cpu.product;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.product.MatrixVector.Rows;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;

/**
 * {@code MatMul} and {@code Gemm} for {@code float32}. Flat products (a few rows, or one column) are memory bound and
 * read their large operand in place; all others are tiled. Sums are in {@code float32} with fused multiply-adds.
 */
public final class VectorMatmul {
  /** {@code MatMul(a, b)}. */
  public static final Kernel MATMUL = new Matmul();
  /** {@code Gemm(a, b, c?)} with attributes {@code alpha}, {@code beta}, {@code transA}, {@code transB}. */
  public static final Kernel GEMM = new Gemm();

  /** Up to so many rows, reading the right matrix in place is faster than packing it. */
  private static final int FEW_ROWS = 4;
  /** Columns that a task of a flat product takes: at most a page of each row of the matrix. */
  private static final int MOST_COLUMNS = 1024;
  private static final long GRAIN_TERMS = 1 << 17;

  private VectorMatmul() {}

  private static final class Matmul implements Kernel {
    @Override
    public void run(KernelCall call) {
      multiply(call, product(call.input(0).shape(), call.input(1).shape()));
    }

    @Override
    public long workspaceBytes(KernelSignature signature) {
      return bytes(product(signature.input(0).shape(), signature.input(1).shape()));
    }

    /** If the right side has one matrix, many products with few rows each become one product with many rows. */
    @Override
    public long workspaceBytesUpTo(KernelSignature signature) {
      Shape left = signature.input(0).shape();
      Shape right = signature.input(1).shape();
      Shape matrix = right.rank() < 2 ? right : Shape.of(right.extent(-2), right.extent(-1));
      return Math.max(workspaceBytes(signature), bytes(product(left, matrix)));
    }

    private static MatrixProduct product(Shape left, Shape right) {
      return MatrixProduct.ofMatmul(left, right);
    }
  }

  private static final class Gemm implements Kernel {
    @Override
    public void run(KernelCall call) {
      multiply(call, MatrixProduct.ofGemm(call.attributes(), call.input(0).shape(), call.input(1).shape()));
      GemmFinish.run(call);
    }

    @Override
    public long workspaceBytes(KernelSignature signature) {
      return bytes(
        MatrixProduct.ofGemm(signature.attributes(), signature.input(0).shape(), signature.input(1).shape()));
    }
  }

  private static long bytes(MatrixProduct product) {
    return isFlat(product)
      ? 0
      : MatrixOperands.transposedBytes(product) + TiledProduct.workspaceBytes(MatrixOperands.size(product));
  }

  private static boolean isFlat(MatrixProduct product) {
    return isColumn(product) || isDots(product) || isFewRows(product);
  }

  /** A matrix times a column: a dot product for each row. */
  private static boolean isColumn(MatrixProduct product) {
    return product.columns() == 1 && product.leftDepthStride() == 1 && product.rightDepthStride() == 1;
  }

  /** A few rows times a transposed matrix: a dot product for each column. */
  private static boolean isDots(MatrixProduct product) {
    return product.rows() <= FEW_ROWS && product.leftDepthStride() == 1 && product.rightDepthStride() == 1;
  }

  private static boolean isFewRows(MatrixProduct product) {
    return product.rows() <= FEW_ROWS && product.rightColumnStride() == 1;
  }

  private static void multiply(KernelCall call, MatrixProduct product) {
    if (isColumn(product)) {
      dotsOfRows(call, product);
    } else if (isDots(product)) {
      dotsOfColumns(call, product);
    } else if (isFewRows(product)) {
      fewRows(call, product);
    } else {
      MatrixOperands.multiply(call, product);
    }
  }

  private static long grain(int depth) {
    return Math.max(1, GRAIN_TERMS / Math.max(1, depth));
  }

  private static void dotsOfRows(KernelCall call, MatrixProduct product) {
    long rowBytes = product.leftRowStride() * Float.BYTES;
    for (int i = 0; i < product.count(); i++) {
      long left = product.leftStart(i) * Float.BYTES;
      long at = (long) i * product.rows() * Float.BYTES;
      var vector = new Rows(call.input(1).segment(), product.rightStart(i) * Float.BYTES, 0);
      CpuStream.of(call).parallel(product.rows(), grain(product.depth()), (first, end) -> MatrixVector.dots(
        new Rows(call.input(0).segment(), left + first * rowBytes, rowBytes), vector,
        new Rows(call.output(0).segment(), at + first * Float.BYTES, Float.BYTES), (int) (end - first),
        product.depth()));
    }
  }

  private static void dotsOfColumns(KernelCall call, MatrixProduct product) {
    long rowBytes = product.rightColumnStride() * Float.BYTES;
    long outputRowBytes = (long) product.columns() * Float.BYTES;
    for (int i = 0; i < product.count(); i++) {
      long left = product.leftStart(i) * Float.BYTES;
      long right = product.rightStart(i) * Float.BYTES;
      long at = (long) i * product.rows() * outputRowBytes;
      CpuStream.of(call).parallel(product.columns(), grain(product.depth()), (first, end) -> {
        var matrix = new Rows(call.input(1).segment(), right + first * rowBytes, rowBytes);
        for (int row = 0; row < product.rows(); row++) {
          var vector = new Rows(call.input(0).segment(), left + row * product.leftRowStride() * Float.BYTES, 0);
          long start = at + row * outputRowBytes + first * Float.BYTES;
          MatrixVector.dots(matrix, vector, new Rows(call.output(0).segment(), start, Float.BYTES),
            (int) (end - first), product.depth());
        }
      });
    }
  }

  private static void fewRows(KernelCall call, MatrixProduct product) {
    long rowBytes = (long) product.columns() * Float.BYTES;
    int parts = 4 * CpuStream.of(call).threads();
    int even = Math.ceilDiv(Math.ceilDiv(product.columns(), parts), 4 * LANES) * 4 * LANES;
    int width = Math.clamp(even, 4 * LANES, MOST_COLUMNS);
    for (int i = 0; i < product.count(); i++) {
      var left = new Rows(call.input(0).segment(), product.leftStart(i) * Float.BYTES,
        product.leftRowStride() * Float.BYTES);
      long right = product.rightStart(i) * Float.BYTES;
      long at = (long) i * product.rows() * rowBytes;
      long grain = Math.ceilDiv(grain(product.depth()), width);
      CpuStream.of(call).parallel(Math.ceilDiv(product.columns(), width), grain, (first, end) -> {
        for (long part = first; part < end; part++) {
          int columns = (int) Math.min(width, product.columns() - part * width);
          long shift = part * width * Float.BYTES;
          MatrixVector.multiply(left, product.leftDepthStride() * Float.BYTES,
            new Rows(call.input(1).segment(), right + shift, product.rightDepthStride() * Float.BYTES),
            new Rows(call.output(0).segment(), at + shift, rowBytes),
            new TiledProduct.Size(1, product.rows(), columns, product.depth(), product.depth()));
        }
      });
    }
  }
}
