package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;

/**
 * A memory map as one line of characters, each for an equal part of the pool; regions follow each other without their
 * gaps. A character shows what most of its part is.
 *
 * <pre>
 *  ****xx**________****____
 *  * in use by request    x slack: held, but not asked for    _ free
 * </pre>
 *
 * Such a strip ends the out-of-memory dumps of TensorFlow.
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
    map.chunks().forEach(chunk -> {
      tally.add(tally.requested, chunk.requestedBytes());
      tally.add(tally.slack, chunk.inUse() ? chunk.bytes() - chunk.requestedBytes() : 0);
      tally.add(tally.free, chunk.inUse() ? 0 : chunk.bytes());
    });
    return tally.strip();
  }

  /** Bytes of each kind in each column, filled from left to right. */
  private static final class Tally {
    final double[] requested;
    final double[] slack;
    final double[] free;
    private final double columnBytes;
    private long position;

    Tally(double columnBytes, int columns) {
      this.columnBytes = columnBytes;
      requested = new double[columns];
      slack = new double[columns];
      free = new double[columns];
    }

    /** Counts the next {@code bytes} bytes of the pool to {@code kind}. */
    void add(double[] kind, long bytes) {
      double at = (double) position;
      position += bytes;
      for (int column = (int) (at / columnBytes); column < kind.length && at < position; column++) {
        double end = Math.min((double) position, (column + 1) * columnBytes);
        kind[column] += Math.max(0, end - at);
        at = Math.max(at, end);
      }
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
