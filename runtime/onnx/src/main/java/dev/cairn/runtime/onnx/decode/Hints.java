package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hints in a node's {@code metadata_props}: entries whose keys begin with {@code cairn.}, which become notes. Other
 * metadata is left out.
 */
final class Hints {
  private Hints() {}

  /** @throws IllegalArgumentException when two entries have one key, or a value is not one line of text */
  static Notes of(NodeProto node) {
    Map<String, String> hints = new HashMap<>();
    for (StringStringEntryProto entry : node.getMetadataPropsList()) {
      if (entry.getKey().startsWith(Notes.BINDING) && hints.put(entry.getKey(), entry.getValue()) != null) {
        throw new IllegalArgumentException("two entries of metadata have one key: key=" + entry.getKey());
      }
    }
    return Notes.of(hints);
  }

  /**
   * The results of a node of the file, with its hints on the nodes that make them.
   *
   * @param name the node's name in the graph
   * @throws IllegalArgumentException when it has hints, and no node that makes a result stands for it
   */
  static List<NodeEntry> noted(List<NodeEntry> results, String name, Notes hints) {
    if (hints.isEmpty()) {
      return results;
    }
    Map<Node, Node> noted = new HashMap<>();
    results.stream().map(NodeEntry::node).filter(it -> it.name().equals(name) || it.name().startsWith(name + "/"))
      .forEach(it -> noted.computeIfAbsent(it, node -> node.withNotes(hints)));
    if (noted.isEmpty()) {
      throw new IllegalArgumentException("nothing in Cairn's graph stands for a node with hints: hints={%s}".formatted(
        hints));
    }
    return results.stream().map(it -> noted.getOrDefault(it.node(), it.node()).entry(it.index())).toList();
  }
}
