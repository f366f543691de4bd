package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** First in, first out, with a second lane that goes first. */
final class FifoQueue implements ReadyQueue {
  private final Lane urgent;
  private final Lane usual;

  FifoQueue(int takers) {
    this.urgent = new Lane(Block.stub(), takers == 1);
    this.usual = new Lane(Block.stub(), takers == 1);
  }

  @Override
  public void offer(Block block) {
    usual.put(block);
  }

  @Override
  public void offerFirst(Block block) {
    urgent.put(block);
  }

  @Override
  public @Nullable Block poll() {
    Block first = urgent.take();
    return first != null ? first : usual.take();
  }

  @Override
  public boolean isEmpty() {
    return urgent.isEmpty() && usual.isEmpty();
  }
}
