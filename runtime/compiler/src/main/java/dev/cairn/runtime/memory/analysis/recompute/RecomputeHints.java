package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.LongestWaits;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.offload.OffloadHints;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Hints on a graph's nodes, which are notes: {@link Notes#REPEAT} and {@link Notes#OFFLOAD}. A hint binds: it is
 * followed, or a {@link RefusedHint} says why it cannot be.
 */
public final class RecomputeHints {
  private static final String ALWAYS = "always";
  private static final String NEVER = "never";
  private static final Set<String> NAMES = Set.of(Notes.REPEAT, Notes.OFFLOAD);

  private RecomputeHints() {}

  /**
   * The nodes that have hints, by name.
   *
   * @throws RefusedHint when a hint has an unknown name or value, in the graph or in a body
   */
  public static Map<String, Node> checked(Graph graph) {
    Map<String, Node> hinted = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Control control) {
        control.bodies().forEach(RecomputeHints::checked);
      }
      if (node.notes().binds()) {
        node.notes().values().forEach((name, value) -> check(node, name, value));
        hinted.put(node.name(), node);
      }
    }
    return hinted;
  }

  private static void check(Node node, String name, String value) {
    if (!name.startsWith(Notes.BINDING)) {
      return;
    }
    if (!NAMES.contains(name)) {
      throw new RefusedHint(node.name(), name + "=" + value, "no hint has this name: known=" + NAMES.stream().sorted()
        .toList());
    }
    if (!value.equals(ALWAYS) && !value.equals(NEVER)) {
      throw new RefusedHint(node.name(), name + "=" + value, "its value is neither %s nor %s".formatted(ALWAYS, NEVER));
    }
  }

  /** Refuses every hint that asks for a recomputation or a copy. */
  public static void refuseAlways(Graph graph, String reason) {
    checked(graph).values().stream().filter(node -> always(node, Notes.REPEAT) || always(node, Notes.OFFLOAD))
      .findFirst().ifPresent(node -> {
        throw refused(node, reason);
      });
  }

  private static RefusedHint refused(Node node, String reason) {
    String first = node.notes().get(Notes.REPEAT).isPresent() ? Notes.REPEAT : Notes.OFFLOAD;
    return refused(node, always(node, Notes.OFFLOAD) && !always(node, Notes.REPEAT) ? Notes.OFFLOAD : first, reason);
  }

  /** The refusal of a hint that a node has. */
  public static RefusedHint refused(Node node, String name, String reason) {
    return new RefusedHint(node.name(), name + "=" + node.notes().get(name).orElse(""), reason);
  }

  /** The first node with such a hint that says {@code always}. */
  public static Optional<Node> firstAlways(Graph graph, String name) {
    return graph.nodes().stream().filter(node -> always(node, name)).findFirst();
  }

  static boolean always(Node node, String name) {
    return node.notes().get(name).filter(ALWAYS::equals).isPresent();
  }

  static boolean never(Node node, String name) {
    return node.notes().get(name).filter(NEVER::equals).isPresent();
  }

  /**
   * The word in which each step whose hint says so runs again, at the end of its longest wait.
   *
   * @throws RefusedHint when one cannot
   */
  public static Word word(IndexedGraph graph, Storage storage, RecomputeProblem problem, OperatorTable operators) {
    var again = new BitSet();
    for (int step : asked(graph, storage, problem.order(), operators, Notes.REPEAT)) {
      again.set(step);
    }
    LongestWaits waits = LongestWaits.of(problem, again);
    waits.impossible().stream().findFirst().ifPresent(step -> {
      throw refused(storage.steps().get(step), Notes.REPEAT,
        "it reads a variable that is assigned before its result is read again");
    });
    return waits.word();
  }

  /**
   * The hints for the values of a problem.
   *
   * @throws RefusedHint when one that must be copied cannot
   */
  public static OffloadHints offload(IndexedGraph graph, Storage storage, RecomputeProblem problem,
    OperatorTable operators) {
    if (graph.graph().nodes().stream().noneMatch(it -> it.notes().get(Notes.OFFLOAD).isPresent())) {
      return OffloadHints.NONE;
    }
    OrderProblem order = problem.order();
    var always = new BitSet();
    var never = new BitSet();
    for (int step : asked(graph, storage, order, operators, Notes.OFFLOAD)) {
      for (int value : order.made(step)) {
        always.set(value);
      }
    }
    for (int step = 0; step < storage.steps().size(); step++) {
      if (never(storage.steps().get(step), Notes.OFFLOAD)) {
        for (int value : order.made(step)) {
          never.set(value);
        }
      }
    }
    return new OffloadHints(always, never);
  }

  /** The steps whose hint says {@code always}; throws when a step cannot follow its hint. */
  private static int[] asked(IndexedGraph graph, Storage storage, OrderProblem order, OperatorTable operators,
    String hint) {
    Map<Node, Integer> steps = new HashMap<>();
    List<Node> all = storage.steps();
    for (int step = 0; step < all.size(); step++) {
      steps.put(all.get(step), step);
    }
    return graph.graph().nodes().stream().filter(node -> always(node, hint)).mapToInt(node -> {
      Integer step = steps.get(node);
      if (step == null) {
        throw refused(node, hint, "no step computes it: it is given, or its result shares its operand's bytes");
      }
      reason(graph, storage, order, step, operators, hint).ifPresent(reason -> {
        throw refused(node, hint, reason);
      });
      return step;
    }).toArray();
  }

  private static Optional<String> reason(IndexedGraph graph, Storage storage, OrderProblem order, int step,
    OperatorTable operators, String hint) {
    Node node = storage.steps().get(step);
    if (hint.equals(Notes.REPEAT)) {
      Optional<String> once = RecomputeAnalysis.whyOnce(graph, storage, node, operators);
      if (once.isPresent()) {
        return once;
      }
    }
    boolean stays = !RecomputeAnalysis.isPlanned(graph, storage, node) || Arrays.stream(order.made(step)).anyMatch(
      order::isKept);
    return stays ? Optional.of(RecomputeAnalysis.OUTSIDE) : Optional.empty();
  }
}
