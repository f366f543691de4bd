package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.cpu.product.TiledOperands;
import java.lang.foreign.MemorySegment;

/**
 * Operands whose products are of whole numbers, which are exact in {@code float32} for a block of the depth; blocks are
 * added as 32-bit whole numbers.
 */
record WholeOperands(TiledOperands operands, MemorySegment output) implements TiledOperands {
  /** The most terms whose sum is exact: products of 8-bit numbers less their zero points are at most 255 * 255. */
  static final int EXACT_TERMS = 256;

  @Override
  public boolean areWhole() {
    return true;
  }

  @Override
  public MemorySegment left() {
    return operands.left();
  }

  @Override
  public long leftRowBytes() {
    return operands.leftRowBytes();
  }

  @Override
  public long leftStart(int product) {
    return operands.leftStart(product);
  }

  @Override
  public long outputStart(int product) {
    return operands.outputStart(product);
  }

  @Override
  public float start(int product, int row) {
    return 0;
  }

  @Override
  public void pack(int product, int column, Depths depths, MemorySegment target, long targetStart) {
    operands.pack(product, column, depths, target, targetStart);
  }
}
