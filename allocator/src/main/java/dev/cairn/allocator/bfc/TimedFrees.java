package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.StreamProgress;
import dev.cairn.allocator.StreamTime;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that are free only after a time: freed while work on a stream that uses them may be under way. Such a
 * chunk is in the bins, stamped. Requests of its stream can use it at once; it joins its neighbours, and serves all,
 * when the safe frontier of its stream has passed its stamp. All but {@link #setSafeFrontier} is called with the lock
 * held.
 */
final class TimedFrees {
  private final BfcHeap heap;
  private final @Nullable SharedCounter clock;
  private final StreamProgress progress;
  /** By number of stream. The first is there always, so that its frontier can be set without the lock. */
  private FreeQueue[] queues;

  TimedFrees(BfcHeap heap, @Nullable SharedCounter clock, StreamProgress progress) {
    this.heap = heap;
    this.clock = clock;
    this.progress = progress;
    this.queues = new FreeQueue[] {new FreeQueue(heap.chunks)};
  }

  /** The stamp of a chunk freed now on stream 0; 0 where times are not asked for. Makes room for one more. */
  long stamp() {
    return clock == null ? 0 : stamp(0, clock.next());
  }

  /** The stamp of a chunk that a stream may use up to a time of its order. Makes room for one more. */
  long stamp(int stream, long time) {
    long stamp = StreamTime.of(stream, time);
    if (stream >= queues.length) {
      FreeQueue[] more = Arrays.copyOf(queues, Math.max(stream + 1, 2 * queues.length));
      for (int i = queues.length; i < more.length; i++) {
        more[i] = new FreeQueue(heap.chunks);
      }
      queues = more;
    }
    queues[stream].ensureRoom();
    return stamp;
  }

  /** Makes sure that two chunks of that stream can be added without memory of the heap's. */
  void ensureRoom(int stream) {
    if (stream < queues.length) {
      queues[stream].ensureRoom();
    }
  }

  /** Whether chunks may be free for one stream and not for another. */
  boolean hasStreams() {
    return queues.length > 1;
  }

  /** Lets everything that was freed on stream 0 before {@code time} be used by all. */
  void setSafeFrontier(long time) {
    queues[0].setSafeFrontier(time);
  }

  /** Notes a chunk with a stamp; there is room for it. */
  void add(int added, long stamp) {
    queues[StreamTime.stream(stamp)].add(added, stamp);
  }

  /** Joins all chunks whose time has come, as far as that is known, with their neighbours. */
  void mergeSafe() {
    for (FreeQueue queue : queues) {
      if (!queue.isEmpty()) {
        mergeBefore(queue, queue.safeFrontier());
      }
    }
  }

  /** Asks how far the streams have come, and joins all chunks whose time has come with their neighbours. */
  void mergePassed() {
    for (FreeQueue queue : queues) {
      for (long first = queue.firstStamp(); first != 0 && progress.hasPassed(StreamTime.stream(first), StreamTime.time(
        first)); first = queue.firstStamp()) {
        queue.setSafeFrontier(first + 1);
        mergeBefore(queue, first + 1);
      }
    }
  }

  /** Like {@link #mergeSafe}, whether their time has come or not. */
  void mergeAll() {
    for (FreeQueue queue : queues) {
      mergeBefore(queue, Long.MAX_VALUE);
    }
  }

  private void mergeBefore(FreeQueue queue, long frontier) {
    boolean isSome = false;
    for (int safe = queue.pollBefore(frontier); safe != NONE; safe = queue.pollBefore(frontier)) {
      heap.rouse(safe);
      heap.bins.remove(heap.chunks, safe);
      heap.chunks.vacate(safe, 0);
      heap.idle(heap.coalesce(safe));
      isSome = true;
    }
    if (isSome) {
      heap.usage.settle(heap.bins.count());
    }
  }

  /**
   * Joins chunks of the demand's stream with their neighbours although their time hasn't come, the oldest first, until
   * one meets the demand: it may serve those who make no demand on time. A chunk so made has the later of its stamps.
   */
  boolean mergeUntil(Demand demand) {
    if (!demand.isAnyTime() || demand.stream() >= queues.length) {
      return false;
    }
    FreeQueue queue = queues[demand.stream()];
    boolean isMet = false;
    for (int entry = queue.first(); entry < queue.end() && !isMet; entry++) {
      int chunk = queue.awaited(entry);
      isMet = chunk != NONE && demand.isMetBy(joined(queue, chunk), heap.chunks);
    }
    heap.usage.settle(heap.bins.count());
    return isMet;
  }

  /**
   * A chunk of another stream for a demand without a demand on time: the demand's stream comes after that one's use.
   * {@link ChunkTable#NONE} when there is none, or when streams cannot wait for each other.
   */
  int takenOver(Demand demand) {
    if (!demand.isAnyTime()) {
      return NONE;
    }
    int chunk = heap.bins.bestFit(heap.chunks, demand.bytes());
    while (chunk != NONE && !demand.isHeldBy(chunk, heap.chunks)) {
      chunk = heap.bins.after(heap.chunks, chunk);
    }
    if (chunk == NONE) {
      return NONE;
    }
    long freedAt = heap.chunks.freedAt(chunk);
    return progress.comesAfter(demand.stream(), StreamTime.stream(freedAt), StreamTime.time(freedAt)) ? chunk : NONE;
  }

  private int joined(FreeQueue queue, int middle) {
    ChunkTable chunks = heap.chunks;
    int next = chunks.next(middle);
    int previous = chunks.previous(middle);
    long stamp = chunks.freedAt(middle);
    boolean joinsNext = next != NONE && isFreeOn(next, stamp);
    boolean joinsPrevious = previous != NONE && isFreeOn(previous, stamp);
    if (!joinsNext && !joinsPrevious) {
      return middle;
    }
    int kept = joinsPrevious ? previous : middle;
    long address = chunks.address(kept);
    long bytes = chunks.bytes(middle);
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
    queue.rename(stamp, latest, kept);
    heap.bins.insert(heap.chunks, kept);
    heap.idle(kept);
    return kept;
  }

  /** Whether a chunk is free for all, or for the stream of the stamp. */
  private boolean isFreeOn(int chunk, long stamp) {
    return heap.chunks.isFree(chunk) && (heap.chunks.freedAt(chunk) == 0
      || StreamTime.stream(heap.chunks.freedAt(chunk)) == StreamTime.stream(stamp));
  }

  /** The chunks that are waited for. */
  int[] awaited() {
    return Stream.of(queues).flatMapToInt(FreeQueue::awaited).toArray();
  }

  /** Bytes of those whose time the safe frontier of their stream has not passed. */
  long heldBytes() {
    return Stream.of(queues).mapToLong(FreeQueue::heldBytes).sum();
  }
}
