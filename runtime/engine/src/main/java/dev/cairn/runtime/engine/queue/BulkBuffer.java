package dev.cairn.runtime.engine.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations that one thread holds back to push them as one. For this thread only. */
public final class BulkBuffer {
  private static final int USUAL = 16;

  private final int limit;
  private final Variables variables;
  private final @Nullable BulkFusion fusion;
  private final FootprintUnion union = new FootprintUnion(true);
  private List<Operation> held;
  /** In the order held. */
  private final List<HeldRun> runs = new ArrayList<>();

  /** Operations next to each other among those held, from {@code first} up to {@code end}. */
  private static final class HeldRun {
    private final FusibleRun run;
    private final int first;
    private int end;

    HeldRun(FusibleRun run, int first) {
      this.run = run;
      this.first = first;
      this.end = first + 1;
    }

    boolean has(int index) {
      return first <= index && index < end;
    }
  }

  /** @param fusion finds operations that run as one; null where each runs by itself */
  public BulkBuffer(int limit, Variables variables, @Nullable BulkFusion fusion) {
    this.limit = limit;
    this.variables = variables;
    this.fusion = fusion;
    this.held = new ArrayList<>(Math.min(limit, USUAL));
  }

  /** The largest number of operations that are held back. */
  public int limit() {
    return limit;
  }

  /** Whether the operation may run together with those held. */
  public boolean admits(Operation operation) {
    // It may be full already, where the heap had no room to hand all over.
    return held.size() < limit && (held.isEmpty() || operation.place().equals(held.getFirst().place())) && (operation
      .mayBeBulked() || isFusible(operation));
  }

  /**
   * Whether the operation may be pushed before those held: a fused run would be cut in two for an operation that has
   * nothing in common with it, such as the copy of a constant.
   */
  public boolean mayOvertake(Operation operation) {
    Footprint footprint = operation.footprint();
    for (int i = 0; i < footprint.size(); i++) {
      if (union.touches(footprint.variable(i))) {
        return false;
      }
    }
    return !runs.isEmpty();
  }

  private boolean isFusible(Operation operation) {
    return fusion != null && operation.mayBeFused() && fusion.isFusible(operation);
  }

  /** True when it is full: there are as many as may be. If it throws, no operation was added. */
  public boolean hold(Operation operation) {
    boolean added = false;
    int before = held.size();
    try {
      union.add(operation.name(), operation.footprint());
      held.add(operation);
      addToRun(operation);
      added = true;
    } finally {
      if (!added) {
        dropFrom(before);
      }
    }
    return held.size() == limit;
  }

  private void addToRun(Operation operation) {
    if (fusion == null) {
      return;
    }
    int at = held.size() - 1;
    HeldRun last = runs.isEmpty() ? null : runs.getLast();
    if (last != null && last.end == at && last.run.add(operation)) {
      last.end++;
    } else if (isFusible(operation)) {
      runs.add(new HeldRun(fusion.begin(operation), at));
    }
  }

  /** Takes an operation back that could not be added. Its run may know it, so that run's operations stay single. */
  private void dropFrom(int before) {
    if (held.size() > before) {
      held.removeLast();
      if (!runs.isEmpty() && runs.getLast().end >= before) {
        runs.removeLast();
      }
    }
    if (held.isEmpty()) {
      // No operation is held back, so no delete may wait for one.
      union.endHolds(variables);
      union.clear();
    }
  }

  /**
   * Whether a delete of the variable may come when all is handed over, since nothing takes memory for it until then: of
   * the operations held, one run alone touches it, and computes it.
   */
  public boolean mayDeleteLater(Variable variable) {
    for (int i = runs.size() - 1; i >= 0; i--) {
      HeldRun run = runs.get(i);
      if (run.run.isOnlyInside(variable)) {
        return !isTouchedOutside(run, variable);
      }
    }
    return false;
  }

  private boolean isTouchedOutside(HeldRun run, Variable variable) {
    for (int i = 0; i < held.size(); i++) {
      if (!run.has(i) && held.get(i).footprint().touches(variable)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The operations that were held back.
   *
   * @param all to be pushed in this order: one, or several where streams are given them
   * @param touched the variables that are held until {@link #endHolds}
   */
  public record Taken(List<Operation> all, Footprint touched) {}

  /** All that is held, or null; nothing is held back then, unless it throws for want of heap. */
  public @Nullable Taken take() {
    if (held.isEmpty()) {
      return null;
    }
    // It touches each variable once, as written when any of them writes it.
    Footprint touched = union.footprint();
    List<Operation> left = runs.isEmpty() ? held : withFused();
    boolean isSplit = left.size() == 1 || !left.stream().allMatch(Operation::endsWithItsWork);
    var taken = new Taken(isSplit ? List.copyOf(left) : List.of(left.getFirst().together(touched, left)), touched);
    held = new ArrayList<>(held.size());
    runs.clear();
    union.clear();
    return taken;
  }

  private List<Operation> withFused() {
    List<Operation> left = new ArrayList<>(held.size());
    int next = 0;
    for (HeldRun run : runs) {
      left.addAll(held.subList(next, run.first));
      left.addAll(run.run.operations(variable -> isTouchedOutside(run, variable)));
      next = run.end;
    }
    left.addAll(held.subList(next, held.size()));
    return left;
  }

  /** Lets deletes of the variables follow, once the operations were pushed or refused. */
  public void endHolds(Footprint touched) {
    for (int i = 0; i < touched.size(); i++) {
      variables.endHold(touched.variable(i));
    }
  }
}
