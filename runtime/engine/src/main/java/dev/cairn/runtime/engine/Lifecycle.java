package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;

/** Whether an engine takes operations. Thread-safe; a thread that changes it holds the engine's lock. */
final class Lifecycle {
  private enum Phase {
    RUNNING,
    STOPPING,
    ENDING,
    STOPPED,
    CLOSED
  }

  private volatile Phase phase = Phase.RUNNING;

  boolean isRunning() {
    return phase == Phase.RUNNING;
  }

  /**
   * Where it is not running: what it takes all the same while it stops. That is what the operations that it waits for
   * push, and every delete, which may come from asynchronous work that it waits for.
   */
  boolean stillTakes(Operation operation, boolean isInside) {
    return switch (phase) {
      case RUNNING -> true;
      case STOPPING -> isInside || operation.property() == FunctionProperty.DELETE;
      case ENDING -> isInside;
      case STOPPED, CLOSED -> false;
    };
  }

  /** Whether there is nothing left that runs. */
  boolean isStopped() {
    return phase == Phase.STOPPED || phase == Phase.CLOSED;
  }

  /** Runs work in a stopped engine, which stays stopped meanwhile. Returns whether it ran: not in any other engine. */
  boolean runStopped(Runnable work) {
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

  void stopping() {
    phase = Phase.STOPPING;
  }

  /** Nothing ran when it was asked; what was begun before this must be waited for again. */
  void ending() {
    phase = Phase.ENDING;
  }

  void stopped() {
    phase = Phase.STOPPED;
  }

  synchronized void closed() {
    phase = Phase.CLOSED;
  }

  void running() {
    if (phase == Phase.CLOSED) {
      throw new IllegalStateException("the engine is closed");
    }
    phase = Phase.RUNNING;
  }

  IllegalStateException refusal(Operation operation) {
    return new IllegalStateException("the engine is %s: operation=%s".formatted(phase == Phase.CLOSED
      ? "closed"
      : "stopped", operation.name()));
  }
}
