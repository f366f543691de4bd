package dev.cairn.kernels.cpu;

import dev.cairn.kernels.cpu.CpuStream.RangeBody;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One loop under way. A range is counted as begun when it is taken and as ended when its body returned or threw. */
final class Loop {
  private final long count;
  private final long chunk;
  private final RangeBody body;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Loop(long count, long chunk, RangeBody body) {
    this.count = count;
    this.chunk = chunk;
    this.body = body;
  }

  /** Whether a loop fits into one grain. */
  static boolean isSmall(long count, long grain) {
    return count <= Math.max(1, grain);
  }

  /** Runs a loop on the caller alone. */
  static void alone(long count, RangeBody body) {
    if (count > 0) {
      body.run(0, count);
    }
  }

  /** With about four ranges a thread, so that a slow thread does not hold up the rest. */
  static Loop of(long count, long grain, int threads, RangeBody body) {
    return new Loop(count, Math.max(Math.max(1, grain), Math.ceilDiv(count, 4L * threads)), body);
  }

  /** Runs ranges until none is left; false when there was none to begin with. */
  boolean takePart() {
    boolean any = false;
    for (long first = take(); first < count; first = take()) {
      any = true;
      long end = first + Math.min(chunk, count - first);
      try {
        body.run(first, end);
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      } finally {
        ended.addAndGet(end - first);
      }
    }
    return any;
  }

  /** The first index of the next range; {@code count} when none is left, however often that is asked. */
  private long take() {
    return next.getAndUpdate(taken -> taken + Math.min(chunk, count - taken));
  }

  void awaitOthers() {
    int spins = 0;
    while (ended.get() < count) {
      if (++spins < 1_000_000) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, 20_000);
      }
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new AssertionError("a range body cannot throw this", e);
    }
  }
}
