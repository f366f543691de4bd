package dev.cairn.runtime.engine;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** Makes footprints of several variables: sorts them, and checks that none is written and touched besides. */
final class FootprintMaker {
  private static final Comparator<Variable> BY_NUMBER = Comparator.comparingLong(Variable::number);
  /** Up to so many are sorted without more ado, which is several times as fast as a general sort. */
  private static final int FEW = 16;

  private FootprintMaker() {}

  /** @throws IllegalArgumentException when a variable is written twice, or both read and written */
  static Footprint of(List<Variable> reads, List<Variable> writes) {
    var all = new Variable[reads.size() + writes.size()];
    int at = 0;
    for (int i = 0; i < writes.size(); i++) {
      all[at++] = writes.get(i);
    }
    for (int i = 0; i < reads.size(); i++) {
      all[at++] = reads.get(i);
    }
    if (all.length <= FEW) {
      sortFew(all);
    } else {
      Arrays.sort(all, BY_NUMBER);
    }
    return withWrites(eachOnce(all, reads, writes), writes);
  }

  private static void sortFew(Variable[] all) {
    for (int i = 1; i < all.length; i++) {
      Variable variable = all[i];
      int at = i;
      while (at > 0 && all[at - 1].number() > variable.number()) {
        all[at] = all[at - 1];
        at--;
      }
      all[at] = variable;
    }
  }

  private static Variable[] eachOnce(Variable[] sorted, List<Variable> reads, List<Variable> writes) {
    int count = 1;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] != sorted[count - 1]) {
        sorted[count++] = sorted[i];
      } else if (writes.contains(sorted[i])) {
        throw new IllegalArgumentException("a variable twice in one operation: variable=%s reads=%s writes=%s"
          .formatted(sorted[i], reads, writes));
      }
    }
    return count == sorted.length ? sorted : Arrays.copyOf(sorted, count);
  }

  private static Footprint withWrites(Variable[] ordered, List<Variable> writes) {
    if (ordered.length > FEW) {
      var written = new BitSet(ordered.length);
      for (Variable variable : writes) {
        written.set(Arrays.binarySearch(ordered, variable, BY_NUMBER));
      }
      return ordered.length > Long.SIZE
        ? Footprint.ofOrdered(ordered, 0, written)
        : Footprint.ofOrdered(ordered, written.isEmpty() ? 0 : written.toLongArray()[0], null);
    }
    long bits = 0;
    for (int i = 0; i < writes.size(); i++) {
      int at = 0;
      while (ordered[at] != writes.get(i)) {
        at++;
      }
      bits |= 1L << at;
    }
    return Footprint.ofOrdered(ordered, bits, null);
  }
}
