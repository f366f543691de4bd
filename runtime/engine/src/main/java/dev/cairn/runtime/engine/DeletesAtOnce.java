package dev.cairn.runtime.engine;

/**
 * Deletes variables that no operation uses, on the thread that asks for it. Such a delete needs no operation and no
 * block: closing an array whose value is there is the usual case. Thread-safe.
 */
final class DeletesAtOnce {
  private final Routing routing;
  private final OperationRunner runner;
  private final PushCounter progress;
  private final OperationDepth inside;
  private final Dispatcher dispatcher;

  DeletesAtOnce(Routing routing, OperationRunner runner, PushCounter progress, OperationDepth inside,
    Dispatcher dispatcher) {
    this.routing = routing;
    this.runner = runner;
    this.progress = progress;
    this.inside = inside;
    this.dispatcher = dispatcher;
  }

  /** Whether the delete has run. If not, it must have its turn as an operation. */
  boolean ran(Variable variable, ExecutionPlace place, Runnable work) {
    boolean isElsewhere = !place.equals(ExecutionPlace.CPU) && !(work instanceof StreamedDelete);
    if (!routing.runsOnPusher(FunctionProperty.DELETE) || isElsewhere || inside.isDeepest()) {
      return false;
    }
    // The delete counts as an operation: the engine can't stop before it ends, and a stopped engine runs nothing else.
    progress.begin();
    boolean free = variable.tryEnterLast();
    try {
      if (free) {
        runInside(work);
      }
    } catch (Throwable e) {
      runner.failed(new DeleteBody(variable, work).operation(place), e);
    } finally {
      if (free) {
        dispatcher.handOn(variable.endWrite(null));
      }
      progress.end();
    }
    return free;
  }

  private void runInside(Runnable work) {
    inside.enter();
    try {
      work.run();
    } finally {
      inside.leave();
    }
  }
}
