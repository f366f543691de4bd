package dev.cairn.kernels.cuda.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Columns of up to {@value BroadcastWalk#MOST_AXES} whole numbers each, as structures of CUDA C that kernels take by
 * value; a count may go before them. What is not there is 0.
 */
final class LongTable {
  private LongTable() {}

  /** The columns. */
  static byte[] of(long[]... columns) {
    return bytes(0, columns);
  }

  /** How many of each column count, and the columns. */
  static byte[] counted(int count, long[]... columns) {
    return bytes(1, columns, count);
  }

  private static byte[] bytes(int heads, long[][] columns, long... head) {
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES * (heads + BroadcastWalk.MOST_AXES * columns.length))
      .order(ByteOrder.nativeOrder());
    for (int i = 0; i < heads; i++) {
      buffer.putLong(head[i]);
    }
    for (long[] column : columns) {
      if (column.length > BroadcastWalk.MOST_AXES) {
        throw new IllegalArgumentException(
          "too many axes: axes=%d most=%d".formatted(column.length, BroadcastWalk.MOST_AXES));
      }
      for (int i = 0; i < BroadcastWalk.MOST_AXES; i++) {
        buffer.putLong(i < column.length ? column[i] : 0);
      }
    }
    return buffer.array();
  }
}
