package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trims its upstream periodically on a daemon thread until closed. Thread-safe; a trim delays other calls by at most
 * the time of one {@link Allocator#trim}. It logs the first failed trim of a series and carries on.
 */
public final class TrimmingAllocator extends AllocatorLayer {
  private static final Logger LOG = LoggerFactory.getLogger(TrimmingAllocator.class);

  private final TrimSchedule schedule;
  private final long periodNanos;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long lastTrim;
  private boolean closed;
  private boolean failing;

  /** A layer over {@code upstream}; trimming begins at once. */
  public TrimmingAllocator(Allocator upstream, TrimSchedule schedule) {
    this(upstream, schedule, System::nanoTime);
  }

  /** @param nanoTime the clock that the schedule follows; {@link #clockMoved} must follow when it is set forward */
  TrimmingAllocator(Allocator upstream, TrimSchedule schedule, LongSupplier nanoTime) {
    super(upstream);
    this.schedule = schedule;
    // A period of more than 292 years never ends.
    this.periodNanos = TimeUnit.NANOSECONDS.convert(schedule.period());
    this.nanoTime = nanoTime;
    this.lastTrim = nanoTime.getAsLong();
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

  /** Closes the upstream. Trimming ends, also if that fails, unless blocks are still in use. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = upstream.stats().liveCount() == 0;
      changed.signal();
      upstream.close();
    } finally {
      lock.unlock();
    }
  }

  /** Looks at the clock at once. */
  void clockMoved() {
    lock.lock();
    try {
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        long now = nanoTime.getAsLong();
        long left = periodNanos - (now - lastTrim);
        if (left > 0) {
          pause(left);
        } else {
          lastTrim = now;
          step();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void pause(long nanos) {
    try {
      long _ = changed.awaitNanos(nanos);
    } catch (InterruptedException e) {
      // Nothing interrupts this private thread; the pause continues.
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
