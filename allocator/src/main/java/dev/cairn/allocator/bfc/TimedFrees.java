package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.SharedCounter;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that are free only after a time: freed while work that uses them may be under way. Such a chunk is in the
 * bins, stamped, and joins its neighbours when the safe frontier has passed its stamp. All but {@link #setSafeFrontier}
 * is called with the lock held.
 */
final class TimedFrees {
  // Implementation note. Stamps grow, so the queue is in the order of time, but for chunks that were merged or cut on
  // the way, which are put where they belong. An entry whose chunk doesn't have its stamp any more counts for nothing:
  // the chunk was granted, or merged with a later one.

  private final BfcHeap heap;
  private final @Nullable SharedCounter clock;
  private final AtomicLong safeFrontier = new AtomicLong();
  private int[] chunk = new int[16];
  private long[] freedAt = new long[16];
  private int from;
  private int to;

  TimedFrees(BfcHeap heap, @Nullable SharedCounter clock) {
    this.heap = heap;
    this.clock = clock;
  }

  /** The stamp of a chunk freed now; 0 where nobody asks for times. Makes room for one more. */
  long stamp() {
    if (clock == null) {
      return 0;
    }
    ensureRoom();
    return clock.next();
  }

  /** Makes sure that two chunks can be added without memory of the heap's. */
  void ensureRoom() {
    if (clock != null && to + 2 > chunk.length) {
      int live = to - from;
      int length = live * 2 > chunk.length ? chunk.length * 2 : chunk.length;
      int[] newChunk = Arrays.copyOf(Arrays.copyOfRange(chunk, from, to), length);
      freedAt = Arrays.copyOf(Arrays.copyOfRange(freedAt, from, to), length);
      chunk = newChunk;
      from = 0;
      to = live;
    }
  }

  /** Lets everything that was freed before {@code time} be used by all; a time before the last one says nothing. */
  void setSafeFrontier(long time) {
    safeFrontier.accumulateAndGet(time, Math::max);
  }

  /** Notes a chunk with a stamp; there is room for it. */
  void add(int added, long stamp) {
    int at = to++;
    for (; at > from && freedAt[at - 1] > stamp; at--) {
      freedAt[at] = freedAt[at - 1];
      chunk[at] = chunk[at - 1];
    }
    freedAt[at] = stamp;
    chunk[at] = added;
  }

  /** Joins all chunks whose time has come with their neighbours. */
  void mergeSafe() {
    if (from != to) {
      mergeBefore(safeFrontier.get());
    }
  }

  /** The same, whether their time has come or not. */
  void mergeAll() {
    mergeBefore(Long.MAX_VALUE);
  }

  private void mergeBefore(long frontier) {
    for (; from < to && freedAt[from] < frontier; from++) {
      int safe = chunk[from];
      if (isAwaited(from)) {
        heap.rouse(safe);
        heap.bins.remove(safe);
        heap.chunks.vacate(safe, 0);
        heap.idle(heap.coalesce(safe));
      }
    }
  }

  /**
   * Joins chunks with their neighbours although their time hasn't come, the oldest first, until one meets the demand:
   * it may serve those who make no demand on time. A chunk so made has the later of its stamps.
   */
  boolean mergeUntil(Demand demand) {
    if (!demand.isAnyTime()) {
      return false;
    }
    for (int entry = from; entry < to; entry++) {
      if (isAwaited(entry) && demand.isMetBy(joined(chunk[entry]), heap.chunks)) {
        return true;
      }
    }
    return false;
  }

  private int joined(int middle) {
    ChunkTable chunks = heap.chunks;
    int next = chunks.next(middle);
    int previous = chunks.previous(middle);
    boolean joinsNext = next != NONE && chunks.isFree(next);
    boolean joinsPrevious = previous != NONE && chunks.isFree(previous);
    if (!joinsNext && !joinsPrevious) {
      return middle;
    }
    int kept = joinsPrevious ? previous : middle;
    long address = chunks.address(kept);
    long bytes = chunks.bytes(middle);
    long stamp = chunks.freedAt(middle);
    heap.bins.remove(middle);
    if (joinsNext) {
      stamp = Math.max(stamp, chunks.freedAt(next));
      bytes += chunks.bytes(next);
      heap.bins.remove(next);
      heap.drop(next);
    }
    if (joinsPrevious) {
      stamp = Math.max(stamp, chunks.freedAt(previous));
      bytes += chunks.bytes(previous);
      heap.bins.remove(previous);
      heap.drop(middle);
    }
    chunks.setRange(kept, address, bytes);
    chunks.vacate(kept, stamp);
    rename(stamp, kept);
    heap.bins.insert(kept);
    heap.idle(kept);
    return kept;
  }

  /** Lets the entry with a stamp be that of the chunk which has the stamp now. */
  private void rename(long stamp, int kept) {
    int first = firstAtLeast(stamp);
    int free = NONE;
    for (int entry = first; entry < to && freedAt[entry] == stamp; entry++) {
      if (chunk[entry] == kept) {
        return;
      }
      free = isAwaited(entry) ? free : entry;
    }
    if (free == NONE) {
      throw new AssertionError("no chunk was stamped so: stamp=%d chunk=%d".formatted(stamp, kept));
    }
    chunk[free] = kept;
  }

  private int firstAtLeast(long stamp) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (freedAt[middle] < stamp) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether the chunk of an entry still has its stamp. */
  private boolean isAwaited(int entry) {
    return heap.chunks.isFree(chunk[entry]) && heap.chunks.freedAt(chunk[entry]) == freedAt[entry];
  }

  /** The chunks that are waited for, the oldest first. */
  int[] awaited() {
    return IntStream.range(from, to).filter(this::isAwaited).map(entry -> chunk[entry]).toArray();
  }

  /** Bytes of those. */
  long heldBytes() {
    long bytes = 0;
    for (int entry = from; entry < to; entry++) {
      bytes += isAwaited(entry) ? heap.chunks.bytes(chunk[entry]) : 0;
    }
    return bytes;
  }

  /** The queue as it is now. */
  TimedFrees copy() {
    TimedFrees copy = new TimedFrees(heap, clock);
    copy.take(this);
    return copy;
  }

  /** Makes the queue what it was. */
  void take(TimedFrees other) {
    chunk = other.chunk.clone();
    freedAt = other.freedAt.clone();
    from = other.from;
    to = other.to;
  }
}
