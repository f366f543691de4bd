package dev.cairn.runtime.memory.recompute.grappler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Neighbours that run again together, and the gradient nodes that will read their copies. Indexes are positions in the
 * sorted graph.
 */
record RecomputeGroup(BitSet recomputed, BitSet targets) {
  /** All groups of a sorted graph, in the order of their first nodes. */
  static List<RecomputeGroup> of(GrapplerGraph sorted, GrapplerGraph.Edges edges, GrapplerRecompute rules) {
    return new Search(sorted, edges, rules).groups();
  }

  private static final class Search {
    private final GrapplerGraph.Edges edges;
    private final int count;
    private final BitSet targets = new BitSet();
    private final BitSet candidates = new BitSet();
    private final BitSet visited = new BitSet();

    Search(GrapplerGraph sorted, GrapplerGraph.Edges edges, GrapplerRecompute rules) {
      this.edges = edges;
      this.count = sorted.nodes().size();
      for (int i = 0; i < count; i++) {
        GrapplerNode node = sorted.nodes().get(i);
        if (isTarget(node.name(), rules.scope())) {
          targets.set(i);
        } else if (!rules.fed().contains(node.name())
          && ((rules.cheap() && node.is(GrapplerOperator.Fact.CHEAP)) || node.attributes().contains(
            GrapplerNode.RECOMPUTE_HINT))) {
          candidates.set(i);
        }
      }
    }

    private static boolean isTarget(String name, String scope) {
      return name.startsWith(scope) || name.contains("/" + scope);
    }

    List<RecomputeGroup> groups() {
      List<RecomputeGroup> groups = new ArrayList<>();
      for (int seed = candidates.nextSetBit(0); seed >= 0; seed = candidates.nextSetBit(seed + 1)) {
        if (!visited.get(seed) && any(edges.consumers[seed], targets) && !any(edges.producers[seed], targets)) {
          RecomputeGroup group = from(seed);
          if (!group.recomputed.isEmpty()) {
            groups.add(group);
          }
        }
      }
      return groups;
    }

    private static boolean any(int[] nodes, BitSet set) {
      for (int node : nodes) {
        if (set.get(node)) {
          return true;
        }
      }
      return false;
    }

    private RecomputeGroup from(int seed) {
      var members = reached(only(seed), candidates, true);
      visited.or(members);
      var sources = new BitSet();
      var read = new BitSet();
      for (int member = members.nextSetBit(0); member >= 0; member = members.nextSetBit(member + 1)) {
        for (int consumer : edges.consumers[member]) {
          if (targets.get(consumer)) {
            sources.set(member);
            read.set(consumer);
          }
        }
      }
      return new RecomputeGroup(reached(sources, members, false), read);
    }

    private BitSet only(int node) {
      var set = new BitSet(count);
      set.set(node);
      return set;
    }

    /** The nodes of {@code among} that producers, and consumers if asked, connect with the start. */
    private BitSet reached(BitSet start, BitSet among, boolean throughConsumers) {
      var found = (BitSet) start.clone();
      var waiting = new ArrayDeque<Integer>();
      start.stream().forEach(waiting::add);
      for (Integer next = waiting.poll(); next != null; next = waiting.poll()) {
        enter(edges.producers[next], among, found, waiting);
        if (throughConsumers) {
          enter(edges.consumers[next], among, found, waiting);
        }
      }
      return found;
    }

    private static void enter(int[] nodes, BitSet among, BitSet found, ArrayDeque<Integer> waiting) {
      for (int node : nodes) {
        if (among.get(node) && !found.get(node)) {
          found.set(node);
          waiting.add(node);
        }
      }
    }
  }
}
