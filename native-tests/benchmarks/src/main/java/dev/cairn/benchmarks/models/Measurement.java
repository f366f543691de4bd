package dev.cairn.benchmarks.models;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One process's figures of one engine with one model. Text form: one line of {@code key=value}, read back by
 * {@link #find}.
 *
 * @param engine which engine
 * @param openNanos from the file's name to a session that is ready
 * @param medianNanos of one run, after warming up
 * @param p90Nanos of one run: nine in ten were at most as slow
 * @param iterations how many runs were timed
 * @param peakBytes the most memory that the process had resident, up to the end of the timed runs
 * @param outputs what the model computed
 */
record Measurement(EngineChoice engine, long openNanos, long medianNanos, long p90Nanos, int iterations, long peakBytes,
  OutputDigest outputs) {
  private static final String START = "measured ";

  double millis() {
    return medianNanos / 1e6;
  }

  /**
   * The measurement among the lines that a process printed.
   *
   * @throws IllegalStateException when there is not exactly one
   */
  static Measurement find(List<String> lines) {
    List<String> found = lines.stream().filter(line -> line.startsWith(START)).toList();
    if (found.size() != 1) {
      throw new IllegalStateException("not one measurement: lines=" + lines);
    }
    Map<String, String> fields = Arrays.stream(found.get(0).substring(START.length()).split(" "))
      .map(field -> field.split("=", 2))
      .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    return new Measurement(EngineChoice.of(field(fields, "engine")), Long.parseLong(field(fields, "openNanos")),
      Long.parseLong(field(fields, "medianNanos")), Long.parseLong(field(fields, "p90Nanos")),
      Integer.parseInt(field(fields, "iterations")), Long.parseLong(field(fields, "peakBytes")),
      new OutputDigest(Double.parseDouble(field(fields, "meanMagnitude")), Long.parseLong(field(fields, "notFinite"))));
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalStateException("a measurement without a field: field=%s fields=%s".formatted(name, fields));
    }
    return value;
  }

  @Override
  public String toString() {
    return START + "engine=%s openNanos=%d medianNanos=%d p90Nanos=%d iterations=%d peakBytes=%d".formatted(engine,
      openNanos, medianNanos, p90Nanos, iterations, peakBytes)
      + " meanMagnitude=%s notFinite=%d".formatted(outputs
        .meanMagnitude(), outputs.notFinite());
  }
}
