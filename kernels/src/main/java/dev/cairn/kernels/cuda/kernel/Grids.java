package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.LaunchShape;

/** Common shapes of launches. Stateless. */
public final class Grids {
  /** The default number of threads of a block. */
  public static final int BLOCK_THREADS = 256;
  /** The number of threads of a warp. */
  public static final int WARP_THREADS = 32;
  /** More blocks than any device runs at the same time. Kernels loop with a stride of the grid's size. */
  private static final int MOST_BLOCKS = 65_535;

  private Grids() {}

  /** A thread for each element, up to about sixteen million threads. */
  public static LaunchShape ofElements(long count) {
    return ofBlocks(Math.ceilDiv(count, BLOCK_THREADS), BLOCK_THREADS);
  }

  /** A block for each line. The length of a line gives the number of warps. */
  public static LaunchShape ofLines(long lines, long length) {
    return ofBlocks(lines, Math.clamp(Math.ceilDiv(length, WARP_THREADS), 1, BLOCK_THREADS / WARP_THREADS)
      * WARP_THREADS);
  }

  /** A block for each row, up to {@value #MOST_BLOCKS} of them. */
  public static LaunchShape ofBlocks(long blocks, int blockThreads) {
    return LaunchShape.of(Math.clamp(blocks, 1, MOST_BLOCKS), blockThreads);
  }
}
