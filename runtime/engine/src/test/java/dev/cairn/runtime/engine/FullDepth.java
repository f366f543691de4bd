package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.worker.OperationDepth;

/** Finds no room in the heap for the next operation that begins, once for each {@link #fill}. */
final class FullDepth extends OperationDepth {
  private volatile boolean isFull;

  void fill() {
    isFull = true;
  }

  private void requireRoom() {
    if (isFull) {
      isFull = false;
      throw new OutOfMemoryError("planted: no room to begin");
    }
  }

  @Override
  public void run(Runnable work) {
    requireRoom();
    super.run(work);
  }

  @Override
  public void runBrief(Runnable work) {
    requireRoom();
    super.runBrief(work);
  }
}
