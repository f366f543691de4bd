package dev.cairn.runtime.cli.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word that a mistyped one probably means. */
public final class Suggestion {
  private static final int LETTERS_PER_MISTAKE = 3;
  /** From so many letters on, a typed word may be the beginning of a known one. */
  private static final int LEAST_BEGINNING = 3;

  private Suggestion() {}

  /**
   * The shortest known word that begins with {@code typed}, else the nearest with at most one mistake for every three
   * letters; empty if there is none, or if {@code typed} is itself known.
   */
  public static Optional<String> of(String typed, Collection<String> known) {
    if (known.contains(typed)) {
      return Optional.empty();
    }
    Optional<String> begun = known.stream().filter(word -> typed.length() >= LEAST_BEGINNING && word.startsWith(typed))
      .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    return begun.isPresent() ? begun : nearest(typed, known);
  }

  private static Optional<String> nearest(String typed, Collection<String> known) {
    return known.stream().filter(word -> mistakes(typed, word) <= allowed(typed)).min(Comparator
      .<String>comparingInt(word -> mistakes(typed, word)).thenComparing(Comparator.naturalOrder()));
  }

  /** The suggestion as a sentence with which a remedy begins; empty if there is none. */
  public static String sentence(String typed, Collection<String> known) {
    return of(typed, known).map("did you mean '%s'? "::formatted).orElse("");
  }

  private static int allowed(String typed) {
    return Math.max(1, typed.length() / LETTERS_PER_MISTAKE);
  }

  /** Letters to insert, leave out, replace or swap with the next one (optimal string alignment). */
  private static int mistakes(String typed, String word) {
    int[][] costs = new int[typed.length() + 1][word.length() + 1];
    for (int i = 0; i <= typed.length(); i++) {
      for (int j = 0; j <= word.length(); j++) {
        costs[i][j] = i == 0 || j == 0 ? i + j : least(costs, typed, word, i, j);
      }
    }
    return costs[typed.length()][word.length()];
  }

  private static int least(int[][] costs, String typed, String word, int i, int j) {
    int different = typed.charAt(i - 1) == word.charAt(j - 1) ? 0 : 1;
    int least = Math.min(Math.min(costs[i - 1][j], costs[i][j - 1]) + 1, costs[i - 1][j - 1] + different);
    boolean swapped = i > 1 && j > 1 && typed.charAt(i - 1) == word.charAt(j - 2) && typed.charAt(i - 2) == word.charAt(
      j - 1);
    return swapped ? Math.min(least, costs[i - 2][j - 2] + 1) : least;
  }
}
