package dev.cairn.runtime.executor;

import dev.cairn.runtime.trace.RunObserver;

/** How the steps of one executor are run. One run at a time; when a run returns or throws, nothing is under way. */
interface StepRunner {
  /** @throws RunStopped when the limit says so before a step; any other failure names the step that threw */
  void run(RunLimit limit, RunObserver observer);

  /**
   * Gives the streams all of a run that is the same every time, and waits for nothing: for a recorder, on a device
   * whose work is only queued.
   * It does not wait when it throws, either.
   */
  void enqueue(RunLimit limit, RunObserver observer);
}
