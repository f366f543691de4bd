package dev.cairn.benchmarks.training;

import dev.cairn.benchmarks.harness.Arguments;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * A page of figures of training.
 *
 * @param name the benchmark's
 * @param title the page's
 * @param quick whether only to see that all works
 * @param write whether the page is written
 */
record TrainingPage(String name, String title, boolean quick, boolean write) {
  static final String USAGE = "[--quick] [--write]";

  static TrainingPage of(String name, String title, List<String> given) {
    boolean quick = false;
    boolean write = false;
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--quick" -> quick = true;
        case "--write" -> write = true;
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    if (quick && write) {
      throw new IllegalArgumentException("only figures of a whole run are kept: --write goes without --quick");
    }
    return new TrainingPage(name, title, quick, write);
  }

  /** Prints the page, and writes it where that is wanted. */
  Outcome print(List<Section> sections, List<String> arguments, Places places) throws IOException {
    Outcome outcome = Section.outcome(sections);
    var text = new StringBuilder("""
      # %s

      Made by `native-tests/benchmarks/run.sh`; do not edit. What training does: [training](../training.md).

      %s
      - Verdict: `%s`
      - Goals not reached: %s
      """.formatted(title, Origin.here(name, arguments), outcome.line(name), Section.missed(sections)));
    if (quick) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    sections.forEach(text::append);
    System.out.println(text);
    if (write) {
      Files.createDirectories(places.page(name).getParent());
      Files.writeString(places.page(name), text.toString());
    }
    return outcome;
  }
}
