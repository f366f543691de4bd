package dev.cairn.allocator.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A pool of whole regions, told plainly: lists and nothing else. It says whether a request is served and by which
 * region; where a new region lies it is told afterwards.
 */
final class NaivePool {
  /** What {@link #allocate} answers when the request can't be met. */
  static final long REFUSED = -1;
  /** What it answers when the request is met by a new region. */
  static final long NEW = -2;

  /** A region: where, how long, and, if idle, when freed by the counter and by the clock. */
  static final class Entry {
    final long regionAddress;
    final long bytes;
    long freedAt;
    long sinceNanos;

    Entry(long regionAddress, long bytes) {
      this.regionAddress = regionAddress;
      this.bytes = bytes;
    }
  }

  private final LongUnaryOperator lengthOf;
  private final long limitBytes;
  private final boolean pools;
  final List<Entry> held = new ArrayList<>();
  final List<Entry> idle = new ArrayList<>();

  NaivePool(LongUnaryOperator lengthOf, long limitBytes, boolean pools) {
    this.lengthOf = lengthOf;
    this.limitBytes = limitBytes;
    this.pools = pools;
  }

  /** The address of the region that serves; {@link #NEW} or {@link #REFUSED}. */
  long allocate(long bytes, long freedBefore) {
    List<Entry> same = idle.stream().filter(entry -> entry.bytes == lengthOf.applyAsLong(bytes)).toList();
    for (Entry entry : same.isEmpty() ? same : List.of(same.getLast(), same.getFirst())) {
      if (freedBefore == 0 || entry.freedAt <= freedBefore) {
        idle.remove(entry);
        entry.freedAt = 0;
        held.add(entry);
        return entry.regionAddress;
      }
    }
    return room(lengthOf.applyAsLong(bytes)) ? NEW : REFUSED;
  }

  /** Whether a region of that length may be taken, after all that is idle went back if need be. */
  boolean room(long bytes) {
    long timed = idle.stream().filter(entry -> entry.freedAt > 0).mapToLong(entry -> entry.bytes).sum();
    if (sum(held) + timed + bytes > limitBytes) {
      return false;
    }
    if (poolBytes() + bytes > limitBytes) {
      idle.removeIf(entry -> entry.freedAt == 0);
    }
    return true;
  }

  void taken(long regionAddress, long bytes) {
    held.add(new Entry(regionAddress, bytes));
  }

  void free(Entry entry, long freedAt, long nowNanos) {
    held.remove(entry);
    if (pools) {
      entry.freedAt = freedAt;
      entry.sinceNanos = nowNanos;
      idle.add(entry);
    }
  }

  void freeDirectly(Entry entry) {
    held.remove(entry);
  }

  void passed(long time) {
    idle.stream().filter(entry -> entry.freedAt < time).forEach(entry -> entry.freedAt = 0);
  }

  long trim(long keepBytes, long idleNanos, long nowNanos) {
    long before = sum(idle);
    while (!idle.isEmpty() && idle.getFirst().freedAt == 0 && sum(idle) - idle.getFirst().bytes >= keepBytes
      && nowNanos - idle.getFirst().sinceNanos >= idleNanos) {
      idle.removeFirst();
    }
    return before - sum(idle);
  }

  long poolBytes() {
    return sum(held) + sum(idle);
  }

  long largestIdle() {
    return idle.stream().mapToLong(entry -> entry.bytes).max().orElse(0);
  }

  static long sum(List<Entry> entries) {
    return entries.stream().mapToLong(entry -> entry.bytes).sum();
  }
}
