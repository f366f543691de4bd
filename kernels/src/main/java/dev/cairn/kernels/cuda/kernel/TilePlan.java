package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.tensor.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How blocks share the work of products of matrices, as {@code struct TilePlan} of {@code tile.cuh}: each sums a tile
 * of one result, and where there are fewer tiles than a device has room for, only a part of a tile's terms (split-K).
 * The same on the same device, so that the same call gives the same bits.
 *
 * @param batch how many products
 * @param depth terms of each result
 * @param side rows and columns of a tile
 * @param parts in how many parts the terms are summed
 * @param partTerms terms of a part; the last one may have fewer
 */
record TilePlan(long batch, int rows, int columns, int depth, int side, int parts, int partTerms) {
  private static final int SMALL = 64;
  private static final int LARGE = 128;
  private static final int THREADS = 256;
  /** Terms that are read at a time. */
  private static final int STEP = 16;
  /** With fewer, joining the parts takes longer than summing them. */
  private static final int LEAST_PART_TERMS = 128;
  private static final int MOST_PARTS = 32;
  private static final int BLOCKS_PER_MULTIPROCESSOR = 2;

  static TilePlan of(long batch, int rows, int columns, int depth, DType dtype, int multiprocessors) {
    long wanted = (long) BLOCKS_PER_MULTIPROCESSOR * multiprocessors;
    boolean large = dtype.bytes() <= Float.BYTES && tiles(batch, rows, columns, LARGE) >= wanted;
    int side = large ? LARGE : SMALL;
    long tiles = Math.max(1, tiles(batch, rows, columns, side));
    int useful = Math.clamp(depth / LEAST_PART_TERMS, 1, MOST_PARTS);
    int parts = Math.clamp(wanted / tiles, 1, useful);
    int partTerms = Math.max(1, Math.ceilDiv(Math.ceilDiv(depth, parts), STEP)) * STEP;
    return new TilePlan(batch, rows, columns, depth, side, Math.max(1, Math.ceilDiv(depth, partTerms)), partTerms);
  }

  private static long tiles(long batch, int rows, int columns, int side) {
    return batch * Math.ceilDiv(rows, side) * Math.ceilDiv(columns, side);
  }

  /** The end of the names of kernels for such tiles. */
  String byTiles() {
    return side == LARGE ? "_by_large_tiles" : "_by_small_tiles";
  }

  LaunchShape shape() {
    return Grids.ofBlocks(tiles(batch, rows, columns, side) * parts, THREADS);
  }

  boolean isParted() {
    return parts > 1;
  }

  /** Room for all sums of all parts. */
  long workspaceBytes(DType dtype) {
    long elements = batch * rows * columns;
    return isParted() ? parts * elements * Math.max(Float.BYTES, dtype.bytes()) : 0;
  }

  /**
   * Room for all sums of all parts of this product and of every smaller one, which has fewer tiles, and so more parts.
   */
  long workspaceBytesUpTo(DType dtype, int multiprocessors) {
    int useful = Math.clamp(depth / LEAST_PART_TERMS, 1, MOST_PARTS);
    long inTiles = (long) BLOCKS_PER_MULTIPROCESSOR * multiprocessors * SMALL * SMALL;
    long elements = Math.min(inTiles, useful * batch * rows * columns);
    return useful == 1 ? 0 : elements * Math.max(Float.BYTES, dtype.bytes());
  }

  /** As the kernel reads it. */
  byte[] bytes() {
    return ByteBuffer.allocate(6 * Integer.BYTES + Long.BYTES).order(ByteOrder.nativeOrder())
      .putInt(rows)
      .putInt(columns)
      .putInt(depth)
      .putInt(parts)
      .putInt(partTerms)
      .putInt(0)
      .putLong(batch)
      .array();
  }
}
