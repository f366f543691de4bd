package dev.cairn.runtime.ndarray.call;

import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.ndarray.memory.ArrayEngine;
import java.util.concurrent.CompletableFuture;

/**
 * Something besides arrays that functions use, such as a model with variables: functions that change it run one after
 * the other, in the order of their calls. Thread-safe.
 */
public final class CallOrder implements AutoCloseable {
  private final ArrayEngine runtime;
  private final String name;
  private final Variable variable;
  private volatile boolean closed;

  /** @throws IllegalStateException when the runtime is closed */
  public CallOrder(ArrayEngine runtime, String name) {
    runtime.require("order");
    this.runtime = runtime;
    this.name = name;
    this.variable = runtime.engine().newVariable(name);
  }

  Variable variable() {
    return variable;
  }

  /** The error for a call that was refused. */
  IllegalStateException refused(IllegalStateException refusal) {
    return closed ? new IllegalStateException("already closed: " + name, refusal) : refusal;
  }

  /** Whether the runtime is closed, so that all calls have ended and none can follow. */
  boolean isOver() {
    return runtime.hasEnded();
  }

  /** @throws IllegalStateException inside an operation or access, where {@link #close} must not wait */
  void requireOutside() {
    runtime.requireOutside("close of " + name);
  }

  /** Waits for all calls of this order so far, and refuses later ones. */
  @Override
  public void close() {
    if (isOver() || closed) {
      return;
    }
    requireOutside();
    closed = true;
    var ended = new CompletableFuture<Boolean>();
    runtime.engine().deleteVariable(variable, () -> ended.complete(true));
    // An interrupt does not end this wait.
    ended.join();
  }
}
