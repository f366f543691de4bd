package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.memory.recompute.Word;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a graph of a word: each recomputation is a node {@code <name>/again<k>}, and each read takes the latest run
 * before it. The nodes are in the word's order. A node that is no step, such as one that only reshapes, is made again
 * over the run that it reads. Rewriting comes after all passes: to a pass, two equal nodes are one.
 */
public final class RecomputeRewrite {
  private final Graph graph;
  private final List<Node> steps;
  private final Set<Node> isStep;
  /** Direct assigns by the step that writes them. */
  private final Map<Node, List<Node>> direct = new HashMap<>();
  private final Map<Node, Node> latest = new HashMap<>();
  private final Map<Node, Integer> runs = new HashMap<>();
  /** Nodes that are no steps, by the node that they are made of and its inputs. */
  private final Map<Node, Map<List<NodeEntry>, Node>> made = new HashMap<>();
  private final Map<Node, Node> originals = new HashMap<>();
  private final Set<Node> order = new LinkedHashSet<>();
  private final NodeNames names;
  /** For each step that copies, the entry that its result stands for from there on. */
  private final Map<Node, NodeEntry> standsFor;
  /** The entry that stands for another one now. */
  private final Map<NodeEntry, NodeEntry> copied = new HashMap<>();

  /**
   * A graph with recomputations.
   *
   * @param graph in the word's order
   * @param originals by node that is new, the node of the given graph that it runs; the others are that graph's own
   */
  public record Rewritten(Graph graph, Map<Node, Node> originals) {
    public Rewritten {
      originals = Map.copyOf(originals);
    }

    /** The node of the graph before that a node runs. */
    public Node original(Node node) {
      return originals.getOrDefault(node, node);
    }
  }

  private RecomputeRewrite(Graph graph, List<Node> steps, List<Node> directAssigns, Map<Node, NodeEntry> standsFor) {
    this.graph = graph;
    this.steps = steps;
    this.isStep = new HashSet<>(steps);
    this.names = NodeNames.of(graph);
    this.standsFor = standsFor;
    directAssigns.forEach(assign -> direct.computeIfAbsent(assign.inputs().get(1).node(), _ -> new ArrayList<>()).add(
      assign));
    order.addAll(graph.inputs());
  }

  /**
   * The graph of a word.
   *
   * @param steps the nodes that the word's numbers stand for
   * @param directAssigns assigns that are no steps: the step that makes their value writes it
   */
  public static Rewritten applied(Graph graph, List<Node> steps, List<Node> directAssigns, Word word) {
    return applied(graph, steps, directAssigns, word, Map.of());
  }

  /**
   * Like {@link #applied(Graph, List, List, Word)}, with steps that copy.
   *
   * @param standsFor by step that copies, the entry whose readers read the copy from there on, until the entry's node
   *   runs again
   */
  public static Rewritten applied(Graph graph, List<Node> steps, List<Node> directAssigns, Word word,
    Map<Node, NodeEntry> standsFor) {
    var rewrite = new RecomputeRewrite(graph, steps, directAssigns, standsFor);
    for (int i = 0; i < word.length(); i++) {
      rewrite.run(rewrite.steps.get(word.node(i)));
    }
    return rewrite.result();
  }

  private void run(Node step) {
    List<NodeEntry> inputs = step.inputs().stream().map(this::now).toList();
    int run = runs.merge(step, 1, Integer::sum);
    Node node = inputs.equals(step.inputs()) && run == 1 ? step : step.with(step.kind(), inputs);
    add(step, run == 1 ? node : node.named(again(step, run - 1)));
    direct.getOrDefault(step, List.of()).forEach(assign -> latest.put(assign, rebuilt(assign, assign
      .inputs().stream().map(this::now).toList())));
  }

  private String again(Node node, int count) {
    return names.unique("%s/again%d".formatted(node.name(), count));
  }

  private void add(Node original, Node node) {
    if (node != original) {
      originals.put(node, original);
    }
    order.add(node);
    latest.put(original, node);
    for (int i = 0; i < original.kind().outputs(); i++) {
      copied.remove(original.entry(i));
    }
    NodeEntry copy = standsFor.get(original);
    if (copy != null) {
      copied.put(copy, node.entry());
    }
  }

  /** The entry over the latest runs. */
  private NodeEntry now(NodeEntry entry) {
    if (entry.isAbsent()) {
      return entry;
    }
    Map<Node, Node> known = new HashMap<>();
    Deque<Node> open = new ArrayDeque<>(List.of(entry.node()));
    while (!open.isEmpty()) {
      Node node = open.element();
      List<Node> missing = found(node, known) != null ? List.of() : missing(node, known);
      if (missing.isEmpty()) {
        open.remove();
        if (found(node, known) == null) {
          known.put(node, rebuilt(node, node.inputs().stream().map(it -> known(it, known)).toList()));
        }
      } else {
        missing.forEach(open::push);
      }
    }
    return known(entry, known);
  }

  private List<Node> missing(Node node, Map<Node, Node> known) {
    if (isRun(node)) {
      throw new IllegalArgumentException("a step reads what has not run: node=" + node.name());
    }
    return node.inputs().stream().filter(it -> !it.isAbsent()).map(NodeEntry::node).filter(it -> found(it,
      known) == null).toList();
  }

  private NodeEntry known(NodeEntry entry, Map<Node, Node> known) {
    NodeEntry copy = copied.get(entry);
    if (copy != null) {
      return copy;
    }
    Node node = entry.isAbsent() ? entry.node() : found(entry.node(), known);
    if (node == null) {
      throw new IllegalArgumentException("a step reads what has not run: node=" + entry);
    }
    return node.entry(entry.index());
  }

  /** The node that stands for another now: the latest run of a step, or the node that this call made of it. */
  private @Nullable Node found(Node node, Map<Node, Node> known) {
    return isRun(node) ? latest.get(node) : known.get(node);
  }

  private boolean isRun(Node node) {
    return isStep.contains(node) || node.kind() instanceof NodeKind.Assign;
  }

  private Node rebuilt(Node node, List<NodeEntry> inputs) {
    Map<List<NodeEntry>, Node> variants = made.computeIfAbsent(node, _ -> new HashMap<>());
    Node found = variants.get(inputs);
    if (found == null) {
      Node same = inputs.equals(node.inputs()) ? node : node.with(node.kind(), inputs);
      found = variants.isEmpty() ? same : same.named(again(node, variants.size()));
      variants.put(inputs, found);
      if (found != node) {
        originals.put(found, node);
      }
      order.add(found);
    }
    return found;
  }

  private Rewritten result() {
    List<Graph.Output> outputs = graph.outputs().stream().map(it -> new Graph.Output(it.name(), now(it.entry()), it
      .declared())).toList();
    List<Node> assigns = graph.assigns().stream().map(it -> now(it.entry()).node()).toList();
    var rewritten = new Graph(graph.name(), graph.inputs(), outputs, assigns);
    // Runs that no node reads are left out.
    Set<Node> left = new HashSet<>(rewritten.nodes());
    originals.keySet().retainAll(left);
    return new Rewritten(rewritten.inOrder(order.stream().filter(left::contains).toList()), originals);
  }
}
