package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.cpu.team.CpuStream.RangeBody;
import dev.cairn.kernels.device.ProcessorWaits;
import dev.cairn.kernels.device.Rethrown;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One loop under way. Its caller and helpers take ranges until none is left. A body may throw anything: the loop keeps
 * one failure for the caller, and the thread goes on with the next range.
 *
 * <p>Taking and counting a range allocates nothing, so no OutOfMemoryError leaves a taken range uncounted.
 */
final class Loop {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int SPINS_BEFORE_PARKING = 1_000_000;
  /** With more threads than processors the caller spins briefly, since a helper may need its processor. */
  private static final int SPINS_AMONG_MANY = 1_000;

  private final Thread caller = Thread.currentThread();
  private final int spins;
  private final long count;
  private final long chunk;
  private final RangeBody body;
  private final AtomicLong next = new AtomicLong();
  /** Indexes of ranges that helpers took and that have ended. */
  private final AtomicLong ended = new AtomicLong();
  /** Indexes that the caller took. Only the caller's thread reads and writes this. */
  private long ofCaller;
  /** How many indexes must have ended before a sleeping caller is woken. */
  private volatile long wakesAt = Long.MAX_VALUE;
  private volatile @Nullable Throwable failure;

  /**
   * A loop of the calling thread's.
   *
   * @param spins how often the caller looks for its helpers before it sleeps
   * @param chunk the length of a range
   */
  Loop(int spins, long count, long chunk, RangeBody body) {
    this.spins = spins;
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

  /** Whether each of so many threads may have a processor to itself. */
  static boolean fitsProcessors(int threads) {
    return threads <= PROCESSORS;
  }

  /** A loop with about four ranges per thread, so that a slow thread does not delay the rest. */
  static Loop of(long count, long grain, int threads, RangeBody body) {
    int spins = ProcessorWaits.OF_PROCESS.spins(fitsProcessors(threads) ? SPINS_BEFORE_PARKING : SPINS_AMONG_MANY);
    return new Loop(spins, count, Math.max(Math.max(1, grain), Math.ceilDiv(count, 4L * threads)), body);
  }

  /** Runs ranges on a thread that is not the caller's until none is left; false when there was none to begin with. */
  boolean help() {
    boolean any = false;
    for (long first = take(); first < count; first = take()) {
      any = true;
      long length = Math.min(chunk, count - first);
      run(first, length);
      // The caller writes wakesAt before it reads the count, and this thread does both in the opposite order, so one of
      // them sees the other.
      if (ended.addAndGet(length) >= wakesAt) {
        LockSupport.unpark(caller);
      }
    }
    return any;
  }

  /** Runs ranges on the caller until none is left. {@link #awaitHelpers} must follow, whatever this throws. */
  void runOnCaller() {
    for (long first = take(); first < count; first = take()) {
      // There is no call before the range is counted, since a call might overflow the caller's stack.
      long length = count - first < chunk ? count - first : chunk;
      ofCaller += length;
      run(first, length);
    }
  }

  @SuppressWarnings("CatchingUnchecked") // code in other JVM languages may throw any exception
  private void run(long first, long length) {
    try {
      body.run(first, first + length);
    } catch (Throwable e) {
      if (failure == null) {
        failure = e;
      }
    }
  }

  /** The first index of the next range; {@code count} when none is left, however often that is asked. */
  private long take() {
    long first = next.get();
    while (first < count && !next.compareAndSet(first, first + Math.min(chunk, count - first))) {
      first = next.get();
    }
    return first;
  }

  /**
   * For the caller: no range is taken from now on. All ranges that helpers took have ended when this returns, and the
   * caller sees what they wrote.
   */
  void awaitHelpers() {
    long ofHelpers = next.getAndSet(count) - ofCaller;
    for (int spun = 0; ended.get() < ofHelpers; spun++) {
      if (spun == spins) {
        sleepUntil(ofHelpers);
        return;
      }
      Thread.onSpinWait();
    }
  }

  private void sleepUntil(long ofHelpers) {
    wakesAt = ofHelpers;
    boolean interrupted = false;
    while (ended.get() < ofHelpers) {
      LockSupport.park(this);
      // An interrupted thread never sleeps.
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      caller.interrupt();
    }
  }

  /** Throws a failure of a body, if there was one. */
  void throwFailure() {
    Throwable failed = failure;
    if (failed != null) {
      throw Rethrown.asItIs(failed);
    }
  }
}
