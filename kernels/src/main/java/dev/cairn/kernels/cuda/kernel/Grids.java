package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.LaunchShape;

/** Usual shapes of launches. Stateless. */
public final class Grids {
  /** Threads of a block, where a kernel doesn't need another number. */
  public static final int BLOCK_THREADS = 256;
  /** Threads that step together. */
  public static final int WARP_THREADS = 32;
  /** More blocks than any device runs at a time; kernels go round by the grid's size. */
  private static final int MOST_BLOCKS = 65_535;

  private Grids() {}

  /** A thread for each element, up to some sixteen million of them. */
  public static LaunchShape ofElements(long count) {
    return ofBlocks(Math.ceilDiv(count, BLOCK_THREADS), BLOCK_THREADS);
  }

  /** A block for each line of so many elements, of as many warps as it has work for. */
  public static LaunchShape ofLines(long lines, long length) {
    return ofBlocks(lines, Math.clamp(Math.ceilDiv(length, WARP_THREADS), 1, BLOCK_THREADS / WARP_THREADS)
      * WARP_THREADS);
  }

  /** A block for each row, up to {@value #MOST_BLOCKS} of them. */
  public static LaunchShape ofBlocks(long blocks, int blockThreads) {
    return LaunchShape.of(Math.clamp(blocks, 1, MOST_BLOCKS), blockThreads);
  }
}
