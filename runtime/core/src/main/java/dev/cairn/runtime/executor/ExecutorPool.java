package dev.cairn.runtime.executor;

import dev.cairn.allocator.OutOfMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The executors of one compiled graph, and who may run. A run is admitted when it has an executor and the memory of its
 * results. It takes an idle executor; when there is none and memory allows, another is made; else it waits until one is
 * given back. So any number of threads may run one model, never take more memory than the limit, and never fail because
 * of each other. Thread-safe; owns its executors.
 */
public final class ExecutorPool implements AutoCloseable {
  private final Supplier<StaticExecutor> maker;
  private final int most;
  private final Lock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();
  private final Deque<StaticExecutor> idle = new ArrayDeque<>();
  private int made;

  /** The right to run once: an executor, to be given back, and memory for the results, which the caller keeps. */
  public record Admission<R>(StaticExecutor executor, R results) {}

  /**
   * @param maker makes one more executor, or throws {@link OutOfMemory} and takes nothing
   * @param most how many executors there may be, at least 1
   */
  public ExecutorPool(Supplier<StaticExecutor> maker, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("a pool without executors: most=" + most);
    }
    this.maker = maker;
    this.most = most;
  }

  /**
   * Admits the caller, perhaps after waiting for other runs to end.
   *
   * @param <R> what holds the memory of one run's results
   * @param results takes that memory, or throws {@link OutOfMemory} and takes nothing
   * @throws OutOfMemory when there is too little memory even while no other run of this pool is under way
   * @throws RunStopped when the limit is reached before
   */
  public <R> Admission<R> admit(Supplier<R> results, RunLimit limit) {
    limit.lock(lock);
    try {
      while (true) {
        StaticExecutor executor = takeExecutor(limit);
        try {
          return new Admission<>(executor, results.get());
        } catch (OutOfMemory e) {
          idle.push(executor);
          if (!closeOneIdle()) {
            if (made == idle.size()) {
              throw e;
            }
            limit.await(returned);
          }
        } catch (RuntimeException | Error e) {
          giveBack(executor);
          throw e;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private StaticExecutor takeExecutor(RunLimit limit) {
    while (idle.isEmpty()) {
      if (made == most || !makeAnother()) {
        limit.await(returned);
      }
    }
    return idle.pop();
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

  /** For results that did not fit: gives up an executor that nobody needs now, if there is more than one. */
  private boolean closeOneIdle() {
    if (idle.size() < 2) {
      return false;
    }
    idle.removeLast().close();
    made--;
    return true;
  }

  /** Makes sure that there is an executor, so that the first run need not wait for it. */
  public void prepare() {
    lock.lock();
    try {
      idle.push(takeExecutor(RunLimit.NONE));
    } finally {
      lock.unlock();
    }
  }

  /** Ends the right to use an executor, or one within it; it no longer keeps the run's inputs alive. */
  public void giveBack(StaticExecutor executor) {
    executor.releaseTensors();
    lock.lock();
    try {
      idle.push(executor.owner());
      returned.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the executors that nobody uses now, for when memory is short. */
  public void closeIdle() {
    lock.lock();
    try {
      made -= idle.size();
      idle.forEach(StaticExecutor::close);
      idle.clear();
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
