package dev.cairn.runtime.engine;

/** Whether an engine takes operations. Thread-safe; who changes it holds the engine's lock for that. */
final class Lifecycle {
  private enum Phase {
    RUNNING,
    STOPPING,
    STOPPED,
    CLOSED
  }

  private volatile Phase phase = Phase.RUNNING;

  boolean isRunning() {
    return phase == Phase.RUNNING;
  }

  /** Whether there is nothing left that runs. */
  boolean isStopped() {
    return phase == Phase.STOPPED || phase == Phase.CLOSED;
  }

  void stopping() {
    phase = Phase.STOPPING;
  }

  void stopped() {
    phase = Phase.STOPPED;
  }

  void closed() {
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
