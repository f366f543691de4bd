package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The decisions for a model's largest shapes (order, aliases, writes in place, shared buffers), applied to smaller
 * shapes of the same model: only the bytes are other.
 *
 * @param graph the model as compiled for the largest shapes
 * @param storage of that graph
 */
public record StorageForLargest(IndexedGraph graph, Storage storage) {
  /**
   * A graph for smaller shapes in the order of the largest's.
   *
   * @throws IllegalArgumentException when it is another graph than the largest's, but for types and constants
   */
  public Graph ordered(Graph smaller) {
    Map<String, Node> byName = new HashMap<>();
    smaller.nodes().forEach(node -> byName.put(node.name(), node));
    List<Node> order = new ArrayList<>();
    for (Node node : graph.graph().nodes()) {
      Node same = byName.remove(node.name());
      if (same == null || !form(node).equals(form(same))) {
        throw new IllegalArgumentException(
          "these shapes give another graph than the largest: node=%s largest=%s these=%s"
            .formatted(node.name(), form(node), same == null ? "none" : form(same)));
      }
      order.add(same);
    }
    if (!byName.isEmpty()) {
      throw new IllegalArgumentException("these shapes give another graph than the largest: more nodes=%s".formatted(
        byName.keySet().stream().sorted().limit(5).toList()));
    }
    return smaller.inOrder(order);
  }

  private static String form(Node node) {
    return node.operator() + node.inputs() + "x" + node.kind().outputs();
  }

  /**
   * The same storage with the bytes of smaller shapes.
   *
   * @param smaller a graph that {@link #ordered} gave
   * @throws IllegalArgumentException when something was written in place that these shapes don't allow
   */
  public Storage resized(IndexedGraph smaller, GraphTypes types, ToLongFunction<Node> workspaceBytes) {
    long[] bytes = new long[storage.problem().size()];
    long separateBytes = 0;
    List<Node> steps = storage.steps().stream().map(step -> same(step, smaller)).toList();
    for (int step = 0; step < steps.size(); step++) {
      Node node = steps.get(step);
      for (int output = 0; output < node.kind().outputs(); output++) {
        NodeEntry entry = node.entry(output);
        if (place(entry, smaller) instanceof Place.Result) {
          requireInPlace(node, entry, smaller, types);
        } else if (place(entry, smaller) instanceof Place.Planned(int buffer)) {
          requireInPlace(node, entry, smaller, types);
          bytes[buffer] = Math.max(bytes[buffer], types.type(entry).bytes());
          separateBytes += types.type(entry).bytes();
        }
      }
      long scratch = workspaceBytes.applyAsLong(node);
      separateBytes += scratch;
      Optional<Place.Planned> workspace = storage.workspaces().get(step);
      if (workspace.isPresent()) {
        bytes[workspace.get().buffer()] = scratch;
      } else if (scratch > 0) {
        throw new IllegalArgumentException(
          "a kernel needs scratch memory, unlike for the largest shapes: node=%s bytes=%d"
            .formatted(node.name(), scratch));
      }
    }
    List<Node> constants = storage.constants().stream().map(node -> same(node, smaller)).toList();
    VariableUse variables = new VariableUse(storage.variables().variables().stream().map(it -> same(it, smaller))
      .toList(), storage.variables().direct().stream().map(it -> same(it, smaller)).toList());
    return new Storage(steps, storage.places(), storage.workspaces(), constants, variables, resized(bytes),
      separateBytes, storage.inPlace());
  }

  private Node same(Node ofLargest, IndexedGraph smaller) {
    return smaller.node(graph.nodeId(ofLargest));
  }

  private Place place(NodeEntry entry, IndexedGraph smaller) {
    return storage.places().get(smaller.entryId(entry));
  }

  /** A result may lie over an operand of as many bytes only. */
  private void requireInPlace(Node node, NodeEntry result, IndexedGraph smaller, GraphTypes types) {
    for (NodeEntry operand : node.operands()) {
      if (!operand.isAbsent() && place(operand, smaller).equals(place(result, smaller))
        && types.type(operand).bytes() != types.type(result).bytes()) {
        throw new IllegalArgumentException("a step runs in place for the largest shapes, but cannot for these: node=%s "
          .formatted(node.name()) + "operand=%s result=%s".formatted(types.type(operand), types.type(result)));
      }
    }
  }

  private MemoryProblem resized(long[] bytes) {
    MemoryProblem problem = storage.problem();
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      Buffer it = problem.buffer(i);
      buffers.add(new Buffer(it.name(), bytes[i], it.lifetime(), it.alignment(), it.reuseKey(), it.reusable(),
        it.output(), it.constraints()));
    }
    return new MemoryProblem(buffers, problem.groups(), problem.conflicts());
  }
}
