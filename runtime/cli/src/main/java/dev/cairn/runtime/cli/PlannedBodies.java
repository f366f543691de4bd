package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.graph.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The branches and loops of a plan, with the memory of their bodies.
 *
 * @param lines one for each, those in bodies after the one around them
 * @param documents the same for programs
 */
record PlannedBodies(List<String> lines, List<Map<String, Object>> documents) {
  static PlannedBodies of(CompiledGraph graph) {
    var found = new PlannedBodies(new ArrayList<>(), new ArrayList<>());
    found.add(graph);
    return found;
  }

  private void add(CompiledGraph graph) {
    for (int step = 0; step < graph.kernels().size(); step++) {
      if (graph.kernels().get(step).kernel() instanceof ControlKernel control) {
        Node node = graph.storage().steps().get(step);
        lines.add(switch (control) {
          case ControlKernel.Branch branch -> line(node, branch);
          case ControlKernel.Repeat repeat -> line(node, repeat);
        });
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("node", node.name());
        document.put("operator", node.operator());
        document.put("bodyBytes", control.bodies().stream().map(body -> body.plan().peakBytes()).toList());
        document.put("workspaceBytes", control.bytes());
        List<String> recomputations = control.bodies().stream().flatMap(body -> recomputations(body).stream()).toList();
        if (!recomputations.isEmpty()) {
          document.put("recomputations", recomputations);
        }
        documents.add(document);
        control.bodies().forEach(this::add);
      }
    }
  }

  private static String line(Node node, ControlKernel.Branch branch) {
    return "if %s: then %s, else %s".formatted(node.name(), bytes(branch, 0), bytes(branch, 1));
  }

  private static String line(Node node, ControlKernel.Repeat repeat) {
    String trips = repeat.trips().isPresent()
      ? repeat.trips().getAsLong() + " trips"
      : "as many trips as a run decides";
    String carried = repeat.carriedBytes() == 0 ? "" : ", carried 2 x " + StatsText.bytes(repeat.carriedBytes());
    return "loop %s: %s, body %s%s".formatted(node.name(), trips, bytes(repeat, 0), carried);
  }

  /** What one body takes, and how many of its steps run again. */
  private static String bytes(ControlKernel kernel, int body) {
    CompiledGraph graph = kernel.bodies().get(body);
    int again = recomputations(graph).size();
    String price = again == 0 ? "" : again == 1 ? " (1 step runs again)" : " (%d steps run again)".formatted(again);
    return StatsText.bytes(graph.plan().peakBytes()) + price;
  }

  private static List<String> recomputations(CompiledGraph body) {
    return body.recomputed().map(Recomputed::recomputations).orElse(List.of());
  }

  /** Lines for people; empty where there are no bodies. */
  String text() {
    return lines.stream().map(line -> "bodies   " + line + System.lineSeparator()).collect(Collectors.joining());
  }
}
