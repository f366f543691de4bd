package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code MatMul} for {@code float32}, {@code float64} and whole numbers of 32 and 64 bits, {@code Gemm} for the two
 * real types. Real numbers are summed in {@code double} and rounded once; whole numbers wrap.
 */
public final class CpuMatmul {
  /** {@code MatMul(a, b)}. */
  public static final Kernel MATMUL = CpuMatmul::matmul;
  /** {@code Gemm(a, b, c?)} with attributes {@code alpha}, {@code beta}, {@code transA}, {@code transB}. */
  public static final Kernel GEMM = CpuMatmul::gemm;

  /** Columns that are summed side by side. */
  private static final int BLOCK = 64;
  private static final long GRAIN_TERMS = 1 << 16;

  private CpuMatmul() {}

  private static void matmul(KernelCall call) {
    MatrixProduct product = MatrixProduct.ofMatmul(call.input(0).shape(), call.input(1).shape());
    TensorView output = call.output(0);
    forBlocks(call, product, block -> {
      if (output.dtype().isFloat()) {
        Elements.write(sums(call, product, block), output, block.output(product), block.width);
      } else {
        Elements.write(wholeSums(call, product, block), output, block.output(product), block.width);
      }
    });
  }

  private static void gemm(KernelCall call) {
    MatrixProduct product = MatrixProduct.ofGemm(call.attributes(), call.input(0).shape(), call.input(1).shape());
    GemmForm form = GemmForm.of(call.attributes());
    double alpha = form.alpha();
    double beta = form.beta();
    boolean adds = call.has(2) && beta != 0;
    Layout added = Layout.rowMajor(adds ? call.input(2).shape() : Shape.SCALAR).broadcastTo(call.output(0).shape());
    forBlocks(call, product, block -> {
      double[] sums = sums(call, product, block);
      double[] term = new double[1];
      for (int j = 0; j < sums.length; j++) {
        sums[j] *= alpha;
        if (adds) {
          long at = block.row * added.stride(0) + (block.column + j) * added.stride(1);
          Elements.read(call.input(2), at, term, 1);
          sums[j] += beta * term[0];
        }
      }
      Elements.write(sums, call.output(0), block.output(product), sums.length);
    });
  }

  /** Some columns of one row of one product. */
  private record Block(int product, int row, int column, int width) {
    long output(MatrixProduct all) {
      return ((long) product * all.rows() + row) * all.columns() + column;
    }

    /** The element of the left operand at a depth. */
    long left(MatrixProduct all, int depth) {
      return all.leftStart(product) + row * all.leftRowStride() + depth * all.leftDepthStride();
    }

    /** The element of the right operand at a depth, for the first column of this block. */
    long right(MatrixProduct all, int depth) {
      return all.rightStart(product) + column * all.rightColumnStride() + depth * all.rightDepthStride();
    }
  }

  @FunctionalInterface
  private interface BlockBody {
    void run(Block block);
  }

  private static void forBlocks(KernelCall call, MatrixProduct product, BlockBody body) {
    long blocks = Math.ceilDiv(product.columns(), BLOCK);
    long grain = Math.max(1, GRAIN_TERMS / (BLOCK * Math.max(1L, product.depth())));
    CpuStream.of(call).parallel(product.count() * (long) product.rows() * blocks, grain, (first, end) -> {
      for (long i = first; i < end; i++) {
        long row = i / blocks;
        int column = (int) (i % blocks) * BLOCK;
        body.run(new Block((int) (row / product.rows()), (int) (row % product.rows()), column,
          Math.min(BLOCK, product.columns() - column)));
      }
    });
  }

  private static double[] sums(KernelCall call, MatrixProduct product, Block block) {
    double[] sums = new double[block.width];
    double[] line = new double[block.width];
    double[] factor = new double[1];
    long stride = product.rightColumnStride();
    for (int k = 0; k < product.depth(); k++) {
      Elements.read(call.input(0), block.left(product, k), factor, 1);
      long right = block.right(product, k);
      if (stride == 1) {
        Elements.read(call.input(1), right, line, line.length);
      }
      for (int j = 0; j < sums.length; j++) {
        sums[j] += factor[0] * (stride == 1 ? line[j] : call.input(1).doubleAt(right + j * stride));
      }
    }
    return sums;
  }

  private static long[] wholeSums(KernelCall call, MatrixProduct product, Block block) {
    long[] sums = new long[block.width];
    long[] line = new long[block.width];
    long[] factor = new long[1];
    for (int k = 0; k < product.depth(); k++) {
      Elements.read(call.input(0), block.left(product, k), factor, 1);
      Elements.read(call.input(1), block.right(product, k), line, line.length);
      for (int j = 0; j < sums.length; j++) {
        sums[j] += factor[0] * line[j];
      }
    }
    return sums;
  }
}
