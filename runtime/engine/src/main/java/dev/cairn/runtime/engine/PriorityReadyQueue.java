package dev.cairn.runtime.engine;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The highest priority first, and the earlier among equals. */
final class PriorityReadyQueue implements ReadyQueue {
  private final PriorityQueue<Entry> entries = new PriorityQueue<>(
    Comparator.comparing(Entry::isFirst).thenComparingInt(Entry::priority).reversed().thenComparingLong(Entry::number));
  private long numbers;
  private volatile int size;

  private record Entry(OperationBlock block, boolean isFirst, long number) {
    int priority() {
      return block.operation().priority();
    }
  }

  @Override
  public void offer(OperationBlock block) {
    add(block, false);
  }

  @Override
  public void offerFirst(OperationBlock block) {
    add(block, true);
  }

  private synchronized void add(OperationBlock block, boolean first) {
    // Where the heap has no room for it, it is as if it had not been offered.
    entries.add(new Entry(block, first, numbers++));
    size = entries.size();
  }

  @Override
  public @Nullable OperationBlock poll() {
    return size == 0 ? null : take();
  }

  private synchronized @Nullable OperationBlock take() {
    Entry entry = entries.poll();
    size = entries.size();
    return entry == null ? null : entry.block();
  }

  @Override
  public boolean isEmpty() {
    return size == 0;
  }
}
