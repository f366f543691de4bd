package dev.cairn.runtime.memory.planner.inductor.size;

import java.util.BitSet;
import java.util.List;

/**
 * Proofs that one size is no less than another, whatever the dimensions: each term of the lesser is covered by a term
 * of the greater that covers no other. Finds the usual proofs, not all: an answer "no" proves nothing. What is rounded
 * up covers what is rounded up of less, and what is not rounded; the greatest of several covers what one of them
 * covers.
 */
final class Domination {
  private Domination() {}

  static boolean isAtLeast(List<Term> greater, List<Term> lesser) {
    if (greater.equals(lesser)) {
      return true;
    }
    BitSet used = new BitSet();
    for (Term wanted : lesser) {
      int cover = cover(greater, used, wanted);
      if (cover < 0) {
        return false;
      }
      used.set(cover);
    }
    return true;
  }

  /** A term not used yet that covers the wanted one, one of the same factors if there is one; -1 if none does. */
  private static int cover(List<Term> terms, BitSet used, Term wanted) {
    int found = -1;
    for (int i = 0; i < terms.size(); i++) {
      if (!used.get(i)) {
        if (terms.get(i).factors().equals(wanted.factors()) && terms.get(i).coefficient() >= wanted.coefficient()) {
          return i;
        }
        if (found < 0 && covers(terms.get(i), wanted)) {
          found = i;
        }
      }
    }
    return found;
  }

  private static boolean covers(Term term, Term wanted) {
    List<Term> whole = List.of(wanted);
    if (wanted.coefficient() == 1 && wanted.factors().size() == 1) {
      switch (wanted.factors().getFirst()) {
        case Factor.Greatest greatest -> {
          return greatest.sizes().stream().allMatch(size -> isAtLeast(List.of(term), size.terms()));
        }
        case Factor.Padded padded when term.factors().size() == 1
          && term.factors().getFirst() instanceof Factor.Padded own && own.alignment() >= padded.alignment() -> {
          return own.size().isAtLeast(padded.size());
        }
        case Factor.Padded padded when term.isMultipleOf(padded.alignment()) -> {
          return isAtLeast(List.of(term), padded.size().terms());
        }
        default -> {}
      }
    }
    return term.factors().size() == 1 && switch (term.factors().getFirst()) {
      case Factor.Padded padded -> isAtLeast(padded.size().terms(), whole);
      case Factor.Greatest greatest -> greatest.sizes().stream().anyMatch(size -> isAtLeast(size.terms(), whole));
      case Factor.Dimension _ -> false;
    };
  }
}
