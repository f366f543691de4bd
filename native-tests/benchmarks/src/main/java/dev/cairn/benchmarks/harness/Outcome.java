package dev.cairn.benchmarks.harness;

/**
 * The result of a benchmark.
 *
 * @param figures {@code key=value}, separated by spaces
 * @param goals the judged goals, separated by commas
 * @param passed whether all of them are reached
 */
public record Outcome(String figures, String goals, boolean passed) {
  public Outcome {
    if (figures.contains("\n") || goals.contains("\n")) {
      throw new IllegalArgumentException("an outcome is one line: figures=%s goals=%s".formatted(figures, goals));
    }
  }

  /** The last line of a benchmark's output. */
  public String line(String name) {
    return "%s: %s goal=%s %s".formatted(name, figures, goals, passed ? "pass" : "short");
  }
}
