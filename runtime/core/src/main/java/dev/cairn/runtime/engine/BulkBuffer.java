package dev.cairn.runtime.engine;

import java.util.Arrays;

/**
 * The operations that one thread holds back to push them as one. For this thread only.
 *
 * <p>Each bulk has arrays of its own, with room for as many as the one before held, which become the operation's: what
 * is written into a young object costs the collector nothing, and nothing need be copied or wiped.
 */
final class BulkBuffer {
  private static final int USUAL = 64;
  private static final Operation[] NONE = {};

  private final Thread owner = Thread.currentThread();
  private final int limit;
  private final Variables variables;
  private final FootprintUnion union = new FootprintUnion();
  private Operation[] held = NONE;
  private int room;
  /** How many variables were deleted when the first operation was held. */
  private int deleted;
  private int count;

  BulkBuffer(int limit, Variables variables) {
    this.limit = limit;
    this.variables = variables;
    this.room = Math.min(limit, USUAL);
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
      makeRoomFor(operation);
    }
    union.add(operation.footprint());
    held[count++] = operation;
  }

  private void makeRoomFor(Operation operation) {
    if (count == 0) {
      held = new Operation[room];
      deleted = variables.deleted();
      // Another thread may have deleted one since it was looked at: that is counted already.
      variables.requireUsable(operation);
    } else {
      held = Arrays.copyOf(held, (int) Math.min(limit, 2L * count));
    }
  }

  /** All that is held, as one operation; nothing is held then, unless it throws for want of heap. */
  Operation take(OperationRunner runner) {
    Operation[] operations = count == held.length ? held : Arrays.copyOf(held, count);
    if (deleted != variables.deleted()) {
      // By other threads: our own deletes hand over first.
      Arrays.setAll(operations, i -> variables.failingIfDeleted(operations[i]));
    }
    Operation all = operations.length == 1 ? operations[0] : together(operations, runner);
    room = count;
    held = NONE;
    count = 0;
    union.clear();
    return all;
  }

  /** Touches each variable once, as written when any of them writes it. */
  private Operation together(Operation[] operations, OperationRunner runner) {
    return new Operation("bulk", union.footprint(), new BulkBody(operations, runner), operations[0].traits());
  }
}
