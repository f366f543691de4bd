package dev.cairn.runtime.cli;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** All that {@code cairn run} has to say, as text and as JSON. */
record RunReport(String model, String device, String kernels, RunPlan plan, Latencies latencies,
  List<Double> percentiles,
  List<OutputSummary> outputs, AllocatorStats memory, Phases phases, Optional<ProfileReport> profile,
  Optional<HeldReport> held) {

  /** How long it took to get ready: reading or building the model, then compiling, planning and placing weights. */
  record Phases(long loadNanos, long openNanos) {}

  String text() {
    var text = new StringBuilder();
    line(text, "model", "%s, weights %s".formatted(model, plan.weights()));
    line(text, "device", device);
    line(text, "kernels", kernels);
    line(text, "plan", plan.text("         "));
    line(text, "ready",
      String.format(Locale.ROOT, "in %.2f s (model %.2f s, compile and weights %.2f s)", (phases.loadNanos()
        + phases.openNanos()) / 1e9, phases.loadNanos() / 1e9, phases.openNanos() / 1e9));
    line(text, "latency", latencies.text(percentiles));
    outputs.forEach(output -> line(text, "output", output.text()));
    String stats = StatsText.of(memory);
    line(text, "memory", stats.replace("\n", System.lineSeparator() + "         "));
    held.ifPresent(it -> line(text, "held", it.text()));
    profile.ifPresent(it -> line(text, "profile", it.text("         ").stripTrailing()));
    return text.toString();
  }

  private static void line(StringBuilder text, String label, String value) {
    text.append(String.format(Locale.ROOT, "%-8s %s%n", label, value));
  }

  Map<String, Object> document() {
    Map<String, Object> document = Json.document("run");
    document.put("model", model);
    document.put("device", device);
    document.put("kernels", kernels);
    plan.addTo(document);
    document.put("loadNanos", phases.loadNanos());
    document.put("openNanos", phases.openNanos());
    document.put("latency", latencies.document(percentiles));
    document.put("outputs", outputs.stream().map(OutputSummary::document).toList());
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("bytesInUse", memory.bytesInUse());
    stats.put("peakBytesInUse", memory.peakBytesInUse());
    stats.put("reservedBytes", memory.poolBytes());
    stats.put("allocations", memory.allocationCount());
    stats.put("liveBlocks", memory.liveCount());
    document.put("memory", stats);
    held.ifPresent(it -> document.put("held", it.document()));
    profile.ifPresent(it -> document.put("profile", it.document()));
    return document;
  }
}
