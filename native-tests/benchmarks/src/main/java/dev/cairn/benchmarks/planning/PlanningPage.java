package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;

/**
 * The figures as a page of Markdown. The same figures always make the same text.
 *
 * @param skipped tables without data
 */
record PlanningPage(List<Section> sections, List<String> skipped, boolean quick) {
  PlanningPage {
    sections = List.copyOf(sections);
    skipped = List.copyOf(skipped);
  }

  /** @param verdict the benchmark's last line */
  String text(Origin origin, String verdict) {
    var text = new StringBuilder("""
      # Planning: how small plans are, and how fast they are made

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).
      What the planners do: [planning](../planning.md).

      %s
      - Verdict: `%s`
      - Goals not reached: %s
      """.formatted(origin, verdict, Section.missed(sections)));
    if (!skipped.isEmpty()) {
      text.append("- Skipped, no data: %s%n".formatted(String.join(", ", skipped)));
    }
    if (quick) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    sections.forEach(text::append);
    return text.toString();
  }
}
