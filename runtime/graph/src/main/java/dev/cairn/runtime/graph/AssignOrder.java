package dev.cairn.runtime.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;

/**
 * Orders readers of a variable's old value before the assign of the new one. Then the assign can overwrite the
 * variable's memory without a copy. This is not always possible: a reader of the old value may also need the new one;
 * then a run keeps the old value elsewhere.
 *
 * <pre>
 * w = variable              the order may not be      w, a, b, y     (b would find the new value)
 * a = assign(w, v)          but is                    w, b, a, y
 * b = Neg(w)
 * y = Add(a, b)
 * </pre>
 */
public final class AssignOrder {

  /** A wish: one node that should come before another. */
  public record Wish(Node first, Node then) {}

  private final List<Node> order;
  private final Map<Node, Integer> positions = new HashMap<>();
  private final List<List<Integer>> readers = new ArrayList<>();
  private final List<List<Integer>> wishes = new ArrayList<>();
  private final List<List<Integer>> wishers = new ArrayList<>();
  private final int[] unread;
  private final int[] unfulfilled;
  private final boolean[] placed;
  private final PriorityQueue<Integer> free = new PriorityQueue<>();
  /** Nodes that could run, since their operands are there, but that wait for a wish. */
  private final NavigableSet<Integer> blocked = new TreeSet<>();

  private AssignOrder(List<Node> order) {
    this.order = order;
    this.unread = new int[order.size()];
    this.unfulfilled = new int[order.size()];
    this.placed = new boolean[order.size()];
    for (Node node : order) {
      positions.put(node, positions.size());
      readers.add(new ArrayList<>());
      wishes.add(new ArrayList<>());
      wishers.add(new ArrayList<>());
    }
  }

  /** The wishes of the graph's assigns. An order that satisfies all of them needs no copies of old values. */
  public static List<Wish> wishes(Graph graph) {
    return wishes(graph.nodes(), ends(graph.nodes()));
  }

