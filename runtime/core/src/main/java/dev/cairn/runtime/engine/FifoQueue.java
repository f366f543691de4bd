package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** First in, first out, with a second lane that goes first. */
final class FifoQueue implements ReadyQueue {
  private final Lane urgent;
  private final Lane usual;

  FifoQueue(int takers) {
    this.urgent = new Lane(OperationBlock.stub(), takers == 1);
    this.usual = new Lane(OperationBlock.stub(), takers == 1);
  }

  @Override
  public void offer(OperationBlock block) {
    usual.put(block);
  }

  @Override
  public void offerFirst(OperationBlock block) {
    urgent.put(block);
  }

  @Override
  public @Nullable OperationBlock poll() {
    OperationBlock first = urgent.take();
    return first != null ? first : usual.take();
  }

  @Override
  public boolean isEmpty() {
    return urgent.isEmpty() && usual.isEmpty();
  }
}
