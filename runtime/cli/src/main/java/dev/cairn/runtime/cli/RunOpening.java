package dev.cairn.runtime.cli;

import java.util.Locale;
import java.util.Map;

/** What {@code cairn run} says of a model that is ready to run: where it runs, and how it was planned. */
record RunOpening(String device, String kernels, RunPlan plan, Phases phases) {

  /** How long it took to get ready: reading or building the model, then compiling, planning and placing weights. */
  record Phases(long loadNanos, long openNanos) {}

  String text() {
    return String.join(System.lineSeparator(), RunReport.line("weights", plan.weights()),
      RunReport.line("device", device), RunReport.line("kernels", kernels),
      RunReport.line("plan", plan.text("         ")),
      RunReport.line("ready", String.format(Locale.ROOT, "in %.2f s (model %.2f s, compile and weights %.2f s)",
        (phases.loadNanos() + phases.openNanos()) / 1e9, phases.loadNanos() / 1e9, phases.openNanos() / 1e9)));
  }

  void addTo(Map<String, Object> document) {
    document.put("device", device);
    document.put("kernels", kernels);
    plan.addTo(document);
    document.put("loadNanos", phases.loadNanos());
    document.put("openNanos", phases.openNanos());
  }
}
