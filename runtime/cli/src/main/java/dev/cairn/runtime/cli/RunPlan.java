package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.report.plan.PageFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a model was planned, or that it was not.
 *
 * @param plans empty where shapes depend on values
 * @param reason why there is none; empty where there is one
 */
record RunPlan(Optional<PlanComparison> plans, String reason, long weightBytes) {
  /** @param all whether to try all planners, or tell of the plan in use only */
  static RunPlan of(ReadyModel ready, boolean all) {
    Optional<PlanComparison> plans = ready.session().compiled().map(all ? PlanComparison::of : PlanComparison::chosen);
    return new RunPlan(plans, ready.session().unplannedReason().orElse(""), plans.map(PlanComparison::weightBytes)
      .orElseGet(() -> weightBytes(ready.graph())));
  }

  private static long weightBytes(Graph graph) {
    long bytes = 0;
    for (var node : graph.nodes()) {
      bytes += node.kind() instanceof NodeKind.Constant(var value) ? value.type().bytes() : 0;
    }
    return bytes;
  }

  String weights() {
    return StatsText.bytes(weightBytes);
  }

  String text(String indent) {
    return plans.map(it -> it.text(indent).stripTrailing()).orElse(
      "none for the whole model, it runs in parts: " + reason);
  }

  /** What a page says beside the drawing: the planners, where they were tried. */
  PageFacts facts() {
    return new PageFacts("", plans.map(PlanComparison::rows).orElse(List.of()), "");
  }

  void addTo(Map<String, Object> document) {
    if (plans.isPresent()) {
      document.put("plan", plans.get().document());
    } else {
      document.put("unplanned", reason);
      document.put("weightBytes", weightBytes);
    }
  }
}
