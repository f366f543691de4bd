package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.product.MatrixPanels.Extent;
import dev.cairn.kernels.cpu.product.MatrixVector.Rows;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The operands of {@code MatMul} and {@code Gemm}. A transposed left matrix is turned first, in the workspace's end.
 */
final class MatrixOperands implements TiledOperands {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private final MatrixProduct product;
  private final MemorySegment left;
  private final MemorySegment right;
  private final MemorySegment output;

  private MatrixOperands(KernelCall call, MatrixProduct product) {
    this.product = product;
    this.left = product.leftDepthStride() == 1 ? call.input(0).segment() : turned(call, product);
    this.right = call.input(1).segment();
    this.output = call.output(0).segment();
  }

  static void multiply(KernelCall call, MatrixProduct product) {
    TiledProduct.run(call, size(product), new MatrixOperands(call, product));
  }

  static TiledProduct.Size size(MatrixProduct product) {
    return new TiledProduct.Size(product.count(), product.rows(), product.columns(), product.depth(),
      TiledProduct.DEPTH_BLOCK);
  }

  static long transposedBytes(MatrixProduct product) {
    return product.leftDepthStride() == 1 ? 0 : (long) product.rows() * product.depth() * Float.BYTES;
  }

  private static MemorySegment turned(KernelCall call, MatrixProduct product) {
    MemorySegment source = call.input(0).segment();
    MemorySegment target = call.workspace().asSlice(TiledProduct.workspaceBytes(size(product)));
    int depth = product.depth();
    CpuStream.of(call).parallel(product.rows(), 16, (first, end) -> {
      for (long k = 0; k < depth; k++) {
        for (long row = first; row < end; row++) {
          target.set(FLOAT, (row * depth + k) * Float.BYTES,
            source.get(FLOAT, (k * product.rows() + row) * Float.BYTES));
        }
      }
    });
    return target;
  }

  @Override
  public MemorySegment left() {
    return left;
  }

  @Override
  public long leftRowBytes() {
    return (long) product.depth() * Float.BYTES;
  }

  @Override
  public long leftStart(int index) {
    return product.leftStart(index) * Float.BYTES;
  }

  @Override
  public MemorySegment output() {
    return output;
  }

  @Override
  public long outputStart(int index) {
    return (long) index * product.rows() * product.columns() * Float.BYTES;
  }

  @Override
  public float start(int index, int row) {
    return 0;
  }

  @Override
  public void pack(int index, int column, Depths depths, MemorySegment target, long targetStart) {
    var extent = new Extent(depths.count(), product.columns() - column);
    long start = product.rightStart(index) + column * product.rightColumnStride()
      + depths.first() * product.rightDepthStride();
    if (product.rightColumnStride() == 1) {
      MatrixPanels.packRows(right, start * Float.BYTES, product.rightDepthStride() * Float.BYTES, extent, target,
        targetStart);
    } else {
      var columns = new Rows(right, start * Float.BYTES, product.rightColumnStride() * Float.BYTES);
      MatrixPanels.packColumns(columns, extent, target, targetStart, size(product).spareStart());
    }
  }
}
