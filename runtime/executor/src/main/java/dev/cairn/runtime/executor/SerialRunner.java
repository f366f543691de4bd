package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.trace.RunObserver;

/** Runs the steps one after the other, in their order, on one stream. Makes no garbage. */
final class SerialRunner implements StepRunner {
  private final BoundSteps steps;
  private final Stream stream;
  private final Staging staging;

  SerialRunner(BoundSteps steps, Stream stream, Staging staging) {
    this.steps = steps;
    this.stream = stream;
    this.staging = staging;
  }

  @Override
  public void run(RunLimit limit, RunObserver observer) {
    boolean done = false;
    try {
      staging.enqueueInputs(stream);
      enqueue(limit, observer);
      staging.enqueueResults(stream, observer);
      done = true;
    } finally {
      if (!done) {
        awaitQuiet(stream);
      }
    }
    stream.synchronize();
  }

  @Override
  public void enqueue(RunLimit limit, RunObserver observer) {
    staging.enqueueUploads(stream);
    steps.begin(limit);
    if (!observer.equals(RunObserver.NONE) || !limit.isNone()) {
      runStepByStep(limit, observer);
    } else {
      runAll();
    }
    staging.enqueueDownloads(stream);
  }

  /** All steps in their order, with nothing in between. */
  private void runAll() {
    Runnable[] all = steps.work();
    int step = 0;
    try {
      for (; step < all.length; step++) {
        all[step].run();
      }
    } catch (RuntimeException | Error e) {
      throw steps.failed(step, e);
    }
  }

  private void runStepByStep(RunLimit limit, RunObserver observer) {
    for (int step = 0; step < steps.size(); step++) {
      limit.check(step);
      steps.run(step, 0, observer);
    }
  }

  /** After a failure, which is thrown already and matters more than what else may come to light. */
  static void awaitQuiet(Stream stream) {
    try {
      stream.synchronize();
    } catch (RuntimeException e) {
      // The step's own failure is being thrown.
    }
  }
}
