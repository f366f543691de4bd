package dev.cairn.runtime.onnx.decode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts nodes in an order in which each comes after what it reads, staying close to the file's. Judges the model's
 * wiring on the way: every value that is read is made, no value is made twice, and no node needs its own result.
 */
final class NodeOrder {
  private static final int FRESH = 0;
  private static final int OPEN = 1;
  private static final int DONE = 2;

  private final List<FlatNode> nodes;
  private final Set<String> given;
  private final ModelMessage source;
  private final Map<String, Integer> makers = new HashMap<>();
  private final int[] states;
  private final int[] nextInput;
  private final List<List<String>> reads;
  private final List<FlatNode> order = new ArrayList<>();

  private NodeOrder(List<FlatNode> nodes, Set<String> given, ModelMessage source) {
    this.nodes = nodes;
    this.given = given;
    this.source = source;
    this.states = new int[nodes.size()];
    this.nextInput = new int[nodes.size()];
    this.reads = nodes.stream().map(FlatNode::reads).toList();
  }

  /**
   * @param given values that exist without any node: inputs and initializers
   * @throws dev.cairn.runtime.session.InvalidModel when the wiring is wrong; a cycle is given with the nodes along it
   */
  static List<FlatNode> of(List<FlatNode> nodes, Set<String> given, ModelMessage source) {
    var work = new NodeOrder(nodes, given, source);
    work.findMakers();
    for (int node = 0; node < nodes.size(); node++) {
      work.visit(node);
    }
    return work.order;
  }

  private void findMakers() {
    for (int node = 0; node < nodes.size(); node++) {
      for (String output : nodes.get(node).outputs()) {
        if (output.isEmpty()) {
          continue;
        }
        Integer other = makers.put(output, node);
        if (other != null || given.contains(output)) {
          String first = other == null ? "an input or initializer" : nodes.get(other).name();
          throw source.invalid(
            "a value is defined twice: value=%s node=%s other=%s".formatted(output, nodes.get(node).name(), first));
        }
      }
    }
  }

  /** Depth first, with a stack of its own: models may be deeper than the thread's stack. */
  private void visit(int root) {
    var path = new ArrayDeque<Integer>();
    if (states[root] == FRESH) {
      open(root, path);
    }
    while (!path.isEmpty()) {
      int node = path.getLast();
      List<String> inputs = reads.get(node);
      if (nextInput[node] == inputs.size()) {
        states[node] = DONE;
        order.add(nodes.get(node));
        path.removeLast();
        continue;
      }
      int maker = maker(node, inputs.get(nextInput[node]++));
      if (maker >= 0 && states[maker] == OPEN) {
        throw cycle(maker, path);
      }
      if (maker >= 0 && states[maker] == FRESH) {
        open(maker, path);
      }
    }
  }

  private void open(int node, ArrayDeque<Integer> path) {
    states[node] = OPEN;
    path.addLast(node);
  }

  /** The node that makes a value; negative for a value that is given or left out. */
  private int maker(int reader, String value) {
    if (value.isEmpty() || given.contains(value)) {
      return -1;
    }
    Integer maker = makers.get(value);
    if (maker == null) {
      throw source.invalid(
        "a node reads an undefined value: node=%s value=%s".formatted(nodes.get(reader).name(), value));
    }
    return maker;
  }

  private RuntimeException cycle(int first, ArrayDeque<Integer> path) {
    List<String> names = path.stream().dropWhile(node -> node != first).map(node -> nodes.get(node).name()).toList();
    return source.invalid("nodes form a cycle: cycle=" + names);
  }
}
