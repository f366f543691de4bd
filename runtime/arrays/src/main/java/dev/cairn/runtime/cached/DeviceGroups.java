package dev.cairn.runtime.cached;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which device runs which node of a symbol (S-6): the device of the node's {@code ctx_group} note. A node without one
 * runs on the runtime's first device. A variable lies where the first node that reads it runs.
 */
final class DeviceGroups {
  private final Map<String, String> devices;
  private final String usual;

  private DeviceGroups(Map<String, String> devices, String usual) {
    this.devices = devices;
    this.usual = usual;
  }

  /** @throws IllegalArgumentException when a note names an unknown group, or the runtime has no such device */
  static DeviceGroups of(Graph graph, ArrayRuntime arrays, Map<String, String> groups) {
    List<String> known = arrays.deviceNames();
    Set<String> named = new TreeSet<>();
    graph.nodes().forEach(it -> it.notes().get(Notes.CONTEXT_GROUP).ifPresent(named::add));
    if (!groups.isEmpty() && !groups.keySet().containsAll(named)) {
      throw new IllegalArgumentException("groups of nodes without a device: groups=%s devices=%s".formatted(named,
        groups));
    }
    if (!known.containsAll(groups.values())) {
      throw new IllegalArgumentException("no such device of this runtime: groups=%s devices=%s; name it in ArrayOptions"
        .formatted(groups, known));
    }
    return new DeviceGroups(Map.copyOf(groups), known.get(0));
  }

  /** Where a node runs. */
  String of(Node node) {
    return node.notes().get(Notes.CONTEXT_GROUP).map(it -> devices.getOrDefault(it, usual)).orElse(usual);
  }

  /** Where the variables of a graph lie, by name. */
  Map<String, String> ofVariables(Graph graph) {
    Map<String, String> places = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      node.inputs().stream().filter(it -> !it.isAbsent() && it.node().kind() instanceof NodeKind.Input).forEach(
        it -> places.putIfAbsent(it.node().name(), of(node)));
    }
    graph.inputs().forEach(it -> places.putIfAbsent(it.name(), of(it)));
    return places;
  }

  /** The devices that run nodes. */
  Set<String> used(Graph graph) {
    Set<String> used = new TreeSet<>();
    graph.nodes().stream().filter(it -> it.kind() instanceof NodeKind.Apply).forEach(it -> used.add(of(it)));
    return used;
  }
}
