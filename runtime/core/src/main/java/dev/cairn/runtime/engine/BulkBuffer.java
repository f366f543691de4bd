package dev.cairn.runtime.engine;

import java.util.Arrays;

/** The operations that one thread holds back to push them as one. For this thread only. */
final class BulkBuffer {
  private static final int USUAL = 64;

  private final Thread owner = Thread.currentThread();
  private final int limit;
  private Operation[] held;
  private final FootprintUnion union = new FootprintUnion();
  private int count;

  BulkBuffer(int limit) {
    this.limit = limit;
    this.held = new Operation[Math.min(limit, USUAL)];
  }

  boolean isMine() {
    return owner.equals(Thread.currentThread());
  }

  int limit() {
    return limit;
  }

  boolean isEmpty() {
    return count == 0;
  }

  boolean isFull() {
    return count == limit;
  }

  /** Whether the operation may run together with those held. */
  @SuppressWarnings("ReferenceEquality")
  boolean admits(Operation operation) {
    if (!operation.endsWithItsWork()) {
      return false;
    }
    Traits traits = operation.traits();
    if (count == 0) {
      return traits.mayBeBulked();
    }
    // Mostly all have the very same.
    return traits == held[0].traits() || (traits.mayBeBulked() && traits.place().equals(held[0].place()));
  }

  void hold(Operation operation) {
    if (count == held.length) {
      held = Arrays.copyOf(held, (int) Math.min(limit, 2L * count));
    }
    held[count++] = operation;
  }

  /** All that is held, as one operation; nothing is held then. */
  Operation take(OperationRunner runner) {
    if (count == 1) {
      count = 0;
      return held[0];
    }
    Operation[] operations = Arrays.copyOf(held, count);
    Operation first = held[0];
    Operation all = new Operation("bulk", union(operations), new BulkBody(operations, runner), first.traits());
    Arrays.fill(held, 0, count, null);
    count = 0;
    return all;
  }

  /** Each variable once, as written when any of them writes it. */
  private Footprint union(Operation[] operations) {
    for (Operation operation : operations) {
      union.add(operation.footprint());
    }
    return union.take();
  }
}
