package dev.cairn.runtime.cli.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in aligned columns, two spaces apart: the first column to the left, numbers to the right. Mutable while it is
 * filled.
 */
public final class Table {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    this.header = List.of(header);
  }

  /** @param cells as many as the header has */
  public Table row(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException("cells and columns differ: cells=%d columns=%d".formatted(cells.length, header
        .size()));
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(EscapedText.inLine(String.valueOf(cell)));
    }
    rows.add(List.copyOf(row));
    return this;
  }

  /** All lines, each behind {@code indent}. */
  public String text(String indent) {
    int[] widths = new int[header.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = Columns.of(header.get(column));
      for (List<String> row : rows) {
        widths[column] = Math.max(widths[column], Columns.of(row.get(column)));
      }
    }
    var text = new StringBuilder();
    line(text, indent, header, widths);
    rows.forEach(row -> line(text, indent, row, widths));
    return text.toString();
  }

  private void line(StringBuilder text, String indent, List<String> cells, int[] widths) {
    var line = new StringBuilder(indent);
    for (int column = 0; column < widths.length; column++) {
      String cell = cells.get(column);
      String pad = " ".repeat(widths[column] - Columns.of(cell));
      line.append(column == 0 ? "" : "  ").append(isNumeric(column) ? pad + cell : cell + pad);
    }
    text.append(line.toString().stripTrailing()).append(System.lineSeparator());
  }

  private boolean isNumeric(int column) {
    return column > 0 && !rows.isEmpty() && rows.stream().allMatch(row -> row.get(column).isEmpty()
      || Character.isDigit(row.get(column).charAt(0)) || row.get(column).charAt(0) == '-');
  }
}
