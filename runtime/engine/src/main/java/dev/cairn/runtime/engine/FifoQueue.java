package dev.cairn.runtime.engine;

import java.util.function.Predicate;
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

  /** As {@link #poll}, for the one taker; null also where the next block does not pass the test. */
  @Nullable
  OperationBlock pollIf(Predicate<OperationBlock> test) {
    OperationBlock first = urgent.first();
    Lane lane = first == null ? usual : urgent;
    OperationBlock next = first == null ? usual.first() : first;
    return next != null && test.test(next) ? lane.take() : null;
  }

  @Override
  public boolean isEmpty() {
    return urgent.isEmpty() && usual.isEmpty();
  }
}
