package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.analysis.HostCopies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The judge of recomputation: shows that a graph with recomputations computes the values of the graph without. It
 * numbers values in both graphs. Two have one number when they are the same result of the same operator, with the same
 * attributes, by the same kernel, of operands with the same numbers. Inputs, constants and variables are numbered by
 * identity, steps that must run once by name. A copy has the number of the copied value.
 */
public final class ValueNumbers {
  private static final int MOST_FAULTS = 10;

  private final Predicate<Node> runsOnce;
  private final Map<Key, Integer> numbers = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  /** The computation of a node. */
  private record Key(Object kind, Object kernel, List<Integer> operands) {}

  private ValueNumbers(Predicate<Node> runsOnce) {
    this.runsOnce = runsOnce;
  }

  /**
   * A graph, and the kernel of each of its steps.
   *
   * @param kernel of a node that runs; any object that stands for it
   */
  public record Judged(Graph graph, Function<Node, Object> kernel) {}

  /**
   * Throws an {@link IllegalStateException} with the first faults when a value differs, or a step that must run once
   * runs again.
   *
   * @param original the node of the graph before that each node of the graph after runs
   * @param runsOnce the nodes of the graph before that must not run again
   */
  public static void requireEqual(Judged before, Judged after, Function<Node, Node> original,
    Predicate<Node> runsOnce) {
    List<String> faults = new ValueNumbers(runsOnce).compare(before, after, original);
    if (!faults.isEmpty()) {
      throw new IllegalStateException("recomputation would change results: graph=%s faults=%s".formatted(after.graph
        .name(), faults.subList(0, Math.min(MOST_FAULTS, faults.size()))));
    }
  }

  private List<String> compare(Judged before, Judged after, Function<Node, Node> original) {
    Map<Node, Integer> old = numbered(before, node -> node);
    Map<Node, Integer> now = numbered(after, original);
    Set<Node> once = new HashSet<>();
    for (Node node : after.graph.nodes()) {
      Node meant = original.apply(node);
      if (!old.containsKey(meant)) {
        faults.add("runs no node of the graph: node=" + node.name());
      } else if (!old.get(meant).equals(now.get(node))) {
        faults.add("computes another value: node=%s original=%s".formatted(node.name(), meant.name()));
      }
      if (!isCopy(node) && isFixed(meant) && !once.add(meant)) {
        faults.add("runs again: node=%s original=%s".formatted(node.name(), meant.name()));
      }
    }
    compareOutputs(before.graph, after.graph, old, now);
    Set<Node> assigned = new HashSet<>();
    after.graph.assigns().forEach(it -> assigned.add(original.apply(it)));
    before.graph.assigns().stream().filter(it -> !assigned.contains(it)).forEach(it -> faults.add(
      "an assign is lost: node=" + it.name()));
    return faults;
  }

  private void compareOutputs(Graph before, Graph after, Map<Node, Integer> old, Map<Node, Integer> now) {
    if (before.outputs().size() != after.outputs().size()) {
      faults.add("other outputs: before=%d after=%d".formatted(before.outputs().size(), after.outputs().size()));
      return;
    }
    for (int i = 0; i < before.outputs().size(); i++) {
      NodeEntry was = before.outputs().get(i).entry();
      NodeEntry is = after.outputs().get(i).entry();
      if (was.index() != is.index() || !old.getOrDefault(was.node(), -1).equals(now.getOrDefault(is.node(), -2))) {
        faults.add("an output has another value: name=%s was=%s is=%s".formatted(before.outputs().get(i).name(), was,
          is));
      }
    }
  }

  private Map<Node, Integer> numbered(Judged judged, Function<Node, Node> original) {
    Map<Node, Integer> known = new HashMap<>();
    for (Node node : judged.graph.nodes()) {
      if (isCopy(node)) {
        known.put(node, known.getOrDefault(HostCopies.source(node.inputs().getFirst()).node(), -2));
        continue;
      }
      List<Integer> operands = new ArrayList<>();
      for (NodeEntry given : node.inputs()) {
        NodeEntry read = HostCopies.source(given);
        operands.add(read.isAbsent() ? -1 : known.getOrDefault(read.node(), -2));
        operands.add(read.index());
      }
      Object kind = node.inputs().isEmpty() && !node.isComputed() ? node : node.kind();
      Object named = isFixed(original.apply(node)) ? List.of(kind, original.apply(node).name()) : kind;
      Object kernel = node.isComputed() ? judged.kernel.apply(node) : "none";
      known.put(node, numbers.computeIfAbsent(new Key(named, kernel, operands), _ -> numbers.size()));
    }
    return known;
  }

  private static boolean isCopy(Node node) {
    return HostCopies.isLoad(node) || HostCopies.isOut(node) || HostCopies.isIn(node);
  }

  private boolean isFixed(Node node) {
    return node.kind() instanceof NodeKind.Assign || runsOnce.test(node);
  }
}
