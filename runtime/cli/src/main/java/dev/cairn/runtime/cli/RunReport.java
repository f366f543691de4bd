package dev.cairn.runtime.cli;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * All that {@code cairn run} has to say. As text it has what follows the run; the model's name and the opening were
 * printed before. As JSON it is the whole document.
 */
record RunReport(String model, RunOpening opening, Latencies latencies, List<Double> percentiles, WaitReport waits,
  List<OutputSummary> outputs, AllocatorStats memory, Optional<ProfileReport> profile, Optional<HeldReport> held) {

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(line("latency", latencies.text(percentiles)));
    waits.text().ifPresent(it -> lines.add(line("waited", it)));
    outputs.forEach(output -> lines.add(line("output", output.text())));
    lines.add(line("memory", StatsText.of(memory).replace("\n", System.lineSeparator() + "         ")));
    held.ifPresent(it -> lines.add(line("held", it.text())));
    profile.ifPresent(it -> lines.add(line("profile", it.text("         ").stripTrailing())));
    return String.join(System.lineSeparator(), lines);
  }

  /** A line of the text: a label, and what it labels in a column of its own. */
  static String line(String label, String value) {
    return String.format(Locale.ROOT, "%-8s %s", label, value);
  }

  Map<String, Object> document() {
    Map<String, Object> document = Json.document("run");
    document.put("model", model);
    opening.addTo(document);
    document.put("latency", latencies.document(percentiles));
    document.put("processors", waits.document());
    document.put("outputs", outputs.stream().map(OutputSummary::document).toList());
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("bytesInUse", memory.bytesInUse());
    stats.put("peakBytesInUse", memory.peakBytesInUse());
    stats.put("reservedBytes", memory.poolBytes());
    stats.put("allocations", memory.allocationCount());
    stats.put("liveBlocks", memory.liveCount());
    stats.put("movedBytes", memory.movedBytes());
    document.put("memory", stats);
    held.ifPresent(it -> document.put("held", it.document()));
    profile.ifPresent(it -> document.put("profile", it.document()));
    return document;
  }
}
