package dev.cairn.runtime.trace;

/** Tells two: begins in this order, ends in the reverse one, so that the second's times are the closer ones. */
record TwoProbes(RunProbe first, RunProbe second) implements RunProbe {
  @Override
  public void admitted() {
    first.admitted();
    second.admitted();
  }

  @Override
  public void stepBegan(int step, int stream) {
    first.stepBegan(step, stream);
    second.stepBegan(step, stream);
  }

  @Override
  public void stepFound(int step, TracedStep found) {
    first.stepFound(step, found);
    second.stepFound(step, found);
  }

  @Override
  public void stepEnded(int step, int stream) {
    second.stepEnded(step, stream);
    first.stepEnded(step, stream);
  }

  @Override
  public void copyBegan(int copy) {
    first.copyBegan(copy);
    second.copyBegan(copy);
  }

  @Override
  public void copyFound(int copy, TracedCopy found) {
    first.copyFound(copy, found);
    second.copyFound(copy, found);
  }

  @Override
  public void copyEnded(int copy) {
    second.copyEnded(copy);
    first.copyEnded(copy);
  }

  @Override
  public void ended(boolean failed) {
    second.ended(failed);
    first.ended(failed);
  }
}
