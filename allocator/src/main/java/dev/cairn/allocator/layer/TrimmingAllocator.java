package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trims its upstream periodically on a daemon thread until closed. Thread-safe; a trim delays other calls by at most
 * the time of one {@link Allocator#trim}. It logs the first failed trim of a series and carries on.
 */
public final class TrimmingAllocator extends AllocatorLayer {
  private static final Logger LOG = LoggerFactory.getLogger(TrimmingAllocator.class);

  private final TrimSchedule schedule;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private boolean closed;
  private boolean failing;

  /** A layer over {@code upstream}; trimming begins at once. */
  public TrimmingAllocator(Allocator upstream, TrimSchedule schedule) {
    super(upstream);
    this.schedule = schedule;
    Thread.ofPlatform().daemon().name("cairn-trim-" + upstream.space()).start(this::run);
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    return way.from(upstream, request);
  }

  @Override
  public void free(Block block) {
    upstream.free(block);
  }

  /** Closes the upstream, and ends trimming if that succeeds. */
  @Override
  public void close() {
    lock.lock();
    try {
      upstream.close();
      closed = true;
      ended.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        long left = schedule.period().toNanos();
        while (!closed && left > 0) {
          left = pause(left);
        }
        if (!closed) {
          step();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private long pause(long nanos) {
    try {
      return ended.awaitNanos(nanos);
    } catch (InterruptedException e) {
      return 0; // nobody has a reason to, and trimming a little sooner does no harm
    }
  }

  private void step() {
    try {
      long _ = upstream.trim(schedule.policy());
      failing = false;
    } catch (RuntimeException | Error e) {
      if (!failing) {
        LOG.warn("trimming failed, will try again: space={} policy={}", upstream.space(), schedule.policy(), e);
      }
      failing = true;
    }
  }
}
