package dev.cairn.runtime.graph;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One result of a node. Text form: {@code conv1}, or {@code split:2} for a further result. */
public record NodeEntry(Node node, int index) {
  public NodeEntry {
    if (index < 0 || index >= node.kind().outputs()) {
      throw new IllegalArgumentException(
        "no such output: node=%s index=%d outputs=%d".formatted(node.name(), index, node.kind().outputs()));
    }
  }

  // Written out: a record's own methods are slow until the JVM has compiled them, and opening a model asks often.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof NodeEntry that && node == that.node && index == that.index);
  }

  @Override
  public int hashCode() {
    return 31 * node.hashCode() + index;
  }

  public boolean isAbsent() {
    return node.kind() instanceof NodeKind.Absent;
  }

  /**
   * The entry that takes this one's place where nodes are replaced; this entry if its node is not replaced.
   *
   * @param places by replaced node, one entry for each of its results
   */
  public NodeEntry in(Map<Node, List<NodeEntry>> places) {
    List<NodeEntry> place = places.get(node);
    return place == null ? this : place.get(index);
  }

  @Override
  public String toString() {
    return index == 0 ? node.name() : node.name() + ":" + index;
  }
}
