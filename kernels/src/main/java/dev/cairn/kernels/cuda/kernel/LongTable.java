package dev.cairn.kernels.cuda.kernel;

/**
 * Columns of up to {@value BroadcastWalk#MOST_AXES} integers each, as structures of CUDA C that kernels take by value.
 * A count may precede them. Missing numbers are 0.
 */
public final class LongTable {
  private LongTable() {}

  /** The columns. */
  public static byte[] of(long[]... columns) {
    return bytes(0, 0, columns);
  }

  /** The number of valid entries of each column, and the columns. */
  public static byte[] counted(int count, long[]... columns) {
    return bytes(1, count, columns);
  }

  private static byte[] bytes(int heads, long head, long[]... columns) {
    long[] all = new long[heads + BroadcastWalk.MOST_AXES * columns.length];
    if (heads > 0) {
      all[0] = head;
    }
    for (int i = 0; i < columns.length; i++) {
      if (columns[i].length > BroadcastWalk.MOST_AXES) {
        throw new IllegalArgumentException(
          "too many axes: axes=%d most=%d".formatted(columns[i].length, BroadcastWalk.MOST_AXES));
      }
      System.arraycopy(columns[i], 0, all, heads + i * BroadcastWalk.MOST_AXES, columns[i].length);
    }
    return Structures.ofLongs(all);
  }
}
