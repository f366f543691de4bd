package dev.cairn.runtime.memory.planner.nnvm;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A graph as NNVM's planner sees it: nodes in a fixed order, each reading entries of nodes before it, with the
 * attributes that the pass looks for. Entries are numbered in node order and, within a node, in output order.
 * Immutable.
 */
public final class NnvmGraph {
  private final List<NnvmNode> nodes;
  private final List<Integer> outputs;
  private final NodeRange range;
  private final Optional<List<Integer>> referenceCounts;
  private final int[] firstEntry;
  private final int[] producer;

  /** Nodes {@code first} to {@code end - 1}: what attribute "node_range" says. */
  public record NodeRange(int first, int end) {}

  /**
   * @param outputs entry ids of the graph's outputs; the same entry twice counts twice
   * @throws IllegalArgumentException naming the node, when it reads what is not there before it
   */
  public NnvmGraph(List<NnvmNode> nodes, List<Integer> outputs) {
    this(List.copyOf(nodes), List.copyOf(outputs), new NodeRange(0, nodes.size()), Optional.empty());
  }

  private NnvmGraph(List<NnvmNode> nodes, List<Integer> outputs, NodeRange range,
    Optional<List<Integer>> referenceCounts) {
    this.nodes = nodes;
    this.outputs = outputs;
    this.range = range;
    this.referenceCounts = referenceCounts;
    this.firstEntry = new int[nodes.size() + 1];
    for (int i = 0; i < nodes.size(); i++) {
      for (int input : nodes.get(i).inputs()) {
        requireEntry(nodes.get(i).name(), input, firstEntry[i]);
      }
      firstEntry[i + 1] = firstEntry[i] + nodes.get(i).outputs().size();
    }
    this.producer = new int[firstEntry[nodes.size()]];
    for (int i = 0; i < nodes.size(); i++) {
      Arrays.fill(producer, firstEntry[i], firstEntry[i + 1], i);
    }
    for (int output : outputs) {
      requireEntry("graph output", output, entryCount());
    }
    if (range.first < 0 || range.end < range.first || range.end > nodes.size()) {
      throw new IllegalArgumentException("bad node range: range=%s nodes=%d".formatted(range, nodes.size()));
    }
    if (referenceCounts.isPresent() && referenceCounts.get().size() != entryCount()) {
      throw new IllegalArgumentException("a reference count for each entry: counts=%d entries=%d"
        .formatted(referenceCounts.get().size(), entryCount()));
    }
  }

  /** The same, of which only these nodes are planned. */
  public NnvmGraph withNodeRange(int first, int end) {
    return new NnvmGraph(nodes, outputs, new NodeRange(first, end), referenceCounts);
  }

  /** The same with these counts, by entry id, in place of the graph's own counts: attribute "ref_count". */
  public NnvmGraph withReferenceCounts(List<Integer> counts) {
    return new NnvmGraph(nodes, outputs, range, Optional.of(List.copyOf(counts)));
  }

  public List<NnvmNode> nodes() {
    return nodes;
  }

  public NnvmNode node(int nodeId) {
    return nodes.get(nodeId);
  }

  public List<Integer> outputs() {
    return outputs;
  }

  /** The nodes that are planned: all of them, unless the graph was made with another range. */
  public NodeRange range() {
    return range;
  }

  Optional<List<Integer>> givenReferenceCounts() {
    return referenceCounts;
  }

  public int entryCount() {
    return producer.length;
  }

  /** The id of a node's first output; its others follow. */
  public int firstEntryId(int nodeId) {
    return firstEntry[nodeId];
  }

  /** The node whose output the entry is. */
  public int producer(int entryId) {
    return producer[entryId];
  }

  public NnvmEntry entry(int entryId) {
    int nodeId = producer[entryId];
    return nodes.get(nodeId).outputs().get(entryId - firstEntry[nodeId]);
  }

  private static void requireEntry(String reader, int entryId, int entries) {
    if (entryId < 0 || entryId >= entries) {
      throw new IllegalArgumentException("no such entry before it: node=%s entry=%d entries=%d".formatted(reader,
        entryId, entries));
    }
  }
}
