package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/**
 * The operations that one thread holds back to push them as one. For this thread only.
 *
 * <p>Each bulk is written straight into the body that will run it, with room for as many as the one before held: what
 * is written into a young object costs the collector nothing, and nothing need be copied or wiped.
 */
final class BulkBuffer {
  private static final int USUAL = 64;

  private final Thread owner = Thread.currentThread();
  private final int limit;
  private final Variables variables;
  private final OperationRunner runner;
  private final FootprintUnion union = new FootprintUnion();
  private @Nullable BulkBody held;
  private int room;
  /** How many variables were deleted when the first operation was held. */
  private int deleted;

  BulkBuffer(int limit, Variables variables, OperationRunner runner) {
    this.limit = limit;
    this.variables = variables;
    this.runner = runner;
    this.room = Math.min(limit, USUAL);
  }

  boolean isMine() {
    return owner.equals(Thread.currentThread());
  }

  int limit() {
    return limit;
  }

  /** Whether an operation with these traits, which ends with its work, may run together with those held. */
  @SuppressWarnings("ReferenceEquality")
  boolean admits(Traits traits) {
    BulkBody all = held;
    if (all == null) {
      return traits.mayBeBulked();
    }
    if (all.size() == limit) {
      // The heap had no room to hand them over.
      return false;
    }
    Traits first = all.traits();
    // Mostly all have the very same, which needs no closer look.
    return traits == first || (traits.mayBeBulked() && traits.place().equals(first.place()));
  }

  /** True when it is full: there are as many as may be. What it throws leaves all as it was. */
  boolean hold(String name, Footprint footprint, Runnable work, Traits traits) {
    BulkBody all = held;
    if (all == null) {
      all = begin(name, footprint, traits);
    } else if (all.isFull()) {
      all.grow((int) Math.min(limit, 2L * all.size()));
    }
    union.add(footprint);
    all.add(name, footprint, work, traits);
    held = all;
    return all.size() == limit;
  }

  private BulkBody begin(String name, Footprint footprint, Traits traits) {
    deleted = variables.deleted();
    // Another thread may have deleted one since it was looked at: that is counted already.
    variables.requireUsable(name, footprint);
    // What was gathered for one that the heap had no room for.
    union.clear();
    return new BulkBody(room, traits, runner);
  }

  /** All that is held, as one operation, or null; nothing is held then, unless it throws for want of heap. */
  @Nullable
  Operation take() {
    BulkBody all = held;
    if (all == null) {
      return null;
    }
    if (deleted != variables.deleted()) {
      // By other threads: our own deletes hand over first.
      for (int i = 0; i < all.size(); i++) {
        all.replace(i, variables.failingIfDeleted(all.operation(i)));
      }
    }
    // It touches each variable once, as written when any of them writes it.
    Operation one = all.size() == 1 ? all.operation(0) : new Operation("bulk", union.footprint(), all, all.traits());
    room = all.size();
    held = null;
    union.clear();
    return one;
  }
}
