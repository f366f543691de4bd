package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.parts.PartsPlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The parts of a model that has no plan as a whole: what is planned, what at most, and what only a run decides. */
record PartsReport(PartsPlan plan) {
  private static final int NAMED = 3;

  /** One line for each part, and how much of the bytes lies in plans. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (PartsPlan.Expected part : plan.parts()) {
      text.append(switch (part) {
        case PartsPlan.Planned(CompiledGraph graph, boolean isBound) -> "part     %s, planned%s: %s, results %s"
          .formatted(steps(graph), isBound ? " for the largest counts, at most" : "", StatsText.bytes(
            graph.score().peakBytes()), StatsText.bytes(resultBytes(graph)));
        case PartsPlan.Unplanned(Map<Node, String> nodes, OptionalLong _) ->
          "open     %s: values decide the types of results".formatted(
            named(nodes.keySet()));
        case PartsPlan.Unknown(List<Node> nodes) -> "rest     %s: planned in the run, as soon as it knows the types"
          .formatted(named(nodes));
      }).append(System.lineSeparator());
    }
    plan.plannedShare().ifPresent(share -> text.append("share    %.1f %% of the bytes that a run writes are planned%n"
      .formatted(100 * share)));
    return text.toString();
  }

  private static String steps(CompiledGraph graph) {
    int count = graph.storage().steps().size();
    return count == 1 ? "1 step" : count + " steps";
  }

  private static long resultBytes(CompiledGraph graph) {
    return graph.outputTypes().values().stream().mapToLong(it -> it.bytes()).sum();
  }

  private static String named(Collection<Node> nodes) {
    List<String> words = nodes.stream().limit(NAMED).map(it -> it.operator() + " " + it.name()).toList();
    return String.join(", ", words) + (nodes.size() > NAMED ? " and %d more".formatted(nodes.size() - NAMED) : "");
  }

  /** The same for programs. */
  List<Map<String, Object>> documents() {
    List<Map<String, Object>> documents = new ArrayList<>();
    for (PartsPlan.Expected part : plan.parts()) {
      Map<String, Object> document = new LinkedHashMap<>();
      switch (part) {
        case PartsPlan.Planned(CompiledGraph graph, boolean isBound) -> {
          document.put("kind", "planned");
          document.put("steps", graph.storage().steps().size());
          document.put("peakBytes", graph.score().peakBytes());
          document.put("boundBytes", graph.score().boundBytes());
          document.put("resultBytes", resultBytes(graph));
          document.put("isAtMost", isBound);
        }
        case PartsPlan.Unplanned(Map<Node, String> nodes, OptionalLong _) -> {
          document.put("kind", "open");
          document.put("nodes", nodes.keySet().stream().map(Node::name).toList());
        }
        case PartsPlan.Unknown(List<Node> nodes) -> {
          document.put("kind", "unknown");
          document.put("nodes", nodes.stream().map(Node::name).toList());
        }
      }
      documents.add(document);
    }
    return documents;
  }
}
