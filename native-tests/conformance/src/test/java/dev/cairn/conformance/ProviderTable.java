package dev.cairn.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** All operators of ONNX Runtime's processor provider: which run, and why the others do not. */
final class ProviderTable {
  private static final String FILE = "/oracle/processor-operators.txt";

  private ProviderTable() {}

  /**
   * An operator for which the provider has a kernel.
   *
   * @param domain {@code ai.onnx} for ONNX's own
   * @param reason why Cairn refuses it; empty if it runs
   */
  record Provided(String domain, String name, String reason) {
    boolean runs() {
      return reason.isEmpty();
    }
  }

  static List<Provided> operators() {
    List<Provided> all = new ArrayList<>();
    for (String line : text().lines().filter(it -> !it.startsWith("#")).toList()) {
      int end = line.indexOf(": ");
      String[] words = (end < 0 ? line : line.substring(0, end)).split(" ");
      all.add(new Provided(words[0], words[1], end < 0 ? "" : line.substring(end + 2)));
    }
    return all;
  }

  private static String text() {
    try (InputStream file = Objects.requireNonNull(ProviderTable.class.getResourceAsStream(FILE), FILE)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The part of the page that has the table. */
  static List<String> section() {
    List<Provided> all = operators();
    long run = all.stream().filter(Provided::runs).count();
    List<String> lines = new ArrayList<>(List.of("", "## Operators of ONNX Runtime's processor provider", "",
      "All operators for which ONNX Runtime 1.30 registers a kernel for processors: %d of %d run. Cairn refuses the"
        .formatted(run, all.size()),
      "others by name. `RandomOperatorsTest` compares operators with ONNX Runtime on random operands, and",
      "`ProviderOperatorsTest` keeps this table true.", "", "| domain | operator | runs | why not |",
      "| --- | --- | --- | --- |"));
    all.forEach(it -> lines.add("| %s | %s | %s | %s |".formatted(it.domain, it.name, it.runs() ? "yes" : "no",
      it.reason)));
    return lines;
  }
}
