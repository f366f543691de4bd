package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The chunks that were freed on one stream and wait for it, in the order of their times. All but {@link
 * #setSafeFrontier} is called with the lock held.
 */
final class FreeQueue {
  // Implementation note. Stamps mostly grow. A chunk that was merged or cut, or freed out of order, is put where it
  // belongs. An entry whose chunk does not have its stamp any more counts for nothing: the chunk was granted, or merged
  // with a later one. Such an entry must not come to life when its row gets the same stamp again, by a cut or a merge:
  // then there is another entry for that.

  private final ChunkTable chunks;
  private final AtomicLong safeFrontier = new AtomicLong();
  private int[] chunk = new int[16];
  private long[] freedAt = new long[16];
  private int from;
  private int to;

  FreeQueue(ChunkTable chunks) {
    this.chunks = chunks;
  }

  /** Makes sure that two chunks can be added without memory of the heap's. */
  void ensureRoom() {
    if (to + 2 > chunk.length) {
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

  /** Moves the entries that count to the front: while the frontier stands still, the others would be without end. */
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

  /** Lets everything with an earlier stamp be used by all; a frontier before the last one says nothing. */
  void setSafeFrontier(long stamp) {
    safeFrontier.accumulateAndGet(stamp, Math::max);
  }

  long safeFrontier() {
    return safeFrontier.get();
  }

  boolean isEmpty() {
    return from == to;
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

  /** Removes the first entry that counts if its stamp is before the frontier, and says its chunk. */
  int pollBefore(long frontier) {
    for (; from < to && freedAt[from] < frontier; from++) {
      if (isAwaited(from)) {
        return chunk[from++];
      }
    }
    return NONE;
  }

  /** The stamp of the first entry that counts; 0 when there is none. */
  long firstStamp() {
    while (from < to && !isAwaited(from)) {
      from++;
    }
    return from == to ? 0 : freedAt[from];
  }

  int first() {
    return from;
  }

  int end() {
    return to;
  }

  /** The chunk of an entry that counts; {@link ChunkTable#NONE} for another entry. */
  int awaited(int entry) {
    return isAwaited(entry) ? chunk[entry] : NONE;
  }

  /** Lets the entry of {@code latest} be that of the chunk which has its stamp now. */
  void rename(long stamp, int latest, int kept) {
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
    return chunk[entry] != NONE && chunks.isFree(chunk[entry]) && chunks.freedAt(chunk[entry]) == freedAt[entry];
  }

  /** The chunks that are waited for, the oldest first. */
  IntStream awaited() {
    return IntStream.range(from, to).filter(this::isAwaited).map(entry -> chunk[entry]);
  }

  /** Bytes of those whose time the safe frontier has not passed. */
  long heldBytes() {
    long bytes = 0;
    for (int entry = firstAtLeast(safeFrontier.get()); entry < to; entry++) {
      bytes += isAwaited(entry) ? chunks.bytes(chunk[entry]) : 0;
    }
    return bytes;
  }
}
