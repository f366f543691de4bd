package dev.cairn.conformance;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** What became of one case. */
sealed interface Verdict {
  /** The outputs are right in every setting, and a session plans the model as it is given. */
  record Passed() implements Verdict {}

  /**
   * A shape depends on values that come with a run, and a session makes no plan for them. Its outputs are right, node
   * by node; where those values are inputs of the model, planned runs are right too when they are constants instead.
   *
   * @param values names of those inputs; empty where the values are computed from data
   */
  record PassedNodeByNode(String values) implements Verdict {}

  /**
   * Something in the case is outside of what Cairn claims.
   *
   * @param reasons at least one, each a few words
   */
  record NotClaimed(SortedSet<String> reasons) implements Verdict {
    public NotClaimed {
      reasons = Collections.unmodifiableSortedSet(new TreeSet<>(reasons));
    }
  }

  /** Claimed, and wrong. */
  record Failed(String reason) implements Verdict {}
}
