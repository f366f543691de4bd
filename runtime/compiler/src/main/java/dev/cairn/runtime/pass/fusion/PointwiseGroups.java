package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.AssignOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Decides which nodes become one. In the graph's order, each elementwise node takes in the groups that it reads and
 * that have its shape. A group runs at the place of its last member, so a group that is taken in moves down to the
 * node. It is taken in only when
 *
 * <ul>
 * <li>the group's other readers come after the node: then every group's readers come after its last member, and no two
 * groups can wait for each other
 * <li>every assign that must come after the group, because the group reads the variable's old value, comes after the
 * node, too
 * <li>the move saves at least as many bytes as it costs: it holds the group's inputs longer, but results of the group
 * are made later or not at all
 * <li>the group has not too many steps, inputs and results
 * </ul>
 */
final class PointwiseGroups {
  private final Graph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final Predicate<Node> serves;
  private final Map<Node, Integer> positions = new HashMap<>();
  private final Map<Node, TreeSet<Integer>> groups = new HashMap<>();
  private final Map<Node, Set<Integer>> readers = new HashMap<>();
  /** The nodes that must come after a node: its readers, and assigns that overwrite a value which the node reads. */
  private final Map<Node, Set<Integer>> followers = new HashMap<>();
  private final HeldBytes held;
  private final Set<Node> given = new HashSet<>();

  private PointwiseGroups(Graph graph, GraphTypes types, OperatorTable operators, Predicate<Node> serves) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.serves = serves;
    graph.nodes().forEach(node -> positions.put(node, positions.size()));
    graph.outputs().forEach(output -> given.add(output.entry().node()));
    for (Node node : graph.nodes()) {
      node.inputs().forEach(read -> {
        add(readers, read.node(), node);
        add(followers, read.node(), node);
      });
    }
    AssignOrder.wishes(graph).forEach(wish -> add(followers, wish.first(), wish.then()));
    this.held = new HeldBytes(graph, types, operators, node -> groups.containsKey(node)
      ? groups.get(node).last()
      : position(node));
  }

  /** The groups of at least two nodes, in the order of their last members. */
  static List<FusedGroup> find(Graph graph, GraphTypes types, OperatorTable operators, Predicate<Node> serves) {
    var search = new PointwiseGroups(graph, types, operators, serves);
    for (Node node : graph.nodes()) {
      if (search.isPointwise(node)) {
        search.groups.put(node, new TreeSet<>(List.of(search.position(node))));
        node.inputs().forEach(read -> search.takeIn(read.node(), node));
      }
    }
    return search.found();
  }

  private void add(Map<Node, Set<Integer>> positionsOf, Node first, Node then) {
    positionsOf.computeIfAbsent(first, it -> new TreeSet<>()).add(position(then));
  }

  private int position(Node node) {
    return positions.getOrDefault(node, -1);
  }

  private boolean isPointwise(Node node) {
    if (!(node.kind() instanceof NodeKind.Apply kind) || kind.outputs() != 1 || node.notes().binds()
      || !operators.get(kind.operator()).memory().elementwise()) {
      return false;
    }
    TensorType result = types.type(node.entry());
    return !result.dtype().isNarrow() && node.inputs().stream().filter(read -> !read.isAbsent()).map(types::type)
      .allMatch(it -> !it.dtype().isNarrow() && stretches(it.shape(), result.shape())) && serves.test(node);
  }

  private static boolean stretches(Shape from, Shape to) {
    return from.rank() <= to.rank() && from.broadcastWith(to).equals(to);
  }

  private void takeIn(Node read, Node node) {
    TreeSet<Integer> upper = groups.get(read);
    TreeSet<Integer> lower = groups.get(node);
    if (upper == null || lower == null || lower.contains(upper.first()) || !sameShape(read, node)) {
      return;
    }
    var both = new TreeSet<>(upper);
    both.addAll(lower);
    if (comesBeforeItsFollowers(upper, both) && hasRightSize(both) && holdsNoMore(upper, both)) {
      both.forEach(member -> groups.put(graph.nodes().get(member), both));
    }
  }

  private boolean sameShape(Node a, Node b) {
    TensorType ofA = types.type(a.entry());
    return ofA.shape().equals(types.type(b.entry()).shape());
  }

  private boolean comesBeforeItsFollowers(Collection<Integer> upper, NavigableSet<Integer> both) {
    int last = both.last();
    return upper.stream().flatMap(member -> of(followers, member).stream()).allMatch(it -> both.contains(it)
      || it > last);
  }

  private Set<Integer> of(Map<Node, Set<Integer>> positionsOf, int member) {
    return positionsOf.getOrDefault(graph.nodes().get(member), Set.of());
  }

  private boolean hasRightSize(NavigableSet<Integer> both) {
    if (both.size() > FusedOperator.MOST_STEPS) {
      return false;
    }
    FusedGroup group = group(both);
    return group.results().size() <= FusedOperator.MOST_RESULTS && !group.inputs().isEmpty() && group.inputs()
      .size() <= FusedOperator.MOST_INPUTS;
  }

  /** A group's members, and those of them that nodes outside the group read. */
  private FusedGroup group(Collection<Integer> members) {
    List<Node> nodes = new ArrayList<>();
    List<Node> results = new ArrayList<>();
    for (int member : members) {
      Node node = graph.nodes().get(member);
      nodes.add(node);
      if (given.contains(node) || !members.containsAll(of(readers, member))) {
        results.add(node);
      }
    }
    return new FusedGroup(nodes, results);
  }

  private boolean holdsNoMore(NavigableSet<Integer> upper, NavigableSet<Integer> both) {
    boolean isNext = true;
    for (int between = upper.last() + 1; between < both.last() && isNext; between++) {
      isNext = both.contains(between) || !held.runs(graph.nodes().get(between));
    }
    if (isNext) {
      return true;
    }
    FusedGroup moving = group(upper);
    long longer = held.heldLonger(moving.inputs(), both.last());
    long later = moving.results().stream().mapToLong(it -> types.type(it.entry()).bytes()).sum();
    return longer <= later;
  }

  private List<FusedGroup> found() {
    List<FusedGroup> found = new ArrayList<>();
    for (Node node : graph.nodes()) {
      TreeSet<Integer> group = groups.get(node);
      if (group != null && group.size() > 1 && group.last() == position(node)) {
        found.add(group(group));
      }
    }
    return found;
  }
}
