package dev.cairn.runtime.engine.queue;

/** Asynchronous work in an operation's place for work; engines look for it and never run it as it stands. */
public record AsyncBody(AsyncWork work) implements Runnable {
  @Override
  public void run() {
    throw new AssertionError("asynchronous work run without a completion");
  }
}
