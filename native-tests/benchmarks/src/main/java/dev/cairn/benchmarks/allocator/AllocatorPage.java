package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;

/**
 * The figures as a page of Markdown, and as one line. The same figures always make the same text.
 *
 * @param sections at least one
 */
record AllocatorPage(List<Section> sections, AllocatorOptions options) {
  AllocatorPage {
    sections = List.copyOf(sections);
  }

  /** Passed when every figure that has a goal reaches it. */
  Outcome outcome() {
    return Section.outcome(sections);
  }

  /**
   * @param onnxRuntime its version
   * @param verdict the benchmark's last line
   */
  String text(Origin origin, String onnxRuntime, String verdict) {
    var text = new StringBuilder("""
      # Allocator: Cairn's beside ONNX Runtime's arena, in one process

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      %s
      - Rounds: %d, or as many as a table says; in each, Cairn and ONNX Runtime %s take turns
      - Verdict: `%s`
      """.formatted(origin, options.effort().rounds(), onnxRuntime, verdict));
    text.append("- Goals not reached: %s%n".formatted(Section.missed(sections)));
    if (options.quick()) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    sections.forEach(text::append);
    return text.toString();
  }
}
