package dev.cairn.runtime.compile;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.DeviceFit;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.MemoryLimits;
import dev.cairn.runtime.memory.analysis.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists the parts of a model's memory, for the report of a refusal: operators, nodes, tensors and shapes. */
public final class PlanPeak {
  private static final int NAMED = 4;

  private PlanPeak() {}

  /** The buffers that are live at the step that needs most, the largest first. */
  public static String ofPlan(CompiledGraph graph) {
    if (graph.storage().problem().size() == 0 || graph.storage().steps().isEmpty()) {
      return "the plan has no buffers";
    }
    DeviceFit device = FitVerdict.of(graph.storage().problem(), graph.plan(), MemoryLimits.NONE).devices().getFirst();
    Map<Buffer, String> tensors = tensors(graph);
    List<String> parts = new ArrayList<>();
    for (Buffer buffer : device.atPeak()) {
      parts.add("%s %s".formatted(tensors.getOrDefault(buffer, buffer.name()), StatsText.bytes(buffer.bytes())));
    }
    int step = Math.min(device.peakStep(), graph.storage().steps().size() - 1);
    Node node = graph.storage().steps().get(step);
    return "the plan's peak is step=%d node=%s operator=%s: %s".formatted(step, node.name(), node.operator(), listed(
      parts));
  }

  /** The constants, the largest first. */
  public static String ofWeights(CompiledGraph graph) {
    List<Node> constants = new ArrayList<>(graph.storage().constants());
    constants.sort((a, b) -> Long.compare(bytes(graph, b), bytes(graph, a)));
    return "%d constants: %s".formatted(constants.size(), listed(constants.stream().map(it -> "%s %s %s".formatted(it
      .name(), graph.types().type(it.entry()), StatsText.bytes(bytes(graph, it)))).toList()));
  }

  private static long bytes(CompiledGraph graph, Node constant) {
    return graph.types().type(constant.entry()).bytes();
  }

  /** The first tensor that lies in each buffer, with its type. */
  private static Map<Buffer, String> tensors(CompiledGraph graph) {
    Map<Buffer, String> tensors = new HashMap<>();
    IndexedGraph indexed = graph.graph();
    for (int nodeId = 0; nodeId < indexed.nodeCount(); nodeId++) {
      int first = indexed.firstEntryId(nodeId);
      int end = nodeId + 1 < indexed.nodeCount() ? indexed.firstEntryId(nodeId + 1) : indexed.entryCount();
      for (int id = first; id < end; id++) {
        if (graph.storage().places().get(id) instanceof Place.Planned(int index)) {
          NodeEntry entry = indexed.node(nodeId).entry(id - first);
          tensors.putIfAbsent(graph.storage().problem().buffer(index), entry + " " + graph.types().type(entry));
        }
      }
    }
    return tensors;
  }

  private static String listed(List<String> parts) {
    String named = String.join(", ", parts.subList(0, Math.min(NAMED, parts.size())));
    return parts.size() <= NAMED ? named : "%s and %d more".formatted(named, parts.size() - NAMED);
  }
}
