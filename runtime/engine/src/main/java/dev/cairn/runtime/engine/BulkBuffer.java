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
    // Mostly all operations have the same traits object, and then no further comparison is needed.
    return traits == first || (traits.mayBeBulked() && traits.place().equals(first.place()));
  }

  /** True when it is full: there are as many as may be. If it throws, no operation was added. */
  boolean hold(String name, Footprint footprint, Runnable work, Traits traits) {
    BulkBody all = held;
    if (all == null) {
      all = new BulkBody(room, traits, runner);
    } else if (all.isFull()) {
      all.grow((int) Math.min(limit, 2L * all.size()));
    }
    add(name, footprint);
    all.add(name, footprint, work, traits);
    held = all;
    return all.size() == limit;
  }

  private void add(String name, Footprint footprint) {
    boolean added = false;
    try {
      union.add(name, footprint);
      added = true;
    } finally {
      if (!added && held == null) {
        // No operation is held back, so no delete may wait for one.
        endHolds(union.taken());
      }
    }
  }

  /**
   * The operations that were held back.
   *
   * @param all as one operation
   * @param touched the variables that are held until {@link #endHolds}
   */
  record Taken(Operation all, Footprint touched) {}

  /** All that is held, or null; nothing is held back then, unless it throws for want of heap. */
  @Nullable
  Taken take() {
    BulkBody all = held;
    if (all == null) {
      return null;
    }
    // It touches each variable once, as written when any of them writes it.
    Footprint touched = union.footprint();
    Operation one = all.size() == 1 ? all.operation(0) : new Operation("bulk", touched, all, all.traits());
    var taken = new Taken(one, touched);
    room = all.size();
    held = null;
    union.clear();
    return taken;
  }

  /** Lets deletes of the variables follow, once the operations were pushed or refused. */
  void endHolds(Footprint touched) {
    for (int i = 0; i < touched.size(); i++) {
      variables.endHold(touched.variable(i));
    }
  }
}
