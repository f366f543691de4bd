package dev.cairn.runtime.engine;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gathers footprints into one: each variable once, and written when one of them writes it. Used again and again. */
final class FootprintUnion {
  private @Nullable Variable[] variables = new @Nullable Variable[32];
  private boolean[] written = new boolean[32];
  private int count;

  void add(Footprint footprint) {
    for (int i = 0; i < footprint.size(); i++) {
      add(footprint.variable(i), footprint.isWritten(i));
    }
  }

  private void add(Variable variable, boolean write) {
    if (count == variables.length) {
      variables = Arrays.copyOf(variables, 2 * count);
      written = Arrays.copyOf(written, 2 * count);
    }
    insert(variable, write);
  }

  private void insert(Variable variable, boolean write) {
    // From behind: operations in a row mostly touch later made, or the same, variables.
    int at = count;
    while (at > 0 && Objects.requireNonNull(variables[at - 1]).number() > variable.number()) {
      at--;
    }
    if (at > 0 && variables[at - 1] == variable) {
      written[at - 1] |= write;
      return;
    }
    if (at < count) {
      System.arraycopy(variables, at, variables, at + 1, count - at);
      System.arraycopy(written, at, written, at + 1, count - at);
    }
    variables[at] = variable;
    written[at] = write;
    count++;
  }

  /** The footprint of what was added since the last time. */
  Footprint take() {
    var ordered = new Variable[count];
    System.arraycopy(variables, 0, ordered, 0, count);
    Footprint footprint = Footprint.ofOrdered(ordered, written);
    Arrays.fill(variables, 0, count, null);
    count = 0;
    return footprint;
  }
}
