package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.worker.OperationDepth;

/** Finds no room in the heap for the next operation that begins, once for each {@link #fill}. */
final class FullDepth extends OperationDepth {
  private volatile boolean isFull;

  void fill() {
    isFull = true;
  }

  @Override
  public void enter() {
    if (isFull) {
      isFull = false;
      throw new OutOfMemoryError("planted: no room to begin");
    }
    super.enter();
  }
}
