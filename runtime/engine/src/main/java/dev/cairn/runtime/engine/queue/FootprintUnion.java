package dev.cairn.runtime.engine.queue;

import java.util.Arrays;

/**
 * Gathers footprints into one: each variable once, and written when one of them writes it. For pushes that a thread
 * holds back, it holds each variable, so that its delete comes after them. Used again and again.
 */
final class FootprintUnion {
  private static final int USUAL = 16;

  private final boolean holds;
  /** In the order of their numbers. */
  private Variable[] variables = new Variable[USUAL];
  private boolean[] written = new boolean[USUAL];
  private int count;

  /** @param holds whether deletes of the variables wait until {@link #endHolds} */
  FootprintUnion(boolean holds) {
    this.holds = holds;
  }

  /**
   * Adds an operation's footprint. If it throws, each variable is either added or as it was before.
   *
   * @throws IllegalStateException when a variable is deleted
   */
  void add(String operation, Footprint footprint) {
    for (int i = 0; i < footprint.size(); i++) {
      add(operation, footprint.variable(i), footprint.isWritten(i));
    }
  }

  private void add(String operation, Variable variable, boolean write) {
    long number = variable.number();
    int at = count;
    // Operations in a row mostly touch later made variables.
    while (at > 0 && variables[at - 1].number() > number) {
      at--;
    }
    if (at > 0 && variables[at - 1].number() == number) {
      written[at - 1] |= write;
      return;
    }
    if (count == variables.length) {
      Variable[] more = Arrays.copyOf(variables, 2 * count);
      written = Arrays.copyOf(written, 2 * count);
      variables = more;
    }
    if (holds) {
      variable.beginHold(operation);
    }
    System.arraycopy(variables, at, variables, at + 1, count - at);
    System.arraycopy(written, at, written, at + 1, count - at);
    variables[at] = variable;
    written[at] = write;
    count++;
  }

  /** Whether an operation that was added touches the variable. */
  boolean touches(Variable variable) {
    for (int i = 0; i < count; i++) {
      if (variables[i].number() == variable.number()) {
        return true;
      }
    }
    return false;
  }

  /** The footprint of what was added; {@link #clear} must follow before anything else is added. */
  Footprint footprint() {
    return Footprint.ofOrdered(Arrays.copyOf(variables, count), Arrays.copyOf(written, count));
  }

  /** Lets deletes of the variables follow. */
  void endHolds(Variables owner) {
    for (int i = 0; i < count; i++) {
      owner.endHold(variables[i]);
    }
  }

  /** Forgets what was added. */
  void clear() {
    Arrays.fill(variables, 0, count, null);
    count = 0;
  }
}
