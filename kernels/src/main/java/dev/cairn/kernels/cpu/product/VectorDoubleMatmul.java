package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code MatMul} and {@code Gemm} of {@code float64}. A task computes some rows of a panel of columns: it copies the
 * panel of the right operand, so that its elements are neighbours, and keeps the sums of four rows in vectors.
 */
public final class VectorDoubleMatmul {
  /** {@code MatMul(a, b)}. */
  public static final Kernel MATMUL = call -> multiply(call, MatrixProduct.ofMatmul(call.input(0).shape(), call.input(1)
    .shape()), 1);
  /** {@code Gemm(a, b, c?)}. */
  public static final Kernel GEMM = VectorDoubleMatmul::gemm;

  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final int WIDTH = 2 * LANES;
  private static final int ROWS = 4;
  /** A panel is copied once for so many rows. */
  private static final int ROWS_OF_TASK = 64;
  private static final long GRAIN_TERMS = 1 << 15;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final MatrixProduct product;
  private final MemorySegment left;
  private final MemorySegment right;
  private final MemorySegment output;
  private final double alpha;
  /** The elements of the panel that a task has, depth by depth. */
  private final double[] panel;

  private VectorDoubleMatmul(KernelCall call, MatrixProduct product, double alpha) {
    this.product = product;
    this.left = call.input(0).segment();
    this.right = call.input(1).segment();
    this.output = call.output(0).segment();
    this.alpha = alpha;
    this.panel = new double[Math.multiplyExact(product.depth(), WIDTH)];
  }

  private static void gemm(KernelCall call) {
    MatrixProduct product = MatrixProduct.ofGemm(call.attributes(), call.input(0).shape(), call.input(1).shape());
    GemmForm form = GemmForm.of(call.attributes());
    multiply(call, product, form.alpha());
    if (call.has(2) && form.beta() != 0) {
      add(call, product, form.beta());
    }
  }

  /** Adds the third operand to the product. */
  private static void add(KernelCall call, MatrixProduct product, double beta) {
    MemorySegment addend = call.input(2).segment();
    MemorySegment output = call.output(0).segment();
    Shape shape = call.input(2).shape();
    Layout added = Layout.rowMajor(shape).broadcastTo(call.output(0).shape());
    CpuStream.of(call).parallel(product.rows(), Math.max(1, GRAIN_TERMS / Math.max(1, product.columns())), (first,
      end) -> {
      for (long row = first; row < end; row++) {
        for (long column = 0; column < product.columns(); column++) {
          long at = (row * product.columns() + column) * Double.BYTES;
          long from = (row * added.stride(0) + column * added.stride(1)) * Double.BYTES;
          output.set(DOUBLE, at, output.get(DOUBLE, at) + beta * addend.get(DOUBLE, from));
        }
      }
    });
  }

  private static void multiply(KernelCall call, MatrixProduct product, double alpha) {
    long panels = Math.ceilDiv(product.columns(), WIDTH);
    long chunks = Math.ceilDiv(product.rows(), ROWS_OF_TASK);
    long terms = (long) WIDTH * Math.min(product.rows(), ROWS_OF_TASK) * Math.max(1, product.depth());
    CpuStream.of(call).parallel(product.count() * panels * chunks, Math.max(1, GRAIN_TERMS / Math.max(1, terms)), (
      first, end) -> {
      var tasks = new VectorDoubleMatmul(call, product, alpha);
      long copied = -1;
      for (long task = first; task < end; task++) {
        if (task / chunks != copied) {
          copied = task / chunks;
          tasks.copyPanel((int) (copied / panels), (int) (copied % panels) * WIDTH);
        }
        int row = (int) (task % chunks) * ROWS_OF_TASK;
        tasks.rows((int) (copied / panels), (int) (copied % panels) * WIDTH, row, Math.min(product.rows(), row
          + ROWS_OF_TASK));
      }
    });
  }

