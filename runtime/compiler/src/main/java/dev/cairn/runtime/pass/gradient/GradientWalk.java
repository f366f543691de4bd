package dev.cairn.runtime.pass.gradient;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.gradient.GradientContext;
import dev.cairn.runtime.operator.gradient.GradientNodes;
import dev.cairn.runtime.operator.gradient.NoGradient;
import dev.cairn.runtime.operator.gradient.OperatorGradient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** One walk of {@link GradientPass}, backwards over the nodes on ways from an x to a y. */
final class GradientWalk {
  private final Graph graph;
  private final OperatorTable operators;
  private final GradientOptions options;
  private final BodyInference bodies;
  private final GradientNodes nodes;
  private final TermSums sums;
  private final Map<Node, Node> mirrored;
  private final List<UnsupportedOperators.Gap> gaps = new ArrayList<>();
  /** Entries for whose gradients a term is missing, since an operator without a gradient would have to give it. */
  private final Set<NodeEntry> behindGaps = new HashSet<>();

  GradientWalk(Graph graph, GraphTypes types, OperatorTable operators, GradientOptions options, BodyInference bodies) {
    this.graph = graph;
    this.operators = operators;
    this.options = options;
    this.bodies = bodies;
    this.mirrored = options.mirror().of(graph);
    NodeNames names = NodeNames.of(graph);
    mirrored.values().forEach(it -> names.take(it.name()));
    this.nodes = new GradientNodes(operators::resultTypes, withTypesOfCopies(types), names);
    this.sums = new TermSums(nodes, options.aggregation());
  }

  private GraphTypes withTypesOfCopies(GraphTypes types) {
    Map<NodeEntry, TensorType> more = new HashMap<>();
    mirrored.forEach((node, copy) -> {
      for (int i = 0; i < node.kind().outputs(); i++) {
        more.put(copy.entry(i), types.type(node.entry(i)));
      }
    });
    return more.isEmpty() ? types : types.with(more);
  }

