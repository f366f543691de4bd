package dev.cairn.runtime.executor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * The executors of one compiled graph: idle ones, which the next runs take, and those in use. Waits for nothing.
 * Thread-safe; owns its executors.
 */
public final class ExecutorPool implements AutoCloseable {
  private final Supplier<StaticExecutor> maker;
  private final Deque<StaticExecutor> idle = new ArrayDeque<>();
  private int made;

  /** @param maker makes one more executor, or throws {@link dev.cairn.allocator.OutOfMemory} and takes nothing */
  public ExecutorPool(Supplier<StaticExecutor> maker) {
    this.maker = maker;
  }

  /**
   * An idle executor, or a new one; the caller's until {@link #giveBack}.
   *
   * @throws dev.cairn.allocator.OutOfMemory when there is no memory for a new one
   */
  public synchronized StaticExecutor take() {
    if (idle.isEmpty()) {
      idle.push(maker.get());
      made++;
    }
    return idle.pop();
  }

  /** Ends the right to use an executor, or one within it; it no longer keeps the run's inputs alive. */
  public void giveBack(StaticExecutor executor) {
    executor.releaseTensors();
    putBack(executor.owner());
  }

  private synchronized void putBack(StaticExecutor executor) {
    idle.push(executor);
  }

  /** Closes the idle executors, for when memory is short. Returns true when none is left: no run uses any. */
  public synchronized boolean closeIdle() {
    while (!idle.isEmpty()) {
      made--;
      idle.pop().close();
    }
    return made == 0;
  }

  /** Closes the executors; all must have been given back. */
  @Override
  public synchronized void close() {
    if (!closeIdle()) {
      throw new IllegalStateException("executors are in use: made=" + made);
    }
  }
}