  /**
   * The graph with its assigns as late as their readers allow. Then no assign stands between a node that it reads and
   * the nodes after it.
   */
  public static Graph withLateAssigns(Graph graph) {
    Set<Node> late = new LinkedHashSet<>();
    Set<Node> waiting = new LinkedHashSet<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Assign) {
        waiting.add(node);
      } else {
        if (node.inputs().stream().anyMatch(it -> waiting.contains(it.node()))) {
          late.addAll(waiting);
          waiting.clear();
        }
        late.add(node);
      }
    }
    late.addAll(waiting);
    return graph.inOrder(List.copyOf(late));
  }

  /**
   * The same nodes in the same order, except that assigns, and nodes that depend on them, wait for readers of old
   * values.
   */
  static List<Node> applied(List<Node> order) {
    Map<NodeEntry, Node> ends = ends(order);
    return ends.isEmpty() ? order : new AssignOrder(order).sorted(ends);
  }

  /** For each value of a variable, the assign that overwrites it. */
  private static Map<NodeEntry, Node> ends(List<Node> order) {
    Map<NodeEntry, Node> ends = new HashMap<>();
    for (Node node : order) {
      if (node.kind() instanceof NodeKind.Assign && !node.inputs().isEmpty()) {
        ends.putIfAbsent(node.inputs().get(0), node);
      }
    }
    return ends;
  }

  private static List<Wish> wishes(List<Node> order, Map<NodeEntry, Node> ends) {
    List<Wish> wishes = new ArrayList<>();
    for (Node node : order) {
      for (NodeEntry read : node.operands()) {
        Node end = ends.get(read);
        if (end != null && end != node) {
          wishes.add(new Wish(node, end));
        }
      }
    }
    return wishes;
  }

  private List<Node> sorted(Map<NodeEntry, Node> ends) {
    for (Node node : order) {
      for (NodeEntry input : node.inputs()) {
        if (!input.isAbsent()) {
          readers.get(position(input.node())).add(position(node));
          unread[position(node)]++;
        }
      }
    }
    Map<Node, List<Node>> firsts = new LinkedHashMap<>();
    for (Wish wish : wishes(order, ends)) {
      addWish(wish.first(), wish.then());
      firsts.computeIfAbsent(wish.then(), _ -> new ArrayList<>()).add(wish.first());
    }
    firsts.forEach(this::addWishesOfMaker);
    return sorted();
  }

  /**
   * Adds wishes for the node that computes the new value: as late as its assign, it may write right into the variable.
   */
  private void addWishesOfMaker(Node assign, List<Node> firsts) {
    Node maker = assign.inputs().getLast().node();
    List<Node> others = firsts.stream().filter(it -> it != maker).toList();
    if (maker.kind() instanceof NodeKind.Apply && !others.isEmpty() && !leadsTo(maker, others)) {
      others.forEach(first -> addWish(first, maker));
    }
  }

  /** Whether one of the nodes needs what the maker computes. */
  private boolean leadsTo(Node maker, List<Node> nodes) {
    Set<Integer> wanted = new HashSet<>();
    nodes.forEach(node -> wanted.add(position(node)));
    int last = Collections.max(wanted);
    if (last < position(maker)) {
      return false;
    }
    Set<Integer> seen = new HashSet<>();
    var open = new ArrayDeque<>(List.of(position(maker)));
    while (!open.isEmpty()) {
      for (int reader : readers.get(open.remove())) {
        if (wanted.contains(reader)) {
          return true;
        }
        if (reader < last && seen.add(reader)) {
          open.add(reader);
        }
      }
    }
    return false;
  }

  private void addWish(Node first, Node then) {
    wishes.get(position(first)).add(position(then));
    wishers.get(position(then)).add(position(first));
    unfulfilled[position(then)]++;
  }

  private int position(Node node) {
    return positions.getOrDefault(node, 0);
  }

  /** Takes the first ready node each time. If none is ready, it gives up the wishes of one node. */
  private List<Node> sorted() {
    List<Node> result = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      enqueue(i);
    }
    while (result.size() < order.size()) {
      int next = free.isEmpty() ? nodeOfARing() : free.remove();
      if (placed[next]) {
        continue;
      }
      placed[next] = true;
      blocked.remove(next);
      result.add(order.get(next));
      for (int reader : readers.get(next)) {
        unread[reader]--;
        enqueue(reader);
      }
      for (int waiting : wishes.get(next)) {
        unfulfilled[waiting]--;
        enqueue(waiting);
      }
    }
    return List.copyOf(result);
  }

  private void enqueue(int node) {
    if (unread[node] == 0 && !placed[node]) {
      if (unfulfilled[node] == 0) {
        free.add(node);
      } else {
        blocked.add(node);
      }
    }
  }

  /**
   * A blocked node in a ring of reads and wishes, which no order can fulfil. One that is no assign goes first: its
   * value then costs a copy, but no old value must be kept.
   */
  private int nodeOfARing() {
    Set<Integer> path = new LinkedHashSet<>();
    int node = blocked.first();
    while (path.add(node)) {
      node = readyNeedOf(wishers.get(node).stream().filter(it -> !placed[it]).findFirst().orElseThrow());
    }
    int repeated = node;
    List<Integer> ring = path.stream().dropWhile(it -> it != repeated).sorted().toList();
    return ring.stream().filter(it -> !(order.get(it).kind() instanceof NodeKind.Assign)).findFirst().orElse(
      ring.getFirst());
  }

  /** The node itself, or one that it needs, whose operands are all there. */
  private int readyNeedOf(int node) {
    int ready = node;
    while (unread[ready] > 0) {
      ready = order.get(ready).inputs().stream().filter(it -> !it.isAbsent()).mapToInt(it -> position(it.node()))
        .filter(it -> !placed[it]).findFirst().orElseThrow();
    }
    return ready;
  }
}
