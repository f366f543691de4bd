package dev.cairn.runtime.engine.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations that one thread holds back to push them as one. For this thread only. */
public final class BulkBuffer {
  private static final int USUAL = 16;

  private final int limit;
  private final Variables variables;
  private final FootprintUnion union = new FootprintUnion();
  private List<Operation> held;

  public BulkBuffer(int limit, Variables variables) {
    this.limit = limit;
    this.variables = variables;
    this.held = new ArrayList<>(Math.min(limit, USUAL));
  }

  /** The largest number of operations that are held back. */
  public int limit() {
    return limit;
  }

  /** Whether the operation may run together with those held. */
  public boolean admits(Operation operation) {
    // It may be full already, where the heap had no room to hand all over.
    return operation.mayBeBulked() && held.size() < limit && (held.isEmpty() || operation.place().equals(held.getFirst()
      .place()));
  }

  /** True when it is full: there are as many as may be. If it throws, no operation was added. */
  public boolean hold(Operation operation) {
    boolean added = false;
    try {
      union.add(operation.name(), operation.footprint());
      held.add(operation);
      added = true;
    } finally {
      if (!added && held.isEmpty()) {
        // No operation is held back, so no delete may wait for one.
        union.endHolds(variables);
        union.clear();
      }
    }
    return held.size() == limit;
  }

  /**
   * The operations that were held back.
   *
   * @param all as one operation
   * @param touched the variables that are held until {@link #endHolds}
   */
  public record Taken(Operation all, Footprint touched) {}

  /** All that is held, or null; nothing is held back then, unless it throws for want of heap. */
  public @Nullable Taken take() {
    if (held.isEmpty()) {
      return null;
    }
    // It touches each variable once, as written when any of them writes it.
    Footprint touched = union.footprint();
    Operation first = held.getFirst();
    var taken = new Taken(held.size() == 1 ? first : first.together(touched, held), touched);
    held = new ArrayList<>(held.size());
    union.clear();
    return taken;
  }

  /** Lets deletes of the variables follow, once the operations were pushed or refused. */
  public void endHolds(Footprint touched) {
    for (int i = 0; i < touched.size(); i++) {
      variables.endHold(touched.variable(i));
    }
  }
}
