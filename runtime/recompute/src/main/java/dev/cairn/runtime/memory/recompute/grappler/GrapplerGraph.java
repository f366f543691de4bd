package dev.cairn.runtime.memory.recompute.grappler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A TensorFlow graph: nodes in the order of their file.
 *
 * @param nodes each with a name of its own; an input may name no node of the graph
 */
public record GrapplerGraph(List<GrapplerNode> nodes) {
  /**
   * Keeps a copy.
   *
   * @throws IllegalArgumentException when two nodes have one name
   */
  public GrapplerGraph {
    nodes = List.copyOf(nodes);
    indexes(nodes);
  }

  /**
   * The nodes in the order in which upstream sorts them: first in, first out, a node as soon as all its producers have
   * been taken.
   *
   * @throws IllegalArgumentException when the graph has a cycle without a loop's {@code Merge}
   */
  public GrapplerGraph sorted() {
    Edges edges = edges();
    int[] waits = new int[nodes.size()];
    var ready = new ArrayDeque<Integer>();
    for (int i = 0; i < waits.length; i++) {
      boolean merge = nodes.get(i).op().equals("Merge");
      waits[i] = (int) Arrays.stream(edges.producers[i])
        .filter(p -> !(merge && nodes.get(p).op().equals("NextIteration"))).count();
      if (waits[i] == 0) {
        ready.add(i);
      }
    }
    var order = new ArrayList<GrapplerNode>();
    for (Integer next = ready.poll(); next != null; next = ready.poll()) {
      order.add(nodes.get(next));
      for (int consumer : edges.consumers[next]) {
        if (--waits[consumer] == 0) {
          ready.add(consumer);
        }
      }
    }
    if (order.size() < nodes.size()) {
      throw new IllegalArgumentException("the graph has a cycle: nodes=%d sorted=%d".formatted(nodes.size(), order
        .size()));
    }
    return new GrapplerGraph(order);
  }

  Edges edges() {
    return new Edges(this);
  }

  private static Map<String, Integer> indexes(List<GrapplerNode> nodes) {
    Map<String, Integer> indexes = HashMap.newHashMap(nodes.size());
    for (GrapplerNode node : nodes) {
      if (indexes.put(node.name(), indexes.size()) != null) {
        throw new IllegalArgumentException("two nodes have one name: name=" + node.name());
      }
    }
    return indexes;
  }

  /** The edges by index: each producer and consumer once, data and control alike. */
  static final class Edges {
    final Map<String, Integer> indexes;
    final int[][] producers;
    final int[][] consumers;

    private Edges(GrapplerGraph graph) {
      indexes = indexes(graph.nodes);
      int count = graph.nodes.size();
      producers = new int[count][];
      List<Set<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        readers.add(new LinkedHashSet<>());
      }
      for (int i = 0; i < count; i++) {
        producers[i] = graph.nodes.get(i).inputs().stream().map(GrapplerNode::producer).filter(indexes::containsKey)
          .mapToInt(indexes::get).distinct().toArray();
        for (int producer : producers[i]) {
          readers.get(producer).add(i);
        }
      }
      consumers = readers.stream().map(r -> r.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new);
    }
  }
}
