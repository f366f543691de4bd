package dev.cairn.conformance;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** What became of one case. */
sealed interface Verdict {
  /** The outputs are right in every setting. */
  record Passed() implements Verdict {}

  /**
   * The outputs are right in every setting, when inputs that shapes depend on are constants of the model. Cairn plans
   * before it runs, so it has to know them.
   *
   * @param inputs names of those inputs
   */
  record PassedWithConstants(String inputs) implements Verdict {}

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
