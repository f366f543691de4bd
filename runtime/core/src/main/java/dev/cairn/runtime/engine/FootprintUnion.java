package dev.cairn.runtime.engine;

import java.util.Arrays;

/**
 * Gathers footprints into one: each variable once, and written when one of them writes it. Used again and again; each
 * time it makes a new array of variables, with room for as many as the last one held, which becomes the footprint's.
 */
final class FootprintUnion {
  private static final int USUAL = 16;
  private static final Variable[] NONE = {};

  /** In the order of their numbers. */
  private Variable[] variables = NONE;
  private boolean[] written = new boolean[USUAL];
  private int room = USUAL;
  private int count;
  private long highest;

  void add(Footprint footprint) {
    for (int i = 0; i < footprint.size(); i++) {
      Variable variable = footprint.variable(i);
      long number = variable.number();
      if (count == 0 || number > highest) {
        // Operations in a row mostly touch later made variables.
        highest = number;
        put(count, variable, footprint.isWritten(i));
      } else {
        merge(variable, number, footprint.isWritten(i));
      }
    }
  }

  /** It does not come behind all others. */
  private void merge(Variable variable, long number, boolean write) {
    int at = count - 1;
    while (at >= 0 && variables[at].number() > number) {
      at--;
    }
    if (at >= 0 && variables[at].number() == number) {
      written[at] |= write;
    } else {
      put(at + 1, variable, write);
    }
  }

  private void put(int at, Variable variable, boolean write) {
    if (count == variables.length) {
      grow();
    }
    if (at < count) {
      System.arraycopy(variables, at, variables, at + 1, count - at);
      System.arraycopy(written, at, written, at + 1, count - at);
    }
    variables[at] = variable;
    written[at] = write;
    count++;
  }

  private void grow() {
    variables = count == 0 ? new Variable[room] : Arrays.copyOf(variables, 2 * count);
    if (written.length < variables.length) {
      written = Arrays.copyOf(written, variables.length);
    }
  }

  /** Forgets what was added. */
  void clear() {
    variables = NONE;
    count = 0;
  }

  /** The footprint of what was added since the last time. */
  Footprint take() {
    Variable[] ordered = count == variables.length ? variables : Arrays.copyOf(variables, count);
    room = Math.max(count, 1);
    clear();
    return Footprint.ofOrdered(ordered, written);
  }
}
