package dev.cairn.runtime.memory.planner.nnvm;

import java.util.Arrays;

/**
 * Colours for nodes such that those of one colour, but the last, lie on one path and cannot run in parallel: the path
 * with the most uncoloured operators gets colour 0, and so on; what is left over gets the last colour (NNVM's
 * ColorNodeGroup and FindBestPath).
 */
final class NodeColours {
  private final NnvmGraph graph;
  /** 1 for operators without a colour. */
  private final int[] reward;
  private final int[] best;
  private final int[] next;

  private NodeColours(NnvmGraph graph) {
    this.graph = graph;
    int nodes = graph.nodes().size();
    this.reward = graph.nodes().stream().mapToInt(node -> node.isVariable() ? 0 : 1).toArray();
    this.best = new int[nodes];
    this.next = new int[nodes];
  }

  /** For each node id; at most so many colours, counted from 0. */
  static int[] of(NnvmGraph graph, int most) {
    return new NodeColours(graph).paint(most);
  }

  private int[] paint(int most) {
    int[] colours = new int[reward.length];
    Arrays.fill(colours, -1);
    int colour = 0;
    for (; colour < most - 1; colour++) {
      int start = bestStart();
      if (start < 0) {
        break;
      }
      for (int node = start; node >= 0; node = next[node]) {
        if (reward[node] != 0) {
          colours[node] = colour;
          reward[node] = 0;
        }
      }
    }
    int last = colour;
    return Arrays.stream(colours).map(it -> it < 0 ? last : it).toArray();
  }

  /** The first node of the path with the most reward, which {@code next} continues; -1 if no node has a reward. */
  private int bestStart() {
    Arrays.fill(best, 0);
    Arrays.fill(next, -1);
    int start = -1;
    for (int node = reward.length - 1; node >= 0; node--) {
      best[node] += reward[node];
      if (best[node] > (start < 0 ? 0 : best[start])) {
        start = node;
      }
      for (int entry : graph.node(node).inputs()) {
        int previous = graph.producer(entry);
        if (best[node] > best[previous]) {
          best[previous] = best[node];
          next[previous] = node;
        }
      }
    }
    return start;
  }
}
