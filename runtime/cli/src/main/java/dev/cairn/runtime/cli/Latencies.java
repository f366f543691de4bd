package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.text.FigureText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How long each of several runs took. Percentiles are nearest-rank: a value that was really measured. */
record Latencies(List<Long> nanos) {
  Latencies {
    nanos = List.copyOf(nanos);
    if (nanos.isEmpty()) {
      throw new IllegalArgumentException("no run was timed");
    }
  }

  /** @param percent 0 to 100 */
  long percentile(double percent) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.clamp(rank, 1, sorted.length) - 1];
  }

  String text(List<Double> percentiles) {
    String values = percentiles.stream().map(p -> "p%s %s".formatted(FigureText.number(p), millis(p)))
      .collect(Collectors.joining(", "));
    return "%s, min %s, max %s over %d run%s".formatted(values, millis(0), millis(100), nanos.size(),
      nanos.size() == 1 ? "" : "s");
  }

  private String millis(double percent) {
    return FigureText.millis(percentile(percent));
  }

  Map<String, Object> document(List<Double> percentiles) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("runs", nanos.size());
    percentiles.forEach(p -> document.put("p" + FigureText.number(p) + "Nanos", percentile(p)));
    document.put("minNanos", percentile(0));
    document.put("maxNanos", percentile(100));
    return document;
  }

  /** One line a run, for {@code --export-times}. */
  String lines() {
    return nanos.stream().map(String::valueOf).collect(Collectors.joining("\n", "nanos\n", "\n"));
  }
}
