package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.MarkdownTable;
import java.util.List;

/**
 * One table of the page, with what is to be known of it.
 *
 * @param title of the section
 * @param text what is measured, before the table
 * @param figures those that go into the last line
 */
record Section(String title, String text, MarkdownTable table, List<Figure> figures) {
  Section {
    figures = List.copyOf(figures);
  }

  /** As Markdown, after an empty line. */
  @Override
  public String toString() {
    return "%n## %s%n%n%s%n%s%n".formatted(title, text, table);
  }
}
