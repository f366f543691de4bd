package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.cpu.team.CpuStream.RangeBody;
import dev.cairn.kernels.device.ProcessorWaits;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads of its own that help a caller through one loop at a time.
 *
 * <p>The caller publishes a {@link Loop}; workers and caller take ranges from its counter until none is left, and the
 * caller waits for those still being run. A caller that finds the team busy with another caller's loop runs its own
 * loop alone: callers never wait for one another. Idle workers spin briefly, since the next loop of a network follows
 * within microseconds, and then park. In a team with more threads than processors they park at once, since a thread
 * that spins there keeps another thread of the team from its work. They park at once, too, while {@link ProcessorWaits}
 * finds the threads crowded.
 */
final class WorkerTeam implements LoopTeam {
  private static final int SPINS_BEFORE_PARKING = 20_000;

  private final ProcessorWaits waits = ProcessorWaits.OF_PROCESS;
  private final int spins;
  private final Thread[] workers;
  private final AtomicReference<@Nullable Loop> current = new AtomicReference<>();
  private volatile boolean closed;

  WorkerTeam(int helpers) {
    this(helpers, Thread.ofPlatform().name("cairn-cpu-", 1).daemon().factory());
  }

  /** @param factory makes the threads, which this starts; if one fails to start, the others end */
  WorkerTeam(int helpers, ThreadFactory factory) {
    spins = Loop.fitsProcessors(helpers + 1) ? SPINS_BEFORE_PARKING : 0;
    workers = new Thread[helpers];
    int started = 0;
    try {
      for (; started < helpers; started++) {
        Thread worker = Objects.requireNonNull(factory.newThread(this::help));
        worker.start();
        workers[started] = worker;
      }
    } finally {
      if (started < helpers) {
        close();
      }
    }
  }

  @Override
  public void run(long count, long grain, RangeBody body) {
    if (workers.length == 0 || Loop.isSmall(count, grain)) {
      Loop.alone(count, body);
      return;
    }
    waits.look();
    var loop = Loop.of(count, grain, workers.length + 1, body);
    if (!current.compareAndSet(null, loop)) {
      body.run(0, count);
      return;
    }
    try {
      for (Thread worker : workers) {
        LockSupport.unpark(worker);
      }
      loop.runOnCaller();
    } finally {
      current.set(null);
      // The caller waits even if it failed: helpers may still read and write the loop's tensors.
      loop.awaitHelpers();
    }
    loop.throwFailure();
  }

  private void help() {
    waits.join();
    int idle = 0;
    while (!closed) {
      Loop loop = current.get();
      if (loop != null && loop.help()) {
        idle = 0;
      } else if (++idle < waits.spins(spins)) {
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
      LockSupport.unpark(worker); // null, if it was never started, has no effect
    }
  }
}
