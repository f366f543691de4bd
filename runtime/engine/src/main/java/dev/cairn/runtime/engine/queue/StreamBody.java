package dev.cairn.runtime.engine.queue;

import dev.cairn.runtime.engine.stream.StreamWork;

/** Work for a stream in an operation's place for work; engines look for it and never run it as it stands. */
public record StreamBody(StreamWork work) implements Runnable {
  @Override
  public void run() {
    throw new AssertionError("work for a stream run without one");
  }
}
