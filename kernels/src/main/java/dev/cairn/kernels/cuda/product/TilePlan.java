package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.tensor.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The distribution of matrix products over blocks: {@code struct TilePlan} of {@code tile.cuh}. Each block computes a
 * tile of one result. If there are fewer tiles than the device can run at the same time, each block sums only a part of
 * a tile's terms (split-K). The plan depends only on the device and the call, so the same call gives the same bits.
 *
 * @param batch the number of products
 * @param depth the number of terms of each result
 * @param side the number of rows and columns of a tile
 * @param parts the number of parts of each sum
 * @param partTerms the number of terms of a part; the last one may have fewer
 */
public record TilePlan(long batch, int rows, int columns, int depth, int side, int parts, int partTerms) {
  private static final int SMALL = 64;
  private static final int LARGE = 128;
  private static final int THREADS = 256;
  /** The number of terms that are loaded together. */
  private static final int STEP = 16;
  /** The fewest terms of a part. With fewer, joining the parts takes longer than computing them. */
  private static final int LEAST_PART_TERMS = 128;
  private static final int MOST_PARTS = 32;
  private static final int BLOCKS_PER_MULTIPROCESSOR = 2;

  public static TilePlan of(long batch, int rows, int columns, int depth, DType dtype, int multiprocessors) {
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

  /** The suffix in the names of kernels for tiles of this size. */
  public String byTiles() {
    return side == LARGE ? "_by_large_tiles" : "_by_small_tiles";
  }

  public LaunchShape shape() {
    return Grids.ofBlocks(tiles(batch, rows, columns, side) * parts, THREADS);
  }

  public boolean isParted() {
    return parts > 1;
  }

  /** The bytes of all partial sums. */
  public long workspaceBytes(DType dtype) {
    long elements = batch * rows * columns;
    return isParted() ? parts * elements * Math.max(Float.BYTES, dtype.bytes()) : 0;
  }

  /**
   * The bytes of all partial sums for this product and every smaller one. A smaller product has fewer tiles, and so may
   * have more parts.
   */
  public long workspaceBytesUpTo(DType dtype, int multiprocessors) {
    int useful = Math.clamp(depth / LEAST_PART_TERMS, 1, MOST_PARTS);
    long inTiles = (long) BLOCKS_PER_MULTIPROCESSOR * multiprocessors * SMALL * SMALL;
    long elements = Math.min(inTiles, useful * batch * rows * columns);
    return useful == 1 ? 0 : elements * Math.max(Float.BYTES, dtype.bytes());
  }

  /** The bytes of the structure that the kernel reads. */
  public byte[] bytes() {
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
