package dev.cairn.runtime.memory.recompute;

import java.util.Arrays;

/**
 * A sequence of steps, each of which runs a node. A node may occur more than once; every occurrence but the first is a
 * <em>recomputation</em>. A read takes the latest earlier run of its producer, so the word also says when values die.
 * Immutable.
 */
public final class Word {
  private final int[] steps;

  private Word(int[] steps) {
    this.steps = steps;
  }

  /** The word that runs these nodes, one after the other. */
  public static Word of(int... nodes) {
    return new Word(nodes.clone());
  }

  /** How many steps it has. */
  public int length() {
    return steps.length;
  }

  /** The node that runs at a step. */
  public int node(int step) {
    return steps[step];
  }

  /** The nodes in the order in which they run. */
  public int[] steps() {
    return steps.clone();
  }

  /** How often each of so many nodes runs. */
  public int[] runs(int nodes) {
    int[] runs = new int[nodes];
    for (int node : steps) {
      runs[node]++;
    }
    return runs;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Word word && Arrays.equals(steps, word.steps);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(steps);
  }

  @Override
  public String toString() {
    return Arrays.toString(steps);
  }
}
