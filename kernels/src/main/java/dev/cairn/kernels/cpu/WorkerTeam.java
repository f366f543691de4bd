package dev.cairn.kernels.cpu;

import dev.cairn.kernels.cpu.CpuStream.RangeBody;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that help a caller through one loop at a time.
 *
 * <p>The caller publishes a {@link Loop}; workers and caller take ranges from its counter until none is left, and the
 * caller waits for those still being run. A caller that finds the team busy with another caller's loop runs its own
 * loop alone: callers never wait for one another. Idle workers spin briefly, since the next loop of a network follows
 * within microseconds, and then park.
 */
final class WorkerTeam implements AutoCloseable {
  private static final int SPINS_BEFORE_PARKING = 20_000;

  private final Thread[] workers;
  private final AtomicReference<@Nullable Loop> current = new AtomicReference<>();
  private volatile boolean closed;

  WorkerTeam(int helpers) {
    workers = new Thread[helpers];
    for (int i = 0; i < helpers; i++) {
      workers[i] = Thread.ofPlatform().name("cairn-cpu-" + (i + 1)).daemon().start(this::help);
    }
  }

  void run(long count, long grain, RangeBody body) {
    if (count <= 0) {
      return;
    }
    long least = Math.max(1, grain);
    if (workers.length == 0 || count <= least) {
      body.run(0, count);
      return;
    }
    var loop = new Loop(count, chunk(count, least), body);
    if (!current.compareAndSet(null, loop)) {
      body.run(0, count);
      return;
    }
    try {
      for (Thread worker : workers) {
        LockSupport.unpark(worker);
      }
      loop.takePart();
    } finally {
      current.set(null);
    }
    loop.awaitOthers();
  }

  /** About four ranges a thread, so that a slow thread does not hold up the rest. */
  private long chunk(long count, long least) {
    return Math.max(least, Math.ceilDiv(count, 4L * (workers.length + 1)));
  }

  private void help() {
    int idle = 0;
    while (!closed) {
      Loop loop = current.get();
      if (loop != null && loop.takePart()) {
        idle = 0;
      } else if (++idle < SPINS_BEFORE_PARKING) {
        Thread.onSpinWait();
      } else {
        LockSupport.park(this);
        idle = 0;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Thread worker : workers) {
      LockSupport.unpark(worker);
    }
  }

  /** One loop under way. A range is counted as begun when it is taken and as ended when its body returned or threw. */
  private static final class Loop {
    private final long count;
    private final long chunk;
    private final RangeBody body;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Loop(long count, long chunk, RangeBody body) {
      this.count = count;
      this.chunk = chunk;
      this.body = body;
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
}
