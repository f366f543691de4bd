package dev.cairn.runtime.memory.recompute.grappler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The recompute pass of TensorFlow's memory optimizer (grappler's memory_optimizer.cc): cheap nodes that gradients read
 * run once more, just before the gradients do. Each copy waits for a trigger, which waits for what runs shortly before
 * the copy's first reader.
 *
 * <p>Upstream walks hashed sets of groups; here groups are written in the order of their first nodes. As upstream does,
 * only an input whose whole text is a node's name moves to the copy: {@code b:1} and {@code ^b} stay with the original.
 *
 * @param cheap whether cheap operators run again without a hint: the mode RECOMPUTATION_HEURISTICS; without it MANUAL
 * @param scope what names of gradient nodes begin with, at the start or behind a slash
 * @param fed nodes that a run replaces; they never run again
 */
public record GrapplerRecompute(boolean cheap, String scope, Set<String> fed) {
  /** The place of upstream's gradients. */
  public static final String GRADIENTS = "gradients/";

  static final String COPY = "Recomputed/";
  private static final String TRIGGER = "RecomputeTrigger/";

  /** Keeps a copy. */
  public GrapplerRecompute {
    fed = Set.copyOf(fed);
  }

  /**
   * The sorted graph with its copies and triggers behind it.
   *
   * @throws IllegalArgumentException when the graph has a cycle
   */
  public GrapplerGraph apply(GrapplerGraph graph) {
    GrapplerGraph sorted = graph.sorted();
    GrapplerGraph.Edges edges = sorted.edges();
    var nodes = new ArrayList<>(sorted.nodes());
    for (RecomputeGroup group : RecomputeGroup.of(sorted, edges, this)) {
      new Writer(edges, group, nodes).write();
    }
    return new GrapplerGraph(nodes);
  }

  /** Writes one group. A node's number falls with its position: a larger number runs earlier. */
  private static final class Writer {
    private final GrapplerGraph.Edges edges;
    private final RecomputeGroup group;
    private final List<GrapplerNode> nodes;
    private final int last;
    private final Set<String> names = new HashSet<>();
    private final int[] firstUse;

    Writer(GrapplerGraph.Edges edges, RecomputeGroup group, List<GrapplerNode> nodes) {
      this.edges = edges;
      this.group = group;
      this.nodes = nodes;
      this.last = edges.consumers.length - 1;
      group.recomputed().stream().forEach(i -> names.add(nodes.get(i).name()));
      this.firstUse = firstUses();
    }

    private int number(int position) {
      return last - position;
    }

    /** The number of the earliest gradient that reads a copy, directly or through other copies. */
    private int[] firstUses() {
      int[] uses = new int[last + 1];
      Arrays.fill(uses, -1);
      BitSet recomputed = group.recomputed();
      for (int i = recomputed.length() - 1; i >= 0; i = recomputed.previousSetBit(i - 1)) {
        for (int consumer : edges.consumers[i]) {
          if (group.targets().get(consumer)) {
            uses[i] = Math.max(uses[i], number(consumer));
          } else if (recomputed.get(consumer)) {
            uses[i] = Math.max(uses[i], uses[consumer]);
          }
        }
      }
      return uses;
    }

    void write() {
      writeTriggers();
      group.recomputed().stream().forEach(i -> {
        GrapplerNode node = nodes.get(i);
        List<String> inputs = renamed(node.inputs());
        inputs.add("^" + TRIGGER + node.name());
        nodes.add(new GrapplerNode(COPY + node.name(), node.op(), inputs, node.device(), node.attributes()));
      });
      group.targets().stream().forEach(i -> nodes.set(i, nodes.get(i).withInputs(renamed(nodes.get(i).inputs()))));
    }

    private List<String> renamed(List<String> inputs) {
      var others = new ArrayList<String>();
      inputs.forEach(input -> others.add(names.contains(input) ? COPY + input : input));
      return others;
    }

    private void writeTriggers() {
      int[] inputs = targetInputs();
      int used = 0;
      String previous = "";
      for (int node : byFirstUse()) {
        var waits = new ArrayList<String>();
        if (!previous.isEmpty()) {
          waits.add("^" + previous);
        }
        for (; used < inputs.length && number(inputs[used]) > firstUse[node]; used++) {
          waits.add("^" + nodes.get(inputs[used]).name());
        }
        previous = TRIGGER + nodes.get(node).name();
        nodes.add(new GrapplerNode(previous, "NoOp", waits, nodes.get(node).device(), Set.of()));
      }
    }

    private List<Integer> byFirstUse() {
      return group.recomputed().stream().boxed().sorted(Comparator.<Integer>comparingInt(i -> -firstUse[i])
        .thenComparing(i -> nodes.get(i).name(), Comparator.reverseOrder())).toList();
    }

    /** The nodes besides copies that the gradients read, the earliest first. */
    private int[] targetInputs() {
      return group.targets().stream().flatMap(target -> nodes.get(target).inputs().stream().map(GrapplerNode::producer)
        .filter(name -> edges.indexes.containsKey(name) && !names.contains(name))
        .mapToInt(edges.indexes::get).filter(i -> i != target)).sorted().toArray();
    }
  }
}
