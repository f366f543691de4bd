package dev.cairn.benchmarks.models;

import ai.onnxruntime.OrtEnvironment;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page of ratios to ONNX Runtime.
 *
 * @param title of the page
 * @param sections its tables, whose figures make the verdict
 */
record RatiosPage(String title, Origin origin, ModelsOptions options, List<Section> sections) {

  /** Prints the page, and writes it to a file if the options say so. */
  Outcome publish(String benchmark, Path file) throws IOException {
    Outcome outcome = Section.outcome(sections);
    String text = text(OrtEnvironment.getEnvironment().getVersion(), outcome.line(benchmark));
    System.out.println(text);
    if (options.write()) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    return outcome;
  }

  /**
   * @param onnxRuntime its version
   * @param verdict the benchmark's last line
   */
  String text(String onnxRuntime, String verdict) {
    var text = new StringBuilder("""
      # %s

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      %s
      - Rounds: %d; each process warms up for %.1f s, and up to 12 s more until the JVM compiles no more; it is
        timed for %.1f s, with %d thread%s; ONNX Runtime %s
      - Verdict: `%s`
      - Goals not reached: %s
      """.formatted(title, origin, options.rounds(), options.warmupSeconds(), options.seconds(), options.threads()
      .getFirst(), options.threads().getFirst() == 1 ? "" : "s", onnxRuntime, verdict, Section.missed(sections)));
    if (options.quick()) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    sections.forEach(text::append);
    return text.toString();
  }
}
