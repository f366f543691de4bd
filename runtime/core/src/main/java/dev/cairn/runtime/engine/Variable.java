package dev.cairn.runtime.engine;

import java.util.concurrent.atomic.AtomicLong;

/** Stands for something that tasks read and write. Counts the writes that have ended. */
public final class Variable {
  private final String name;
  private final AtomicLong version = new AtomicLong();

  Variable(String name) {
    this.name = name;
  }

  /** For people: what it stands for. */
  public String name() {
    return name;
  }

  /** How many tasks that write this variable have ended; reading changes nothing. */
  public long version() {
    return version.get();
  }

  void written() {
    version.incrementAndGet();
  }

  @Override
  public String toString() {
    return name + "@" + version;
  }
}
