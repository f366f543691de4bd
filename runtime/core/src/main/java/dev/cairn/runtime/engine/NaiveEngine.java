package dev.cairn.runtime.engine;

/**
 * Runs each task at once on the thread that pushes it, so that a failure has the pusher's stack. There is never
 * anything to wait for. Several threads may push at a time, as long as their tasks touch different variables.
 */
public final class NaiveEngine implements Engine {
  private volatile boolean closed;

  @Override
  public Variable newVariable(String name) {
    return new Variable(name);
  }

  /** Runs the task; what it throws reaches the caller, and its variables count as written all the same. */
  @Override
  public void push(Task task) {
    if (closed) {
      throw new IllegalStateException("the engine is closed: task=" + task.name());
    }
    try {
      task.work().run();
    } finally {
      for (Variable variable : task.writes()) {
        variable.written();
      }
    }
  }

  @Override
  public void waitFor(Variable variable) {}

  @Override
  public void waitForAll() {}

  @Override
  public void close() {
    closed = true;
  }
}
