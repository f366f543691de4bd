package dev.cairn.runtime.engine;

/** Runs tasks in dependency order. Tasks that touch the same variable run in the order in which they were pushed. */
public interface Engine extends AutoCloseable {
  /** A variable that is readable at once. */
  Variable newVariable(String name);

  /** Hands a task over; it may run at once, later, or on another thread. */
  void push(Task task);

  /**
   * Returns when all tasks pushed so far that write the variable have ended.
   *
   * @throws RuntimeException what such a task threw, if this has not been reported before
   */
  void waitFor(Variable variable);

  /** As {@link #waitFor}, for every task. */
  void waitForAll();

  /** Waits for all tasks, then takes no more. */
  @Override
  void close();
}
