package dev.cairn.runtime.cli;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.option.RepeatOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.session.SessionOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All that {@code cairn bench} has to say, as text and as JSON.
 *
 * @param measured what a baseline must have measured too
 * @param plan empty where shapes depend on values
 * @param overhead what keeping to a limit takes of time, as a part of a run without one; empty where nothing
 */
record BenchReport(String model, String device, String measured, SessionOptions options, int concurrency,
  RepeatOption repeat, BenchTimes times, AllocatorStats memory, Optional<CompiledGraph> plan,
  OptionalDouble overhead, Optional<Baseline.Verdict> verdict) {

  String text() {
    var text = new StringBuilder();
    line(text, "model", model);
    line(text, "device", device);
    line(text, "load", "%d runs, %d concurrent, after %d warm-up runs".formatted(times.runs(), concurrency, repeat
      .warmup()));
    line(text, "latency", times.text(repeat.percentiles()));
    line(text, "rate", String.format(Locale.ROOT, "%.2f runs/s over %.2f s", times.runsPerSecond(), times.elapsedNanos()
      / 1e9));
    line(text, "memory", "peak %s in use, %s reserved".formatted(StatsText.bytes(memory.peakBytesInUse()), StatsText
      .bytes(memory.poolBytes())) + plan.map(it -> PlanComparison.price(it, "         ")).orElse("")
      + (overhead.isEmpty()
        ? ""
        : String.format(Locale.ROOT, "%n         measured: %+.1f %% time over the same model without a limit", 100
          * overhead.getAsDouble())));
    verdict.ifPresent(it -> line(text, "baseline", it.text()));
    return text.toString();
  }

  private static void line(StringBuilder text, String label, String value) {
    text.append(String.format(Locale.ROOT, "%-8s %s%n", label, value));
  }

  Map<String, Object> document() {
    Map<String, Object> document = Json.document("bench");
    document.put("model", model);
    document.put("device", device);
    document.put("measured", measured);
    document.put("concurrency", concurrency);
    document.put("threads", options.threads());
    document.put("planner", options.compile().planner().toString());
    document.put("warmup", repeat.warmup());
    document.put("latency", times.document(repeat.percentiles()));
    document.put("elapsedNanos", times.elapsedNanos());
    document.put("runsPerSecond", times.runsPerSecond());
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("peakBytesInUse", memory.peakBytesInUse());
    stats.put("reservedBytes", memory.poolBytes());
    document.put("memory", stats);
    plan.ifPresent(it -> PlanComparison.addPrice(it, document));
    overhead.ifPresent(it -> document.put("measuredOverhead", it));
    verdict.ifPresent(it -> document.put("baseline", it.document()));
    return document;
  }
}
