package dev.cairn.runtime.executor;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.kernels.device.Stream;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Tells an allocator how far the streams that use its memory have come. A block is freed, and stamped with a time, as
 * soon as its last use is queued; whoever wants no wait for that work asks for memory freed before the safe frontier,
 * which this moves on: to the time of a {@link #mark} when all streams have passed it. Never waits. Safe for use by
 * many threads, but {@link #mark} is called by the thread that gives the streams their work.
 */
public final class StreamFrontier {
  private final BfcAllocator allocator;
  private final SharedCounter clock;
  private final List<Stream> streams;
  private final ArrayDeque<Moment> waiting = new ArrayDeque<>();

  private record Moment(long time, List<Long> marks) {}

  /**
   * For an allocator whose frees are stamped.
   *
   * @param clock the one that stamps them
   * @param streams all whose work uses the allocator's memory
   */
  public StreamFrontier(BfcAllocator allocator, SharedCounter clock, List<? extends Stream> streams) {
    this.allocator = allocator;
    this.clock = clock;
    this.streams = List.copyOf(streams);
  }

  /** Marks all streams: what was freed until now may be used by all once they have passed here. */
  public synchronized void mark() {
    // Before the marks: what another thread frees meanwhile is stamped later, and waits for the next moment.
    long time = clock.next();
    waiting.add(new Moment(time, streams.stream().map(Stream::record).toList()));
    advance();
  }

  /** Moves the frontier over all moments that the streams have passed. */
  public synchronized void advance() {
    long safe = 0;
    while (!waiting.isEmpty() && isPassed(waiting.peekFirst())) {
      safe = waiting.removeFirst().time();
    }
    if (safe > 0) {
      allocator.setSafeFrontier(safe);
    }
  }

  private boolean isPassed(Moment moment) {
    for (int i = 0; i < streams.size(); i++) {
      if (!streams.get(i).hasPassed(moment.marks().get(i))) {
        return false;
      }
    }
    return true;
  }
}
