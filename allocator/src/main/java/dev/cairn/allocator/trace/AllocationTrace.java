package dev.cairn.allocator.trace;

import java.util.Arrays;

/**
 * The requests to an allocator, in their order. Blocks are numbered from 0; each is granted once, and freed at most
 * once, later. Immutable, and safe for use by many threads. Ten million events take about 80 MB.
 */
public final class AllocationTrace {
  /** An event is the block that it grants, or the complement of the one that it frees. */
  private final int[] events;
  private final long[] bytes;
  private final TraceNotes notes;
  private final long peakLiveBytes;
  private final int peakEvent;
  private final int grants;

  /** Made by {@link TraceBuilder}, which has checked the order; keeps the arrays. */
  AllocationTrace(int[] events, long[] bytes, TraceNotes notes) {
    this.events = events;
    this.bytes = bytes;
    this.notes = notes;
    long live = 0;
    long peak = 0;
    int at = 0;
    int granted = 0;
    for (int i = 0; i < events.length; i++) {
      if (isGrant(i)) {
        granted++;
        live += bytes[block(i)];
        if (live < 0) {
          throw new IllegalArgumentException("more bytes live at once than a long holds: event=" + i);
        }
        if (live > peak) {
          peak = live;
          at = i;
        }
      } else {
        live -= bytes[block(i)];
      }
    }
    this.peakLiveBytes = peak;
    this.peakEvent = at;
    this.grants = granted;
  }

  /** How many grants and frees there are. */
  public int eventCount() {
    return events.length;
  }

  /** How many blocks there are. */
  public int blockCount() {
    return bytes.length;
  }

  /** Whether an event grants its block, and does not free it. */
  public boolean isGrant(int event) {
    return events[event] >= 0;
  }

  /** Which block an event is about. */
  public int block(int event) {
    int word = events[event];
    return word ^ (word >> 31);
  }

  /** Bytes asked for, positive. */
  public long bytesOf(int block) {
    return bytes[block];
  }

  /** The most bytes, as asked for, that are live at one time: no allocator can do with less. */
  public long peakLiveBytes() {
    return peakLiveBytes;
  }

  /** The grant that first reaches {@link #peakLiveBytes}; 0 where there is none. */
  public int peakEvent() {
    return peakEvent;
  }

  /** How many blocks are never freed. */
  public int neverFreed() {
    return 2 * grants - events.length;
  }

  /** Notes of the reader beside the events. */
  public TraceNotes notes() {
    return notes;
  }

  /**
   * The same with every size {@code factor} times as large, for formats that count in other units than bytes.
   *
   * @throws IllegalArgumentException when the factor is not positive, or a size or the peak is too large for a long
   */
  public AllocationTrace scaled(long factor) {
    if (factor <= 0) {
      throw new IllegalArgumentException("factor must be positive: factor=" + factor);
    }
    long[] scaled = bytes.clone();
    for (int block = 0; block < scaled.length; block++) {
      if (scaled[block] > Long.MAX_VALUE / factor) {
        throw new IllegalArgumentException("size is too large to be scaled: block=%d bytes=%d factor=%d".formatted(
          block, scaled[block], factor));
      }
      scaled[block] *= factor;
    }
    return factor == 1 ? this : new AllocationTrace(events, scaled, notes);
  }

  /** Whether the other has the same events and sizes; notes don't count. */
  @Override
  public boolean equals(Object other) {
    return other instanceof AllocationTrace that && Arrays.equals(events, that.events)
      && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(events) + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "trace events=%d blocks=%d peakLiveBytes=%d neverFreed=%d".formatted(events.length, bytes.length,
      peakLiveBytes, neverFreed());
  }
}
