package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;

/**
 * A memory map as one line. Each character stands for an equal part of the pool and shows the state of most of its
 * bytes. The strip omits gaps between regions.
 *
 * <pre>
 *  ****xx**________****____
 *  * in use by request    x slack: held, but not asked for    _ free
 * </pre>
 *
 * TensorFlow's out-of-memory dumps end with such a strip.
 */
public final class OccupancyStrip {
  /** The usual length. */
  public static final int COLUMNS = 100;

  private OccupancyStrip() {}

  /** The strip of {@link #COLUMNS} characters; empty for an empty pool. */
  public static String of(MemoryMap map) {
    return of(map, COLUMNS);
  }

  /** The strip of {@code columns} characters; empty for an empty pool. */
  public static String of(MemoryMap map, int columns) {
    if (columns <= 0) {
      throw new IllegalArgumentException("columns must be positive: columns=" + columns);
    }
    long poolBytes = map.regions().stream().mapToLong(MemoryMap.RegionEntry::bytes).sum();
    if (poolBytes == 0) {
      return "";
    }
    Tally tally = new Tally((double) poolBytes / columns, columns);
    long requested = 0;
    long slack = 0;
    long free = 0;
    long left = 0;
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      long bytes = map.bytes(chunk);
      if (bytes > left) {
        // This chunk ends in another column. Most chunks end in the same column and are only added up.
        tally.add(requested, slack, free);
        if (map.isInUse(chunk)) {
          tally.add(map.requestedBytes(chunk), bytes - map.requestedBytes(chunk), 0);
        } else {
          tally.add(0, 0, bytes);
        }
        requested = 0;
        slack = 0;
        free = 0;
        left = tally.left();
      } else if (map.isInUse(chunk)) {
        requested += map.requestedBytes(chunk);
        slack += bytes - map.requestedBytes(chunk);
        left -= bytes;
      } else {
        free += bytes;
        left -= bytes;
      }
    }
    tally.add(requested, slack, free);
    return tally.strip();
  }

  /** Bytes of each kind in each column, filled from left to right. */
  private static final class Tally {
    private final double[] requested;
    private final double[] slack;
    private final double[] free;
    private final double columnBytes;
    private double columnEnd;
    private int column;
    private long position;

    Tally(double columnBytes, int columns) {
      this.columnBytes = columnBytes;
      columnEnd = columnBytes;
      requested = new double[columns];
      slack = new double[columns];
      free = new double[columns];
    }

    /** The bytes left in the current column. */
    long left() {
      return column == free.length - 1 ? Long.MAX_VALUE : (long) columnEnd - position;
    }

    void add(long ofRequests, long ofSlack, long ofFree) {
      add(requested, ofRequests);
      add(slack, ofSlack);
      add(free, ofFree);
    }

    /** Adds the next {@code bytes} bytes of the pool to {@code kind}. The last column takes the rounding error. */
    private void add(double[] kind, long bytes) {
      double at = (double) position;
      position += bytes;
      while (position > columnEnd && column < kind.length - 1) {
        kind[column] += Math.max(0, columnEnd - at);
        at = Math.max(at, columnEnd);
        column++;
        columnEnd = (column + 1) * columnBytes;
      }
      kind[column] += (double) position - at;
    }

    String strip() {
      StringBuilder strip = new StringBuilder(requested.length);
      for (int column = 0; column < requested.length; column++) {
        double held = requested[column] + slack[column];
        char inUse = requested[column] >= slack[column] ? '*' : 'x';
        strip.append(held >= free[column] ? inUse : '_');
      }
      return strip.toString();
    }
  }
}
