package dev.cairn.runtime.memory.recompute.grappler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which assigns of a TensorFlow graph need no memory that other devices reach: those whose values stay on processors of
 * one task, or on its GPUs.
 */
public final class GrapplerRelax {
  private final Map<String, GrapplerNode> nodes = new HashMap<>();
  private final Map<String, List<GrapplerNode>> readers = new HashMap<>();

  private GrapplerRelax(GrapplerGraph graph) {
    graph.nodes().forEach(it -> nodes.put(it.name(), it));
    graph.nodes().forEach(node -> node.values().stream().map(GrapplerNode::producer).distinct().forEach(it -> readers
      .computeIfAbsent(it, _ -> new ArrayList<>()).add(node)));
  }

  /** The names of the assigns to relax, in the graph's order. */
  public static Set<String> of(GrapplerGraph graph) {
    Set<String> assigns = new LinkedHashSet<>();
    graph.nodes().stream().filter(GrapplerRelax::isAssign).forEach(it -> assigns.add(it.name()));
    boolean sends = graph.nodes().stream().anyMatch(it -> it.op().equals("_Send"));
    if (!sends && graph.nodes().stream().map(GrapplerNode::device).distinct().count() == 1) {
      return assigns;
    }
    var relax = new GrapplerRelax(graph);
    Set<String> relaxed = new LinkedHashSet<>();
    for (String assign : assigns) {
      if (!relaxed.contains(assign)) {
        relaxed.addAll(relax.relaxedWith(assign));
      }
    }
    relaxed.retainAll(assigns);
    return relaxed;
  }

  private static boolean isAssign(GrapplerNode node) {
    return node.op().equals("Assign");
  }

  /** The assign and all that its value passes; none where it leaves its device. */
  private Set<String> relaxedWith(String assign) {
    String home = place(Objects.requireNonNull(nodes.get(assign)).device());
    Set<String> met = new LinkedHashSet<>(Set.of(assign));
    var open = new ArrayDeque<>(Set.of(assign));
    for (String next = open.poll(); next != null; next = open.poll()) {
      for (GrapplerNode reader : readers.getOrDefault(next, List.of())) {
        if (reader.op().equals("_Send") || !place(reader.device()).equals(home)) {
          return Set.of();
        }
        if (!reader.is(GrapplerOperator.Fact.FORWARDS_NOTHING) && met.add(reader.name())) {
          open.add(reader.name());
        }
      }
    }
    return met;
  }

  /** Task and kind of a device, without its number. */
  private static String place(String device) {
    String text = device.toLowerCase(Locale.ROOT).replace("device:", "");
    int colon = text.lastIndexOf(':');
    return colon < 0 ? text : text.substring(0, colon);
  }
}
