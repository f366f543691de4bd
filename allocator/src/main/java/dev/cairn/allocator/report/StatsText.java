package dev.cairn.allocator.report;

import dev.cairn.allocator.AllocatorStats;
import java.util.Locale;

/** Formats allocator statistics as text. */
public final class StatsText {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private StatsText() {}

  /** Five lines, and a sixth if blocks moved, without a trailing newline. */
  public static String of(AllocatorStats stats) {
    String limit = stats.limitBytes() == Long.MAX_VALUE ? "no limit" : "limit " + bytes(stats.limitBytes());
    String moved = stats.movedBytes() == 0 ? "" : "\nmoved     " + bytes(stats.movedBytes());
    return String.format(Locale.ROOT, """
      in use    %s in %d blocks (%s asked for, %s slack)
      peak      %s in use, %s reserved
      reserved  %s (%s)
      free      %s, largest chunk %s, fragmentation %.1f %%
      granted   %d blocks since the start, largest %s""", bytes(stats.bytesInUse()), stats.liveCount(),
      bytes(stats.requestedBytesInUse()), bytes(stats.slackBytes()), bytes(stats.peakBytesInUse()),
      bytes(stats.peakPoolBytes()), bytes(stats.poolBytes()), limit, bytes(stats.freeBytes()),
      bytes(stats.largestFreeBytes()), 100 * stats.fragmentation(), stats.allocationCount(),
      bytes(stats.largestBytes())) + moved;
  }

  /** A number of bytes in the largest unit that it reaches: {@code 0 B}, {@code 1.5 KiB}, {@code 12.0 GiB}. */
  public static String bytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=" + bytes);
    }
    int unit = bytes < 1024 ? 0 : (Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10;
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", bytes / Math.pow(1024, unit), UNITS[unit]);
  }
}
