package dev.cairn.kernels.cuda;

/**
 * How many threads a launch has: blocks in the grid, threads in a block, and the bytes of shared memory that a block
 * gets beyond what its kernel declares. What a device allows is for the driver to judge.
 */
public record LaunchShape(int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {
  /** Checks the signs, which the driver would read as huge numbers. */
  public LaunchShape {
    if (gridX < 1 || gridY < 1 || gridZ < 1 || blockX < 1 || blockY < 1 || blockZ < 1 || sharedBytes < 0) {
      throw new IllegalArgumentException(
        "impossible launch: grid=%d,%d,%d block=%d,%d,%d sharedBytes=%d".formatted(gridX, gridY, gridZ, blockX, blockY,
          blockZ, sharedBytes));
    }
  }

  /** A row of blocks. */
  public static LaunchShape of(int blocks, int blockThreads) {
    return new LaunchShape(blocks, 1, 1, blockThreads, 1, 1, 0);
  }

  /** Enough blocks that each element has a thread; the last block may have idle ones. */
  public static LaunchShape covering(long elements, int blockThreads) {
    if (elements < 0 || blockThreads < 1 || Math.ceilDiv(elements, blockThreads) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
        "no launch covers this: elements=%d blockThreads=%d".formatted(elements, blockThreads));
    }
    return of((int) Math.max(1, Math.ceilDiv(elements, blockThreads)), blockThreads);
  }

  /** The same with as many bytes of dynamic shared memory. */
  public LaunchShape withSharedBytes(int bytes) {
    return new LaunchShape(gridX, gridY, gridZ, blockX, blockY, blockZ, bytes);
  }
}
