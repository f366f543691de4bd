package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;

/**
 * The figures as a page of Markdown, and as one line. The same figures always make the same text.
 *
 * @param sections at least one
 * @param mxnet its version, or that it is not there
 */
record EnginePage(List<Section> sections, String mxnet, EngineRunOptions options) {
  EnginePage {
    sections = List.copyOf(sections);
  }

  /** Passed when every figure that has a goal reaches it, and nothing is missing to compare with. */
  Outcome outcome() {
    Outcome all = Section.outcome(sections);
    return mxnet.equals(Rivals.NOT_THERE)
      ? new Outcome(all.figures() + " mxnet=not-there", all.goals() + ",mxnet-there", false)
      : all;
  }

  /** @param verdict the benchmark's last line */
  String text(Origin origin, String verdict) {
    var text = new StringBuilder("""
      # Engine: what an operation costs, beside MXNet's engine in one process

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).
      What the engine does: [engine](../engine.md).

      %s
      - MXNet: %s
      - Rounds: %d; in each, Cairn and MXNet take turns
      - Verdict: `%s`
      - Goals not reached: %s
      """.formatted(origin, mxnet, options.effort().rounds(), verdict, Section.missed(sections)));
    if (options.quick()) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    sections.forEach(text::append);
    return text.toString();
  }
}
