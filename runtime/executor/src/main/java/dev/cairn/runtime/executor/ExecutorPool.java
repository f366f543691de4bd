package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Closing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The executors of one compiled graph: idle ones, which the next runs take, and those in use. Waits for nothing.
 * Thread-safe; owns its executors.
 */
public final class ExecutorPool implements AutoCloseable {
  private final Deque<StaticExecutor> idle = new ArrayDeque<>();
  private final Set<StaticExecutor> inUse = new HashSet<>();

  /** An idle executor, which is the caller's until {@link #giveBack}; null when there is none. */
  public synchronized @Nullable StaticExecutor take() {
    StaticExecutor taken = idle.poll();
    if (taken != null) {
      inUse.add(taken);
    }
    return taken;
  }

  /** Adds a new executor, which is the caller's until {@link #giveBack}. */
  public synchronized void add(StaticExecutor executor) {
    inUse.add(executor);
  }

  /** Ends the right to use an executor, or one within it; it no longer keeps the run's inputs alive. */
  public void giveBack(StaticExecutor executor) {
    executor.releaseTensors();
    putBack(executor.owner());
  }

  private synchronized void putBack(StaticExecutor executor) {
    inUse.remove(executor);
    idle.push(executor);
  }

  /** Closes the idle executors, for when memory is short. Returns true when none is left: no run uses any. */
  public synchronized boolean closeIdle() {
    var closing = new Closing();
    while (!idle.isEmpty()) {
      closing.end(idle.pop()::close);
    }
    closing.throwFailure();
    return inUse.isEmpty();
  }

  /** Closes the executors; all must have been given back. */
  @Override
  public synchronized void close() {
    if (!closeIdle()) {
      throw new IllegalStateException("executors are in use: made=" + inUse.size());
    }
  }
}
