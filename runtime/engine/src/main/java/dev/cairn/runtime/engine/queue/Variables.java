package dev.cairn.runtime.engine.queue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the variables of one engine. Those made one after the other have their words side by side in one array. The
 * thread that pushes and the thread that runs take the same cache lines from each other for every operation, and so
 * take eight variables at a time. What seldom changes lies elsewhere and stays with both. An array lives as long as one
 * of its variables. Thread-safe.
 */
public final class Variables {
  private static final int TOGETHER = 64;

  /** Stands in place of a delete whose last hold ended before {@link #deleteLater} was called. */
  private enum HandedOver implements Runnable {
    MARK;

    @Override
    public void run() {}
  }

  /** Deletes that wait until threads hand over what they hold back. */
  private final Map<Variable, Runnable> waitingDeletes = new ConcurrentHashMap<>();
  private volatile boolean closed;
  private long[] words = {};
  private int next;

  /** A variable of this engine, at version 0. */
  public synchronized Variable make(String name) {
    if (2 * next == words.length) {
      words = new long[2 * TOGETHER];
      next = 0;
    }
    var made = new Variable(name, this, words, next);
    next++;
    return made;
  }

  /**
   * For a variable whose {@linkplain Variable#delete delete} waits for threads that hold back pushes: runs the rest of
   * the delete when the last of them has handed these over, or the engine is closed.
   */
  public void deleteLater(Variable variable, Runnable last) {
    if (waitingDeletes.putIfAbsent(variable, last) != null) {
      // The last hold has ended meanwhile.
      waitingDeletes.remove(variable);
      last.run();
    } else if (closed && waitingDeletes.remove(variable, last)) {
      last.run();
    }
  }

  /** Ends {@link Variable#beginHold}. Runs a delete that waited for this last hold. */
  void endHold(Variable variable) {
    if (variable.endHold()) {
      Runnable last = waitingDeletes.putIfAbsent(variable, HandedOver.MARK);
      if (last != null && waitingDeletes.remove(variable, last)) {
        last.run();
      }
    }
  }

  /** Runs all deletes that wait: pushes that threads still hold back can never run. */
  public void close() {
    closed = true;
    waitingDeletes.forEach((variable, last) -> {
      if (last != HandedOver.MARK && waitingDeletes.remove(variable, last)) {
        last.run();
      }
    });
  }

  /** @throws IllegalArgumentException when the operation touches a variable of another engine */
  public void requireOwn(Operation operation) {
    Footprint footprint = operation.footprint();
    for (int i = 0; i < footprint.size(); i++) {
      requireOwn(footprint.variable(i), operation.name());
    }
  }

  /** @throws IllegalStateException when one of the variables is deleted; and as {@link #requireOwn(Operation)} */
  public void requireUsable(Operation operation) {
    Footprint footprint = operation.footprint();
    for (int i = 0; i < footprint.size(); i++) {
      Variable variable = footprint.variable(i);
      requireOwn(variable, operation.name());
      if (variable.isDeleted()) {
        throw variable.refusal(operation.name());
      }
    }
  }

  /** @throws IllegalArgumentException when it is a variable of another engine; the message names what it is for */
  public void requireOwn(Variable variable, String what) {
    if (!variable.isOf(this)) {
      throw new IllegalArgumentException("a variable of another engine: operation=%s variable=%s".formatted(what,
        variable));
    }
  }
}
