package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Finds the inputs of a graph that decide values. */
public final class DecidingInputs {
  private final Function<NodeEntry, Optional<TensorView>> values;
  private final Set<String> inputs = new TreeSet<>();
  private final Set<Node> seen = new HashSet<>();
  private final Deque<NodeEntry> open = new ArrayDeque<>();

  private DecidingInputs(Function<NodeEntry, Optional<TensorView>> values) {
    this.values = values;
  }

  /**
   * The names of the inputs; empty when a variable, or a constant that is computed later, decides the value, too.
   *
   * @param values the known values, also of entries before this one
   */
  static Set<String> of(NodeEntry entry, Function<NodeEntry, Optional<TensorView>> values) {
    return of(List.of(entry), values);
  }

  /** Like {@link #of(NodeEntry, Function)}, of what decides which bodies of a node run, and how often. */
  public static Set<String> ofControl(Node node, Function<NodeEntry, Optional<TensorView>> values) {
    return of(node.inputs().subList(0, node.kind() instanceof NodeKind.Branch ? 1 : 2), values);
  }

  private static Set<String> of(List<NodeEntry> entries, Function<NodeEntry, Optional<TensorView>> values) {
    var search = new DecidingInputs(values);
    entries.forEach(search.open::push);
    while (!search.open.isEmpty()) {
      if (!search.follows(search.open.pop())) {
        return Set.of();
      }
    }
    return search.inputs;
  }

  private boolean follows(NodeEntry entry) {
    if (entry.isAbsent() || values.apply(entry).isPresent() || !seen.add(entry.node())) {
      return true;
    }
    return switch (entry.node().kind()) {
      case NodeKind.Input input -> inputs.add(entry.node().name());
      case NodeKind.Apply _,NodeKind.Control _ -> pushOperands(entry.node());
      case NodeKind.Constant _,NodeKind.Absent _ -> true;
      case NodeKind.Parameter _,NodeKind.Deferred _,NodeKind.Variable _,NodeKind.Assign _ -> false;
    };
  }

  private boolean pushOperands(Node node) {
    node.operands().forEach(open::push);
    return true;
  }
}
