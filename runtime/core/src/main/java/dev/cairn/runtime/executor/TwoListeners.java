package dev.cairn.runtime.executor;

/** Tells two: of beginnings the first one first, of ends the second one. */
record TwoListeners(RunListener first, RunListener second) implements RunListener {
  @Override
  public void runBegan() {
    first.runBegan();
    try {
      second.runBegan();
    } catch (RuntimeException | Error e) {
      RunFailure.tellOf(e, first::runEnded);
      throw e;
    }
  }

  @Override
  public void stepBegan(int step, int stream) {
    first.stepBegan(step, stream);
    try {
      second.stepBegan(step, stream);
    } catch (RuntimeException | Error e) {
      RunFailure.tellOf(e, () -> first.stepEnded(step, stream));
      throw e;
    }
  }

  @Override
  public void stepFound(int step, StepFacts facts) {
    first.stepFound(step, facts);
    second.stepFound(step, facts);
  }

  @Override
  public void stepEnded(int step, int stream) {
    try {
      second.stepEnded(step, stream);
    } finally {
      first.stepEnded(step, stream);
    }
  }

  @Override
  public void copyBegan(int output) {
    first.copyBegan(output);
    second.copyBegan(output);
  }

  @Override
  public void copyEnded(int output) {
    second.copyEnded(output);
    first.copyEnded(output);
  }

  @Override
  public void runEnded() {
    try {
      second.runEnded();
    } finally {
      first.runEnded();
    }
  }
}
