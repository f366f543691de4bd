package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The figures as a page of Markdown. The same figures always make the same text.
 *
 * @param failed tables that could not be made, and why
 * @param device that they are of
 * @param simulated whether it is none
 * @param quick whether the run was only to see that all works
 */
record GpuPage(List<Section> sections, SequencedMap<String, String> failed, String device, boolean simulated,
  boolean quick) {
  GpuPage {
    sections = List.copyOf(sections);
    failed = new LinkedHashMap<>(failed);
  }

  /** Passes only where no table is missing, and never on the simulator. */
  Outcome outcome() {
    Outcome all = Section.outcome(sections);
    String figures = (simulated ? "device=simulated " : "") + (failed.isEmpty()
      ? ""
      : "failed-tables=%s ".formatted(String.join(",", failed.keySet()))) + all.figures();
    return new Outcome(figures.strip(), all.goals(), all.passed() && !simulated && failed.isEmpty());
  }

  /** @param verdict the benchmark's last line */
  String text(Origin origin, String verdict) {
    var text = new StringBuilder("""
      # GPU: what Cairn's calls cost beside the driver's own

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      %s
      - Device: %s
      - Verdict: `%s`
      - Goals not reached: %s
      """.formatted(origin, device, verdict, simulated ? "all, on the simulator" : Section.missed(sections)));
    if (simulated) {
      text.append("- **Simulated**: there was no GPU. These figures show that everything works, and nothing else\n");
    }
    if (quick) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    failed.forEach((table, why) -> text.append("- Failed: %s, %s%n".formatted(table, why.replace('\n', ' '))));
    sections.forEach(text::append);
    return text.toString();
  }
}
