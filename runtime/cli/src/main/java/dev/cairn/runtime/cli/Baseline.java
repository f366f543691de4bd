package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.WrittenFile;
import dev.cairn.runtime.cli.text.FigureText;
import dev.cairn.runtime.cli.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Figures that {@code cairn bench} saved, to compare with.
 *
 * @param measured what was measured, apart from how it is done: the graph, the inputs' types, how many at a time
 */
record Baseline(Path file, String measured, long medianNanos) {
  /** @throws Failure.Known when the file is none that was saved so */
  static Baseline read(Path file) throws IOException {
    WrittenFile.requireNoFolder(file);
    JsonNode document;
    try {
      document = JsonMapper.shared().readTree(Files.readAllBytes(file));
    } catch (JacksonException e) {
      throw unreadable(file, "not JSON");
    }
    if (!document.path("command").asString("").equals("bench")) {
      throw unreadable(file, "not written by 'cairn bench --save'");
    }
    int version = document.path("schemaVersion").asInt(0);
    if (version != Json.SCHEMA_VERSION) {
      throw unreadable(file, "schemaVersion=%d wanted=%d".formatted(version, Json.SCHEMA_VERSION));
    }
    long median = document.path("latency").path("medianNanos").asLong(0);
    String measured = document.path("measured").asString("");
    if (median <= 0 || measured.isEmpty()) {
      throw unreadable(file, "latency.medianNanos or measured is missing");
    }
    return new Baseline(file, measured, median);
  }

  private static Failure.Known unreadable(Path file, String reason) {
    return new Failure.Known(ExitCode.OTHER, "the baseline cannot be read", "%s: file=%s".formatted(reason, file),
      "write one with 'cairn bench MODEL --save FILE.json'");
  }

  /** @throws Failure.Known when something else was measured then */
  void requireSame(String now) {
    if (!measured.equals(now)) {
      throw new Failure.Known(ExitCode.USAGE, "the baseline measured something else",
        "now: %s; baseline: %s; file=%s".formatted(now, measured, file),
        "compare the same graph, shapes and concurrency, or save another baseline");
    }
  }

  /** How the time of now compares with the time of then. */
  record Verdict(Baseline baseline, long medianNanos, double tolerancePercent) {
    double ratio() {
      return (double) medianNanos / baseline.medianNanos;
    }

    boolean isTolerated() {
      return ratio() <= 1 + tolerancePercent / 100;
    }

    String text() {
      return String.format(Locale.ROOT, "%.3f times the median of %s (%s), %s %s %%", ratio(), baseline.file, FigureText
        .time(baseline.medianNanos), isTolerated() ? "within" : "more than", FigureText.number(tolerancePercent));
    }

    Map<String, Object> document() {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("file", baseline.file.toString());
      document.put("medianNanos", baseline.medianNanos);
      document.put("ratio", ratio());
      document.put("tolerancePercent", tolerancePercent);
      document.put("tolerated", isTolerated());
      return document;
    }

    /** @throws Failure.Known when it is slower than tolerated */
    void require() {
      if (!isTolerated()) {
        throw new Failure.Known(ExitCode.COMPARISON_FAILED, "slower than the baseline",
          String.format(Locale.ROOT, "medianNanos=%d baselineNanos=%d ratio=%.3f tolerancePercent=%s", medianNanos,
            baseline.medianNanos, ratio(), FigureText.number(tolerancePercent)),
          "find the slow step with 'cairn run --export-profile'; if the time is as expected, --save a new baseline");
      }
    }
  }
}
