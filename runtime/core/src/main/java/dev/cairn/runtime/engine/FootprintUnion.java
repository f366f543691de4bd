package dev.cairn.runtime.engine;

import java.util.Arrays;

/** Gathers footprints into one: each variable once, and written when one of them writes it. */
final class FootprintUnion {
  private final Variable[] variables;
  private final boolean[] written;
  private int count;

  FootprintUnion(int most) {
    this.variables = new Variable[most];
    this.written = new boolean[most];
  }

  void add(Footprint footprint) {
    for (int i = 0; i < footprint.size(); i++) {
      add(footprint.variable(i), footprint.isWritten(i));
    }
  }

  private void add(Variable variable, boolean write) {
    // From behind: operations in a row mostly touch later made, or the same, variables.
    int at = count;
    while (at > 0 && variables[at - 1].number() > variable.number()) {
      at--;
    }
    if (at > 0 && variables[at - 1] == variable) {
      written[at - 1] |= write;
      return;
    }
    System.arraycopy(variables, at, variables, at + 1, count - at);
    System.arraycopy(written, at, written, at + 1, count - at);
    variables[at] = variable;
    written[at] = write;
    count++;
  }

  Footprint footprint() {
    return Footprint.ofOrdered(Arrays.copyOf(variables, count), Arrays.copyOf(written, count));
  }
}