  /** Columns behind the last one stay 0. */
  private void copyPanel(int index, int column) {
    int width = Math.min(WIDTH, product.columns() - column);
    for (int k = 0; k < product.depth(); k++) {
      long from = product.rightStart(index) + (long) column * product.rightColumnStride() + k * product
        .rightDepthStride();
      for (int j = 0; j < width; j++) {
        panel[k * WIDTH + j] = right.get(DOUBLE, (from + j * product.rightColumnStride()) * Double.BYTES);
      }
      for (int j = width; j < WIDTH; j++) {
        panel[k * WIDTH + j] = 0;
      }
    }
  }

  private void rows(int index, int column, int first, int end) {
    int row = first;
    for (; row + ROWS <= end; row += ROWS) {
      fourRows(index, column, row);
    }
    for (; row < end; row++) {
      oneRow(index, column, row);
    }
  }

  private void fourRows(int index, int column, int row) {
    long step = product.leftDepthStride() * Double.BYTES;
    long at0 = leftStart(index, row);
    long at1 = leftStart(index, row + 1);
    long at2 = leftStart(index, row + 2);
    long at3 = leftStart(index, row + 3);
    DoubleVector a0 = DoubleVector.zero(SPECIES);
    DoubleVector a1 = a0;
    DoubleVector b0 = a0;
    DoubleVector b1 = a0;
    DoubleVector c0 = a0;
    DoubleVector c1 = a0;
    DoubleVector d0 = a0;
    DoubleVector d1 = a0;
    for (int k = 0; k < product.depth(); k++) {
      DoubleVector r0 = DoubleVector.fromArray(SPECIES, panel, k * WIDTH);
      DoubleVector r1 = DoubleVector.fromArray(SPECIES, panel, k * WIDTH + LANES);
      DoubleVector factor = DoubleVector.broadcast(SPECIES, left.get(DOUBLE, at0 + k * step));
      a0 = factor.fma(r0, a0);
      a1 = factor.fma(r1, a1);
      factor = DoubleVector.broadcast(SPECIES, left.get(DOUBLE, at1 + k * step));
      b0 = factor.fma(r0, b0);
      b1 = factor.fma(r1, b1);
      factor = DoubleVector.broadcast(SPECIES, left.get(DOUBLE, at2 + k * step));
      c0 = factor.fma(r0, c0);
      c1 = factor.fma(r1, c1);
      factor = DoubleVector.broadcast(SPECIES, left.get(DOUBLE, at3 + k * step));
      d0 = factor.fma(r0, d0);
      d1 = factor.fma(r1, d1);
    }
    store(a0, a1, index, row, column);
    store(b0, b1, index, row + 1, column);
    store(c0, c1, index, row + 2, column);
    store(d0, d1, index, row + 3, column);
  }

  private void oneRow(int index, int column, int row) {
    long step = product.leftDepthStride() * Double.BYTES;
    long at = leftStart(index, row);
    DoubleVector a0 = DoubleVector.zero(SPECIES);
    DoubleVector a1 = a0;
    for (int k = 0; k < product.depth(); k++) {
      DoubleVector factor = DoubleVector.broadcast(SPECIES, left.get(DOUBLE, at + k * step));
      a0 = factor.fma(DoubleVector.fromArray(SPECIES, panel, k * WIDTH), a0);
      a1 = factor.fma(DoubleVector.fromArray(SPECIES, panel, k * WIDTH + LANES), a1);
    }
    store(a0, a1, index, row, column);
  }

  private long leftStart(int index, int row) {
    return (product.leftStart(index) + row * product.leftRowStride()) * Double.BYTES;
  }

  private void store(DoubleVector sums, DoubleVector next, int index, int row, int column) {
    long to = (((long) index * product.rows() + row) * product.columns() + column) * Double.BYTES;
    int width = product.columns() - column;
    DoubleVector first = alpha == 1 ? sums : sums.mul(alpha);
    DoubleVector second = alpha == 1 ? next : next.mul(alpha);
    if (width >= WIDTH) {
      first.intoMemorySegment(output, to, ORDER);
      second.intoMemorySegment(output, to + (long) LANES * Double.BYTES, ORDER);
      return;
    }
    VectorMask<Double> has = SPECIES.indexInRange(0, width);
    first.intoMemorySegment(output, to, ORDER, has);
    if (width > LANES) {
      second.intoMemorySegment(output, to + (long) LANES * Double.BYTES, ORDER, SPECIES.indexInRange(LANES, width));
    }
  }
}
