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

  /**
   * Makes a footprint of at least one variable.
   *
   * @param all those that are written, then those that are read
   * @param writes how many are written
   * @throws IllegalArgumentException when a variable is written twice, or both read and written
   */
  static Footprint of(Variable[] all, int writes) {
    return all.length <= FEW ? ofFew(all, writes) : ofMany(all, writes);
  }

  private static Footprint ofFew(Variable[] all, int writes) {
    long written = (1L << writes) - 1;
    for (int i = 1; i < all.length; i++) {
      Variable variable = all[i];
      long bit = written >>> i & 1;
      int at = i;
      while (at > 0 && all[at - 1].number() > variable.number()) {
        all[at] = all[at - 1];
        written = withBit(written, at, written >>> (at - 1) & 1);
        at--;
      }
      all[at] = variable;
      written = withBit(written, at, bit);
    }
    int count = 1;
    for (int i = 1; i < all.length; i++) {
      if (all[i] != all[count - 1]) {
        written = withBit(written, count, written >>> i & 1);
        all[count++] = all[i];
      } else if ((written >>> i & 1) != 0 || (written >>> (count - 1) & 1) != 0) {
        throw twice(all[i]);
      }
    }
    Variable[] ordered = count == all.length ? all : Arrays.copyOf(all, count);
    return Footprint.ofOrdered(ordered, written & ((1L << count) - 1), null);
  }

  private static long withBit(long bits, int at, long bit) {
    return (bits & ~(1L << at)) | bit << at;
  }

  private static Footprint ofMany(Variable[] all, int writes) {
    List<Variable> written = List.of(Arrays.copyOf(all, writes));
    Variable[] ordered = eachOnce(all, written);
    var bits = new BitSet(ordered.length);
    for (Variable variable : written) {
      bits.set(Arrays.binarySearch(ordered, variable, BY_NUMBER));
    }
    return ordered.length > Long.SIZE
      ? Footprint.ofOrdered(ordered, 0, bits)
      : Footprint.ofOrdered(ordered, bits.isEmpty() ? 0 : bits.toLongArray()[0], null);
  }

  private static Variable[] eachOnce(Variable[] all, List<Variable> written) {
    Arrays.sort(all, BY_NUMBER);
    int count = 1;
    for (int i = 1; i < all.length; i++) {
      if (all[i] != all[count - 1]) {
        all[count++] = all[i];
      } else if (written.contains(all[i])) {
        throw twice(all[i]);
      }
    }
    return count == all.length ? all : Arrays.copyOf(all, count);
  }

  private static IllegalArgumentException twice(Variable variable) {
    return new IllegalArgumentException("a variable twice in one operation, and written: variable=" + variable);
  }
}
