package dev.cairn.runtime.executor;

/** Is told by an executor of its runs. */
public interface RunListener {
  /** Is told and does nothing. */
  RunListener NONE = new RunListener() {};

  default void runBegan() {}

  default void stepBegan(int step, int stream) {}

  default void stepEnded(int step, int stream) {}

  default void runEnded() {}
}
