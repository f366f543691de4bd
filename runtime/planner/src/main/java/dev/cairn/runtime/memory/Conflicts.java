package dev.cairn.runtime.memory;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Pairs of buffers that must not share bytes although their lifetimes may be disjoint, such as buffers of concurrent
 * branches. A value: a bit set for each buffer with conflicts.
 */
public final class Conflicts {
  /** No pairs. */
  public static final Conflicts NONE = new Builder().build();

  /** The conflicting buffers of each buffer, by index; no longer than needed. */
  private final BitSet[] rows;

  private Conflicts(BitSet[] rows) {
    this.rows = rows;
  }

  /** Whether the two buffers conflict. Symmetric. */
  public boolean contains(int first, int second) {
    return first < rows.length && rows[first].get(second);
  }

  /** The buffers that conflict with this one, ascending. */
  public IntStream with(int buffer) {
    return buffer < rows.length ? rows[buffer].stream() : IntStream.empty();
  }

  public boolean isEmpty() {
    return rows.length == 0;
  }

  /** Number of pairs. */
  public long count() {
    return Arrays.stream(rows).mapToLong(BitSet::cardinality).sum() / 2;
  }

  /** One more than the highest buffer index; 0 without pairs. */
  public int limit() {
    return rows.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Conflicts it && Arrays.equals(rows, it.rows);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(rows);
  }

  @Override
  public String toString() {
    return count() + " conflicts";
  }

  /** Collects pairs. Not thread-safe. */
  public static final class Builder {
    private BitSet[] rows = new BitSet[0];

    /** Adds a pair; the order and repetition do not matter. */
    public Builder add(int first, int second) {
      if (first == second || first < 0 || second < 0) {
        throw new IllegalArgumentException("no pair of buffers: first=%d second=%d".formatted(first, second));
      }
      reach(Math.max(first, second));
      rows[first].set(second);
      rows[second].set(first);
      return this;
    }

    public Conflicts build() {
      BitSet[] copy = new BitSet[rows.length];
      for (int i = 0; i < copy.length; i++) {
        copy[i] = (BitSet) rows[i].clone();
      }
      int limit = copy.length;
      while (limit > 0 && copy[limit - 1].isEmpty()) {
        limit--;
      }
      return new Conflicts(Arrays.copyOf(copy, limit));
    }

    private void reach(int index) {
      int before = rows.length;
      if (index >= before) {
        rows = Arrays.copyOf(rows, Math.max(index + 1, before * 2));
        for (int i = before; i < rows.length; i++) {
          rows[i] = new BitSet();
        }
      }
    }
  }
}
