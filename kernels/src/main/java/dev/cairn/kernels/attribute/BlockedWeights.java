package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;

/**
 * Quantised weights of a product with their scales and zero points for blocks of the depth, as {@code MatMulNBits} of
 * com.microsoft has them. Weights are {@code [columns, blocks, bytes of a block]}, scales {@code [columns, blocks]}.
 * Several numbers in a byte begin with the low bits. Zero points are packed the same way, and each column begins a
 * byte; or they are real, one for each scale.
 *
 * @param bits of a number: 2, 4 or 8, without a sign
 * @param block numbers that share a scale; the last block of a column may have fewer
 */
public record BlockedWeights(int columns, int depth, int bits, int block) {

  /**
   * The weights of a node.
   *
   * @throws IllegalArgumentException if an attribute is missing or no such weights exist
   */
  public static BlockedWeights of(Attributes attributes) {
    var weights = new BlockedWeights(attributes.getInt("N", 0), attributes.getInt("K", 0), attributes.getInt("bits", 4),
      attributes.getInt("block_size", 0));
    boolean isKnown = weights.bits == 2 || weights.bits == 4 || weights.bits == 8;
    if (!isKnown || weights.columns < 1 || weights.depth < 1 || weights.block < 1 || (long) weights.block * weights.bits
      % Byte.SIZE != 0) {
      throw new IllegalArgumentException("no such weights: N=%d K=%d bits=%d block_size=%d".formatted(weights.columns,
        weights.depth, weights.bits, weights.block));
    }
    return weights;
  }

  /** The attributes of a node with these weights. */
  public Attributes attributes() {
    return Attributes.NONE.with("N", columns).with("K", depth).with("bits", bits).with("block_size", block);
  }

  /** The blocks of a column. */
  public int blocks() {
    return Math.ceilDiv(depth, block);
  }

  /** The depth with the last block filled. */
  public int paddedDepth() {
    return Math.multiplyExact(blocks(), block);
  }

  /** The type in which numbers are packed. */
  public DType dtype() {
    return bits == 2 ? DType.UINT2 : bits == 4 ? DType.UINT4 : DType.UINT8;
  }

  /** Bytes of a column. */
  public long columnBytes() {
    return dtype().bytes(paddedDepth());
  }

  /** Bytes of a column's packed zero points. */
  public long zeroBytes() {
    return dtype().bytes(blocks());
  }

  /** The zero point where none is given. */
  public int middle() {
    return 1 << (bits - 1);
  }

  /** The shape of the weights, in bytes. */
  public Shape shape() {
    return Shape.of(columns, blocks(), columnBytes() / blocks());
  }
}
