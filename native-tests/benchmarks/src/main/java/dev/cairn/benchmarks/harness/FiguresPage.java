package dev.cairn.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * Sections of figures as a page of Markdown. The same figures always make the same text.
 *
 * @param name the benchmark's
 * @param title the page's
 * @param about a sentence with a link to the page on what is measured
 */
public record FiguresPage(String name, String title, String about, PageOptions options) {
  /**
   * Prints the page, and writes it where that is wanted.
   *
   * @param skipped tables without data
   * @param origin from before the measurements: it has the machine's load
   */
  public Outcome print(List<Section> sections, List<String> skipped, Origin origin, Places places)
    throws IOException {
    Outcome outcome = outcome(sections, skipped);
    String page = text(sections, skipped, origin, outcome.line(name));
    System.out.println(page);
    if (options.write()) {
      Files.createDirectories(places.page(name).getParent());
      Files.writeString(places.page(name), page);
    }
    return outcome;
  }

  /** Passes only where no table is missing. */
  static Outcome outcome(List<Section> sections, List<String> skipped) {
    Outcome all = Section.outcome(sections);
    return skipped.isEmpty()
      ? all
      : new Outcome(all.figures() + " skipped-no-data=" + String.join(",", skipped), all.goals(), false);
  }

  /** @param verdict the benchmark's last line */
  String text(List<Section> sections, List<String> skipped, Origin origin, String verdict) {
    var text = new StringBuilder("""
      # %s

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).
      %s

      %s
      - Verdict: `%s`
      - Goals not reached: %s
      """.formatted(title, about, origin, verdict, Section.missed(sections)));
    if (!skipped.isEmpty()) {
      text.append("- Skipped, no data: %s%n".formatted(String.join(", ", skipped)));
    }
    if (options.quick()) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    sections.forEach(text::append);
    return text.toString();
  }
}
