package dev.cairn.kernels.cuda;

/**
 * The size of a launch: blocks in the grid, threads in a block, and the bytes of dynamic shared memory of a block. The
 * driver checks the limits of the device.
 */
public record LaunchShape(int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {
  /** Checks for negative numbers, which the driver would read as huge ones. */
  public LaunchShape {
    if (gridX < 1 || gridY < 1 || gridZ < 1 || blockX < 1 || blockY < 1 || blockZ < 1 || sharedBytes < 0) {
      throw new IllegalArgumentException(
        "impossible launch: grid=%d,%d,%d block=%d,%d,%d sharedBytes=%d".formatted(gridX, gridY, gridZ, blockX, blockY,
          blockZ, sharedBytes));
    }
  }

  /** A one-dimensional grid. */
  public static LaunchShape of(int blocks, int blockThreads) {
    return new LaunchShape(blocks, 1, 1, blockThreads, 1, 1, 0);
  }

  /** A one-dimensional grid with a thread for each element. The last block may have idle threads. */
  public static LaunchShape covering(long elements, int blockThreads) {
    if (elements < 0 || blockThreads < 1 || Math.ceilDiv(elements, blockThreads) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
        "no launch covers this: elements=%d blockThreads=%d".formatted(elements, blockThreads));
    }
    return of((int) Math.max(1, Math.ceilDiv(elements, blockThreads)), blockThreads);
  }

  /** The same shape with this number of bytes of dynamic shared memory. */
  public LaunchShape withSharedBytes(int bytes) {
    return new LaunchShape(gridX, gridY, gridZ, blockX, blockY, blockZ, bytes);
  }
}
