package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;

/** Whether an engine takes operations. Thread-safe; a thread that changes it holds the engine's lock. */
public final class Lifecycle {
  private enum Phase {
    RUNNING,
    STOPPING,
    ENDING,
    STOPPED,
    CLOSED
  }

  private volatile Phase phase = Phase.RUNNING;

  /** Whether it takes every operation. */
  public boolean isRunning() {
    return phase == Phase.RUNNING;
  }

  /**
   * Where it is not running: what it takes all the same while it stops. That is what the operations that it waits for
   * push, and every delete, which may come from asynchronous work that it waits for.
   */
  public boolean stillTakes(Operation operation, boolean isInside) {
    return switch (phase) {
      case RUNNING -> true;
      case STOPPING -> isInside || operation.property() == FunctionProperty.DELETE;
      case ENDING -> isInside;
      case STOPPED, CLOSED -> false;
    };
  }

  /** Whether there is nothing left that runs. */
  public boolean isStopped() {
    return phase == Phase.STOPPED || phase == Phase.CLOSED;
  }

  /** Runs work in a stopped engine, which stays stopped meanwhile. Returns whether it ran: not in any other engine. */
  public boolean runStopped(Runnable work) {
    if (!isStopped()) {
      // This must not wait for the lock: a stop may hold it, and wait for an operation that this thread is to end.
      return false;
    }
    synchronized (this) {
      if (!isStopped()) {
        return false;
      }
      work.run();
      return true;
    }
  }

  /** From now on it takes only what it waits for. */
  public void stopping() {
    phase = Phase.STOPPING;
  }

  /** Nothing ran when it was asked; what was begun before this must be waited for again. */
  public void ending() {
    phase = Phase.ENDING;
  }

  /** Nothing runs any more. */
  public void stopped() {
    phase = Phase.STOPPED;
  }

  /** It never runs again. */
  public synchronized void closed() {
    phase = Phase.CLOSED;
  }

  /** It takes operations again. @throws IllegalStateException when it is closed */
  public void running() {
    if (phase == Phase.CLOSED) {
      throw new IllegalStateException("the engine is closed");
    }
    phase = Phase.RUNNING;
  }

  /** For an operation that it does not take. */
  public IllegalStateException refusal(Operation operation) {
    return new IllegalStateException("the engine is %s: operation=%s".formatted(phase == Phase.CLOSED
      ? "closed"
      : "stopped", operation.name()));
  }
}
