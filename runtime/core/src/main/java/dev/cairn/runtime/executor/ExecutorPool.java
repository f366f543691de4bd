package dev.cairn.runtime.executor;

import dev.cairn.allocator.OutOfMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The executors of one compiled graph. A run takes an idle one; when there is none and memory allows, another is made;
 * else the run waits until one is given back. So any number of threads may run one model, and never take more memory
 * than the limit. Thread-safe; owns its executors.
 */
public final class ExecutorPool implements AutoCloseable {
  private final Supplier<StaticExecutor> maker;
  private final int most;
  private final Lock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();
  private final Deque<StaticExecutor> idle = new ArrayDeque<>();
  private int made;

  /**
   * @param maker makes one more executor, or throws {@link OutOfMemory} and takes nothing
   * @param most how many there may be, at least 1
   */
  public ExecutorPool(Supplier<StaticExecutor> maker, int most) {
    this.maker = maker;
    this.most = most;
  }

  /**
   * An executor that is the caller's until given back.
   *
   * @throws OutOfMemory when not even one fits
   */
  public StaticExecutor take() {
    lock.lock();
    try {
      while (idle.isEmpty()) {
        if (made < most && makeAnother()) {
          break;
        }
        returned.awaitUninterruptibly();
      }
      return idle.pop();
    } finally {
      lock.unlock();
    }
  }

  /** True when another was made; false when it did not fit and there are others to wait for. */
  private boolean makeAnother() {
    try {
      idle.push(maker.get());
      made++;
      return true;
    } catch (OutOfMemory e) {
      if (made == 0) {
        throw e;
      }
      return false;
    }
  }

  public void giveBack(StaticExecutor executor) {
    lock.lock();
    try {
      idle.push(executor);
      returned.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the executors; all must have been given back. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (idle.size() != made) {
        throw new IllegalStateException("executors are in use: made=%d idle=%d".formatted(made, idle.size()));
      }
      idle.forEach(StaticExecutor::close);
      idle.clear();
      made = 0;
    } finally {
      lock.unlock();
    }
  }
}
