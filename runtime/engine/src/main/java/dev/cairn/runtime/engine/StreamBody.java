package dev.cairn.runtime.engine;

/** Work for a stream in an operation's place for work; engines look for it and never run it as it stands. */
record StreamBody(StreamWork work) implements Runnable {
  @Override
  public void run() {
    throw new AssertionError("work for a stream run without one");
  }
}
