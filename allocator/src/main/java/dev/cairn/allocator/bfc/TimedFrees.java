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
  // the chunk was granted, or merged with a later one. Such an entry must stay invalid when its row gets the same stamp
  // again by a cut or a merge, since that adds another entry.

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

  /** The stamp of a chunk freed now; 0 where times are not asked for. Makes room for one more. */
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
      if (awaitedCount() * 2 > chunk.length) {
        int[] newChunk = Arrays.copyOf(chunk, chunk.length * 2);
        freedAt = Arrays.copyOf(freedAt, chunk.length * 2);
        chunk = newChunk;
      }
      forgetOthers();
    }
  }

  private int awaitedCount() {
    int count = 0;
    for (int entry = from; entry < to; entry++) {
      count += isAwaited(entry) ? 1 : 0;
    }
    return count;
  }

  /** Moves the entries that count to the front: where the frontier stands still, the others would be without end. */
  private void forgetOthers() {
    int end = 0;
    for (int entry = from; entry < to; entry++) {
      if (isAwaited(entry)) {
        chunk[end] = chunk[entry];
        freedAt[end++] = freedAt[entry];
      }
    }
    from = 0;
    to = end;
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
    for (int same = at - 1; same >= from && freedAt[same] == stamp; same--) {
      chunk[same] = chunk[same] == added ? NONE : chunk[same];
    }
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
    int first = from;
    for (; from < to && freedAt[from] < frontier; from++) {
      int safe = chunk[from];
      if (isAwaited(from)) {
        heap.rouse(safe);
        heap.bins.remove(heap.chunks, safe);
        heap.chunks.vacate(safe, 0);
        heap.idle(heap.coalesce(safe));
      }
    }
    if (from > first) {
      heap.usage.settle(heap.bins.count());
    }
  }

  /**
   * Joins chunks with their neighbours although their time hasn't come, the oldest first, until one meets the demand:
   * it may serve requests without a demand on time. A chunk so made has the later of its stamps.
   */
  boolean mergeUntil(Demand demand) {
    if (!demand.isAnyTime()) {
      return false;
    }
    boolean isMet = false;
    for (int entry = from; entry < to && !isMet; entry++) {
      isMet = isAwaited(entry) && demand.isMetBy(joined(chunk[entry]), heap.chunks);
    }
    heap.usage.settle(heap.bins.count());
    return isMet;
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
    int latest = middle;
    heap.bins.remove(heap.chunks, middle);
    if (joinsNext) {
      latest = chunks.freedAt(next) > stamp ? next : latest;
      stamp = Math.max(stamp, chunks.freedAt(next));
      bytes += chunks.bytes(next);
      heap.bins.remove(heap.chunks, next);
      heap.drop(next);
    }
    if (joinsPrevious) {
      latest = chunks.freedAt(previous) >= stamp ? previous : latest;
      stamp = Math.max(stamp, chunks.freedAt(previous));
      bytes += chunks.bytes(previous);
      heap.bins.remove(heap.chunks, previous);
      heap.drop(middle);
    }
    chunks.setRange(kept, address, bytes);
    chunks.vacate(kept, stamp);
    rename(stamp, latest, kept);
    heap.bins.insert(heap.chunks, kept);
    heap.idle(kept);
    return kept;
  }

  /** Lets the entry of {@code latest} be that of the chunk which has its stamp now. */
  private void rename(long stamp, int latest, int kept) {
    for (int entry = firstAtLeast(stamp); entry < to && freedAt[entry] == stamp; entry++) {
      if (chunk[entry] == latest) {
        chunk[entry] = kept;
      } else if (chunk[entry] == kept) {
        chunk[entry] = NONE;
      }
    }
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
    return chunk[entry] != NONE && heap.chunks.isFree(chunk[entry])
      && heap.chunks.freedAt(chunk[entry]) == freedAt[entry];
  }

  /** The chunks that are waited for, the oldest first. */
  int[] awaited() {
    return IntStream.range(from, to).filter(this::isAwaited).map(entry -> chunk[entry]).toArray();
  }

  /** Bytes of those whose time the safe frontier has not passed. */
  long heldBytes() {
    long bytes = 0;
    for (int entry = firstAtLeast(safeFrontier.get()); entry < to; entry++) {
      bytes += isAwaited(entry) ? heap.chunks.bytes(chunk[entry]) : 0;
    }
    return bytes;
  }
}
