package dev.cairn.runtime.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

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

  /** One node that should come before another. */
  public record Wish(Node first, Node then) {}

  private final List<Node> order;
  private final Map<Node, Integer> positions = new HashMap<>();
  private final List<List<Integer>> readers = new ArrayList<>();
  private final List<List<Integer>> wishes = new ArrayList<>();
  private final int[] unread;
  private final int[] unfulfilled;

  private AssignOrder(List<Node> order) {
    this.order = order;
    this.unread = new int[order.size()];
    this.unfulfilled = new int[order.size()];
    for (Node node : order) {
      positions.put(node, positions.size());
      readers.add(new ArrayList<>());
      wishes.add(new ArrayList<>());
    }
  }

  /** The wishes of the graph's assigns. An order that satisfies all of them needs no copies of old values. */
  public static List<Wish> wishes(Graph graph) {
    return wishes(graph.nodes(), ends(graph.nodes()));
  }

  /**
   * The same nodes in the same order, except that assigns, and nodes that depend on them, wait for readers of old
   * values.
   */
  static List<Node> applied(List<Node> order) {
    Map<NodeEntry, Node> ends = ends(order);
    return ends.isEmpty() ? order : new AssignOrder(order).sorted(ends);
  }

  /** The assign that ends each value of a variable. */
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
    for (Wish wish : wishes(order, ends)) {
      addWish(wish.first(), wish.then());
      // What only the assign reads may be written right into the variable, if it is computed as late.
      Node value = wish.then().inputs().get(wish.then().inputs().size() - 1).node();
      if (value != wish.first() && value.kind() instanceof NodeKind.Apply && readers.get(position(value)).size() == 1) {
        addWish(wish.first(), value);
      }
    }
    return sorted();
  }

  private void addWish(Node first, Node then) {
    wishes.get(position(first)).add(position(then));
    unfulfilled[position(then)]++;
  }

  private int position(Node node) {
    return positions.getOrDefault(node, 0);
  }

  /** Takes the first ready node each time. If none is ready, it gives up the cheapest wish. */
  private List<Node> sorted() {
    var free = new PriorityQueue<Integer>();
    var values = new PriorityQueue<Integer>();
    var assigns = new PriorityQueue<Integer>();
    boolean[] placed = new boolean[order.size()];
    List<Node> result = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      enqueue(i, free, values, assigns);
    }
    while (result.size() < order.size()) {
      int next = !free.isEmpty() ? free.remove() : !values.isEmpty() ? values.remove() : assigns.remove();
      if (placed[next]) {
        continue;
      }
      placed[next] = true;
      result.add(order.get(next));
      for (int reader : readers.get(next)) {
        unread[reader]--;
        enqueue(reader, free, values, assigns);
      }
      for (int waiting : wishes.get(next)) {
        unfulfilled[waiting]--;
        enqueue(waiting, free, values, assigns);
      }
    }
    return List.copyOf(result);
  }

  /** A node may be in several queues, and several times in one; its first place counts. */
  private void enqueue(int node, PriorityQueue<Integer> free, PriorityQueue<Integer> values,
    PriorityQueue<Integer> assigns) {
    if (unread[node] > 0) {
      return;
    }
    if (unfulfilled[node] == 0) {
      free.add(node);
    } else {
      (order.get(node).kind() instanceof NodeKind.Assign ? assigns : values).add(node);
    }
  }
}
