package dev.cairn.benchmarks.harness;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One table of the page, with its explanation.
 *
 * @param title of the section
 * @param text what is measured, before the table
 * @param figures the figures of the last line
 */
public record Section(String title, String text, MarkdownTable table, List<Figure> figures) {
  public Section {
    figures = List.copyOf(figures);
  }

  /** The result of all sections: passed when every figure that has a goal reaches it. */
  public static Outcome outcome(List<Section> sections) {
    List<Figure> all = sections.stream().flatMap(it -> it.figures().stream()).toList();
    return new Outcome(all.stream().map(Figure::toString).collect(Collectors.joining(" ")),
      all.stream().flatMap(it -> it.goal().stream().map(goal -> it.key() + goal)).collect(Collectors.joining(",")),
      all.stream().noneMatch(Figure::isShort));
  }

  /** The figures that miss their goals, in words; {@code none} when all reach them. */
  public static String missed(List<Section> sections) {
    String missed = sections.stream().flatMap(it -> it.figures().stream()).filter(Figure::isShort)
      .map(it -> "`%s`".formatted(it)).collect(Collectors.joining(", "));
    return missed.isEmpty() ? "none" : missed;
  }

  /** The section as Markdown, after an empty line. */
  @Override
  public String toString() {
    return "%n## %s%n%n%s%n%s%n".formatted(title, text.stripTrailing() + System.lineSeparator(), table);
  }
}
