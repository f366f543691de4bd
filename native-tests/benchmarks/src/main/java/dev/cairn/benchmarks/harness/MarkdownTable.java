package dev.cairn.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table as text: the first column is words, the others are figures, to the right. */
public final class MarkdownTable {
  private final int columns;
  private final List<String> lines = new ArrayList<>();

  public MarkdownTable(String... heads) {
    this.columns = heads.length;
    add(heads);
    lines.add("| --- |" + " ---: |".repeat(columns - 1));
  }

  /** @throws IllegalArgumentException when there are not as many cells as heads, or one holds a bar or a line's end */
  public MarkdownTable row(String... cells) {
    add(cells);
    return this;
  }

  /** A figure for a cell, with so many digits after the point. */
  public static String number(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private void add(String... cells) {
    for (String cell : cells) {
      if (cells.length != columns || cell.contains("|") || cell.contains("\n")) {
        throw new IllegalArgumentException("not a row: columns=%d cells=%s".formatted(columns, List.of(cells)));
      }
    }
    lines.add("| " + String.join(" | ", cells) + " |");
  }

  /** Without a line's end after the last row. */
  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
