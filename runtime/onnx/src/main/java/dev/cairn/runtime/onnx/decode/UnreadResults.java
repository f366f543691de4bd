package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Leaves out trailing results that nothing reads: exporters write Dropout's mask and the statistics of
 * BatchNormalization whether needed or not. Split keeps its own, whose number means something.
 */
final class UnreadResults {
  private UnreadResults() {}

  static List<FlatNode> dropped(List<FlatNode> nodes, List<ValueInfoProto> outputs) {
    Set<String> read = new HashSet<>();
    outputs.forEach(output -> read.add(output.getName()));
    nodes.forEach(node -> read.addAll(node.inputs()));
    read.remove("");
    return nodes.stream().map(node -> node.operator().is("Split") ? node : trimmed(node, read)).toList();
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
