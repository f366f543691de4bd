package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.failure.Failures;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.queue.Variables;
import dev.cairn.runtime.engine.worker.Lifecycle;
import dev.cairn.runtime.engine.worker.OperationDepth;
import dev.cairn.runtime.engine.worker.OperationRunner;
import dev.cairn.runtime.engine.worker.PushCounter;

/** What all kinds of engines have: variables, failures, a count of pushes, and how they stop and start. */
abstract class StartableEngine implements Engine {
  final EngineOptions options;
  final OperationDepth inside;
  final Variables variables = new Variables();
  final Failures failures = new Failures();
  final OperationRunner runner = new OperationRunner(failures);
  final PushCounter progress = new PushCounter();
  final Lifecycle lifecycle = new Lifecycle();

  StartableEngine(EngineOptions options, OperationDepth inside) {
    this.options = options;
    this.inside = inside;
  }

  /** Pushes what this thread holds back. */
  abstract void flush();

  /** Returns when all operations have ended. */
  abstract void awaitQuiet();

  /** Ends all threads; nothing runs any more. */
  abstract void endThreads();

  /** The operation as it is to be pushed. @throws RuntimeException when it is not for this engine */
  final Operation checked(Operation operation) {
    options.requireDevice(operation);
    variables.requireUsable(operation);
    return options.captureSites() ? PushSite.known(operation) : operation;
  }

  @Override
  public final Variable newVariable(String name) {
    return variables.make(name);
  }

  @Override
  public final void throwIfFailed(Variable variable) {
    failures.throwIfPoisoned(variable, variable.poison());
  }

  @Override
  public final long pending() {
    return progress.pending();
  }

  @Override
  public final void shutdown() {
    flush();
    runner.skipAll(true);
  }

  @Override
  public final void stop() {
    if (isInsideOperation()) {
      return;
    }
    flush();
    synchronized (lifecycle) {
      if (lifecycle.isStopped()) {
        return;
      }
      do {
        lifecycle.stopping();
        awaitQuiet();
        lifecycle.ending();
        // A delete of another thread may have come in between.
      } while (!progress.isQuiet());
      endThreads();
      lifecycle.stopped();
    }
  }

  @Override
  public final void start() {
    if (!lifecycle.isStopped()) {
      // A stop may have the lock, and wait for an operation that waits for this thread: this came before it, then.
      runner.skipAll(false);
      return;
    }
    synchronized (lifecycle) {
      lifecycle.running();
      runner.skipAll(false);
    }
  }

  @Override
  public final void close() {
    if (isInsideOperation()) {
      throw new IllegalStateException("an engine closed inside one of its operations");
    }
    try {
      stop();
    } finally {
      lifecycle.closed();
      variables.close();
    }
  }
}
