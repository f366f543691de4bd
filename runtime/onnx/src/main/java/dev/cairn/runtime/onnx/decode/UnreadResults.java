package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.Operators;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Leaves out trailing results that nothing reads: exporters write Dropout's mask and the statistics of
 * BatchNormalization whether needed or not. Split keeps its own, whose number means something, and so do nodes with
 * bodies.
 */
final class UnreadResults {
  private UnreadResults() {}

  static List<FlatNode> dropped(List<FlatNode> nodes, List<String> outputs) {
    Set<String> read = new HashSet<>(outputs);
    nodes.forEach(node -> read.addAll(node.reads()));
    read.remove("");
    return nodes.stream().map(node -> dropped(node, read)).toList();
  }

  private static FlatNode dropped(FlatNode node, Set<String> read) {
    if (!node.bodies().isEmpty()) {
      Map<String, FlatBody> bodies = new LinkedHashMap<>();
      node.bodies().forEach((name, body) -> bodies.put(name, body.withNodes(dropped(body.nodes(), body.outputs()))));
      return node.withBodies(bodies);
    }
    return node.operator().is(Operators.SPLIT) ? node : trimmed(node, read);
  }

  private static FlatNode trimmed(FlatNode node, Set<String> read) {
    List<String> outputs = node.outputs();
    int count = outputs.size();
    while (count > 1 && !read.contains(outputs.get(count - 1))) {
      count--;
    }
    return node.withOutputs(outputs.subList(0, count));
  }
}
