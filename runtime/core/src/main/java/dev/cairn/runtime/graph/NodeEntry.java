package dev.cairn.runtime.graph;

/** One result of a node. Text form: {@code conv1}, or {@code split:2} for a further result. */
public record NodeEntry(Node node, int index) {
  public NodeEntry {
    if (index < 0 || index >= node.kind().outputs()) {
      throw new IllegalArgumentException(
        "no such output: node=%s index=%d outputs=%d".formatted(node.name(), index, node.kind().outputs()));
    }
  }

  public boolean isAbsent() {
    return node.kind() instanceof NodeKind.Absent;
  }

  @Override
  public String toString() {
    return index == 0 ? node.name() : node.name() + ":" + index;
  }
}
