package dev.cairn.runtime.engine.queue;

/** Work that has not ended when it returns, but when it says so. */
@FunctionalInterface
public interface AsyncWork {
  /**
   * Starts the work. What this throws before the completion was told fails the operation.
   *
   * @param completion to be told, once, from any thread, when the work has ended
   */
  void start(Completion completion);
}
