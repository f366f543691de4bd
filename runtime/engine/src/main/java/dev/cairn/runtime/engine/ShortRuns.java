package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/**
 * Runs short work on the thread that pushes it, where the host's lone worker has nothing to run and all variables are
 * free. Handing it to the worker would take longer, and would need an operation and a block. Thread-safe.
 */
final class ShortRuns {
  private final Routing routing;
  private final OperationRunner runner;
  private final PushCounter progress;
  private final Lifecycle lifecycle;
  private final OperationDepth inside;
  private final Dispatcher dispatcher;

  ShortRuns(Routing routing, OperationRunner runner, PushCounter progress, Lifecycle lifecycle, OperationDepth inside,
    Dispatcher dispatcher) {
    this.routing = routing;
    this.runner = runner;
    this.progress = progress;
    this.lifecycle = lifecycle;
    this.inside = inside;
    this.dispatcher = dispatcher;
  }

  /** As {@link #ran(String, Touched, Runnable, Operation)}, where the operation is one for the host's lone worker. */
  boolean ran(Operation operation) {
    return HelpingWaits.isUsual(operation) && ran(operation.name(), operation.footprint(), operation.work(), operation);
  }

  /**
   * Whether the work has run. If not, nothing has changed, and the caller must push it.
   *
   * @param operation named by the failure if the work fails; null to make it only then
   */
  boolean ran(String name, Touched touched, Runnable work, @Nullable Operation operation) {
    WorkerGroup group = routing.host();
    if (group == null || !group.tryTurn()) {
      return false;
    }
    // The run counts as an operation, so that the engine cannot stop meanwhile.
    progress.begin();
    try {
      return lifecycle.isRunning() && ranInTurn(name, touched, work, operation);
    } finally {
      group.endTurn();
      progress.end();
    }
  }

  private boolean ranInTurn(String name, Touched touched, Runnable work, @Nullable Operation operation) {
    int in = 0;
    while (in < touched.size() && touched.variable(in).tryEnter(touched.isWritten(in))) {
      in++;
    }
    boolean runs = in == touched.size() && isClear(touched);
    try {
      if (runs) {
        run(name, touched, work, operation);
      }
    } finally {
      OperationBlock ready = null;
      for (int i = 0; i < in; i++) {
        ready = touched.variable(i).leave(touched.isWritten(i), runs, ready);
      }
      dispatcher.handOn(ready);
    }
    return runs;
  }

  /** Whether nothing keeps the work from running: no shutdown, and no value that was never computed. */
  private boolean isClear(Touched touched) {
    boolean clear = runner.closing() == null;
    for (int i = 0; i < touched.size(); i++) {
      clear &= touched.variable(i).poison() == null;
    }
    return clear;
  }

  private void run(String name, Touched touched, Runnable work, @Nullable Operation operation) {
    inside.enter();
    try {
      work.run();
    } catch (Throwable e) {
      Operation failed = operation == null ? Operation.of(name, touched.footprint(), work) : operation;
      // The pusher's line is still on the stack.
      runner.failed(failed.atIfUnknown(), e);
    } finally {
      inside.leave();
    }
  }
}
