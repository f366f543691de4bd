package dev.cairn.benchmarks.engine;

/** An engine that is timed. One thread pushes. */
interface Contestant extends AutoCloseable {
  boolean can(Workload workload);

  /** Pushes so many operations, and returns when all of them have ended. */
  void run(Workload workload, int operations);

  /** Pushes one write and waits for its variable. */
  void pushAndWait();

  @Override
  void close();
}
