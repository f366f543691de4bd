package dev.cairn.runtime.session;

import dev.cairn.runtime.trace.RunObserver;
import java.util.concurrent.CancellationException;

/** Fails a run as one of its steps begins. */
final class PlantedFailure implements RunObserver {
  private volatile int at = -1;

  /** Runs from now on fail at this step. */
  void plantAt(int step) {
    at = step;
  }

  /** Runs from now on do not fail. */
  void remove() {
    at = -1;
  }

  @Override
  public void stepBegan(int step, int stream) {
    if (step == at) {
      throw new CancellationException("planted at step " + step);
    }
  }
}
