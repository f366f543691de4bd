package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Stream;

/** Runs the steps one after the other, in their order, on one stream. Makes no garbage. */
final class SerialRunner implements StepRunner {
  private final BoundSteps steps;
  private final Stream stream;

  SerialRunner(BoundSteps steps, Stream stream) {
    this.steps = steps;
    this.stream = stream;
  }

  @Override
  public void run(RunLimit limit, RunListener listener) {
    boolean done = false;
    try {
      if (!listener.equals(RunListener.NONE) || !limit.isNone()) {
        runStepByStep(limit, listener);
      } else {
        steps.runAll();
      }
      done = true;
    } finally {
      if (!done) {
        awaitQuiet();
      }
    }
    stream.synchronize();
  }

  private void runStepByStep(RunLimit limit, RunListener listener) {
    for (int step = 0; step < steps.size(); step++) {
      limit.check(step);
      listener.stepBegan(step, 0);
      try {
        steps.run(step);
      } finally {
        listener.stepEnded(step, 0);
      }
    }
  }

  /** After a failure, which is thrown already and matters more than what else may come to light. */
  private void awaitQuiet() {
    try {
      stream.synchronize();
    } catch (RuntimeException e) {
      // The step's own failure is on its way.
    }
  }
}
