package dev.cairn.runtime.executor;

/** Tells two: of beginnings the first one first, of ends the second one. */
record TwoListeners(RunListener first, RunListener second) implements RunListener {
  @Override
  public void runBegan() {
    first.runBegan();
    second.runBegan();
  }

  @Override
  public void stepBegan(int step, int stream) {
    first.stepBegan(step, stream);
    second.stepBegan(step, stream);
  }

  @Override
  public void stepEnded(int step, int stream) {
    second.stepEnded(step, stream);
    first.stepEnded(step, stream);
  }

  @Override
  public void runEnded() {
    second.runEnded();
    first.runEnded();
  }
}