  GradientGraph of(List<GradientPass.Head> ys, List<NodeEntry> xs) {
    ys.forEach(it -> requireFloat(it.entry()));
    xs.forEach(this::requireFloat);
    Set<Node> above = new HashSet<>(DepthFirstOrder.of(ys.stream().map(it -> it.entry().node()).toList()));
    List<Node> order = graph.nodes().stream().filter(above::contains).toList();
    requireReached(order, ys, xs);
    NeededEntries needed = NeededEntries.of(order, xs, options, operators, nodes);
    for (GradientPass.Head y : ys) {
      if (needed.contains(y.entry())) {
        sums.add(y.entry(), head(y));
      }
    }
    for (Node node : order.reversed()) {
      visit(node, needed);
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
    List<NodeEntry> gradients = xs.stream().map(it -> sums.of(it).orElseGet(() -> filled(it, 0))).toList();
    return new GradientGraph(graph, xs, gradients, nodes.types());
  }

  private void requireFloat(NodeEntry entry) {
    if (!nodes.type(entry).dtype().isFloat()) {
      throw new IllegalArgumentException("only floats have gradients: entry=%s type=%s".formatted(entry, nodes.type(
        entry)));
    }
  }

  private static void requireReached(List<Node> order, List<GradientPass.Head> ys, List<NodeEntry> xs) {
    Set<NodeEntry> unreached = new LinkedHashSet<>(xs);
    for (Node node : order) {
      node.operands().forEach(unreached::remove);
    }
    ys.forEach(it -> unreached.remove(it.entry()));
    if (!unreached.isEmpty()) {
      throw new IllegalArgumentException(
        "nothing that a gradient is taken of depends on these; leave them out: entries=%s of=%s".formatted(unreached, ys
          .stream().map(GradientPass.Head::entry).toList()));
    }
  }

  private NodeEntry head(GradientPass.Head y) {
    if (y.gradient().isEmpty()) {
      return filled(y.entry(), 1);
    }
    NodeEntry head = y.gradient().get();
    if (!nodes.type(head).equals(nodes.type(y.entry()))) {
      throw new IllegalArgumentException(
        "a head gradient has the type of its entry: entry=%s type=%s head=%s".formatted(
          y.entry(), nodes.type(y.entry()), nodes.type(head)));
    }
    return head;
  }

  private NodeEntry filled(NodeEntry like, double value) {
    return nodes.filled(like.node(), nodes.type(like), value);
  }

  private void visit(Node node, NeededEntries needed) {
    if (node.inputs().isEmpty() || !needed.containsAnyOf(node)) {
      return;
    }
    List<Optional<NodeEntry>> heads = new ArrayList<>(node.kind().outputs());
    boolean isReached = false;
    boolean isBehindGap = false;
    for (int i = 0; i < node.kind().outputs(); i++) {
      NodeEntry result = node.entry(i);
      Optional<NodeEntry> head = sums.of(result);
      heads.add(head);
      isReached |= head.isPresent();
      isBehindGap |= !behindGaps.isEmpty() && behindGaps.contains(result);
    }
    if (!isReached && !isBehindGap) {
      return;
    }
    switch (node.kind()) {
      case NodeKind.Assign _ -> assign(node, heads.getFirst(), isBehindGap, needed);
      case NodeKind.Apply _ -> apply(node, heads, isBehindGap, needed);
      case NodeKind.Branch branch -> branch(node, branch, heads, isBehindGap, needed);
      default -> gap(node, List.of(new UnsupportedOperators.Gap(node.name(), node.operator(),
        "no gradient: a loop has one only if it makes few trips, as many in every run")), needed);
    }
  }

  /** Gives the gradient of an assign's entry to the new value, which is the same value. */
  private void assign(Node node, Optional<NodeEntry> head, boolean isBehindGap, NeededEntries needed) {
    head.ifPresent(it -> sums.add(node.operands().getFirst(), it));
    if (isBehindGap) {
      gap(node, List.of(), needed);
    }
  }

  private void apply(Node node, List<Optional<NodeEntry>> heads, boolean isBehindGap, NeededEntries needed) {
    OperatorGradient gradient = options.gradient(node.operator(), operators);
    if (gradient.rule().isEmpty()) {
      gap(node, List.of(new UnsupportedOperators.Gap(node.name(), node.operator(), gradient.gap())), needed);
      return;
    }
    if (isBehindGap) {
      gap(node, List.of(), needed);
      return;
    }
    var context = new GradientContext(node, nodes, heads, needed::contains, this::read);
    try {
      gradient.rule().get().build(context);
    } catch (NoGradient e) {
      gap(node, List.of(new UnsupportedOperators.Gap(node.name(), node.operator(), OperatorGradient.none(e.reason())
        .gap())), needed);
      return;
    }
    for (GradientContext.Given given : context.given()) {
      sums.add(node.inputs().get(given.operand()), given.gradient());
    }
  }

  private void branch(Node node, NodeKind.Branch branch, List<Optional<NodeEntry>> heads, boolean isBehindGap,
    NeededEntries needed) {
    if (isBehindGap) {
      gap(node, List.of(), needed);
      return;
    }
    List<Integer> wanted = IntStream.range(1, node.inputs().size()).filter(it -> needed.contains(node.inputs().get(it)))
      .boxed().toList();
    try {
      List<NodeEntry> gradients = new BranchGradient(node, branch, wanted, heads, operators, options, bodies).build(
        nodes);
      for (int i = 0; i < wanted.size(); i++) {
        sums.add(node.inputs().get(wanted.get(i)), gradients.get(i));
      }
    } catch (UnsupportedOperators e) {
      gap(node, e.gaps(), needed);
    }
  }

  private NodeEntry read(NodeEntry entry) {
    Node copy = mirrored.get(entry.node());
    return copy == null ? entry : copy.entry(entry.index());
  }

  /** Notes a gap and goes on, so that the error lists all gaps at once. */
  private void gap(Node node, List<UnsupportedOperators.Gap> found, NeededEntries needed) {
    gaps.addAll(found);
    node.operands().stream().filter(needed::contains).forEach(behindGaps::add);
  }
}
