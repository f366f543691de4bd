package dev.cairn.runtime.operator.gradient;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The gradients of operators, by name. Immutable. */
public final class GradientTable {
  private final SortedMap<String, GradientRow> rows = new TreeMap<>();

  /** @throws IllegalArgumentException when two rows are of the same operator */
  public GradientTable(List<GradientRow> given) {
    for (GradientRow row : given) {
      if (rows.put(row.operator(), row) != null) {
        throw new IllegalArgumentException("two gradients for one operator: operator=" + row.operator());
      }
    }
  }

  private GradientTable(SortedMap<String, GradientRow> rows, GradientRow more) {
    this.rows.putAll(rows);
    this.rows.put(more.operator(), more);
  }

  public Optional<GradientRow> find(String operator) {
    return Optional.ofNullable(rows.get(operator));
  }

  /** The same table with this row, in place of the operator's former row if it had one. */
  public GradientTable with(GradientRow row) {
    return new GradientTable(rows, row);
  }

  /** The operators that have a row. */
  public SortedSet<String> names() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(rows.keySet()));
  }
}
