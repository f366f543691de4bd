package dev.cairn.runtime.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the variables of one engine. Those made one after the other have their words side by side in one array. The
 * thread that pushes and the thread that runs take the same cache lines from each other for every operation, and so
 * take eight variables at a time. What seldom changes lies elsewhere and stays with both. An array lives as long as one
 * of its variables. Thread-safe.
 */
final class Variables {
  private static final int TOGETHER = 64;

  private final AtomicInteger deleted = new AtomicInteger();
  private long[] words = {};
  private int next;

  synchronized Variable make(String name) {
    if (next == words.length) {
      words = new long[TOGETHER];
      next = 0;
    }
    var made = new Variable(name, this, words, next);
    next++;
    return made;
  }

  /** @throws IllegalStateException when it was deleted before */
  void delete(Variable variable) {
    variable.delete();
    deleted.incrementAndGet();
  }

  /** How many have been deleted so far. */
  int deleted() {
    return deleted.get();
  }

  /** For what was held back: where one of the variables is deleted now, an operation that fails for that. */
  Operation failingIfDeleted(Operation operation) {
    try {
      requireUsable(operation);
      return operation;
    } catch (IllegalStateException e) {
      return operation.failing(e);
    }
  }

  /** @throws IllegalArgumentException when the operation touches a variable of another engine */
  void requireOwn(Operation operation) {
    Footprint footprint = operation.footprint();
    for (int i = 0; i < footprint.size(); i++) {
      requireOwn(footprint.variable(i), operation.name());
    }
  }

  /** As {@link #requireUsable(String, Touched)}. */
  void requireUsable(Operation operation) {
    requireUsable(operation.name(), operation.footprint());
  }

  /**
   * @param name the operation's
   * @throws IllegalStateException when one of the variables is deleted; and as {@link #requireOwn(Operation)}
   */
  void requireUsable(String name, Touched touched) {
    for (int i = 0; i < touched.size(); i++) {
      requireUsable(name, touched.variable(i));
    }
  }

  private void requireUsable(String name, Variable variable) {
    requireOwn(variable, name);
    if (variable.isDeleted()) {
      throw new IllegalStateException("a deleted variable: operation=%s variable=%s".formatted(name, variable));
    }
  }

  /** @throws IllegalArgumentException when it is a variable of another engine; the message names what it is for */
  void requireOwn(Variable variable, String what) {
    if (!variable.isOf(this)) {
      throw new IllegalArgumentException("a variable of another engine: operation=%s variable=%s".formatted(what,
        variable));
    }
  }
}
