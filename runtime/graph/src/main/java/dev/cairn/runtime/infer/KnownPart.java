package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How far the types of a graph are known before a run: up to the nodes whose results depend on a value that only a run
 * knows. Nodes that read such results are neither known nor open.
 *
 * @param types of the known nodes' entries, and the values that no run changes
 * @param known the nodes with types
 * @param open the nodes that read known entries alone, but have no types before a run; by node, why
 * @param bounds the largest types that the results of open nodes can have, where a rule bounds them
 */
public record KnownPart(GraphTypes types, Set<Node> known, Map<Node, String> open,
  Map<NodeEntry, TensorType> bounds) {
  /**
   * Infers as far as types go.
   *
   * @param inputs the types of the inputs that are tensors of numbers; other inputs have none
   * @param outside which nodes have results that no plan holds
   * @throws dev.cairn.runtime.graph.InvalidGraph when a node breaks its operator's rules, or there is no such operator
   */
  public static KnownPart of(Graph graph, Map<String, TensorType> inputs, TypeInference inference,
    Predicate<Node> outside) {
    return new Sweep(inference, outside).over(graph, inputs);
  }

  /** The sweep over the nodes. */
  private static final class Sweep {
    private final TypeInference inference;
    private final Predicate<Node> outside;
    private final KnownEntries entries = new KnownEntries();
    private final Set<Node> known = new HashSet<>();
    private final Set<Node> untyped = new HashSet<>();
    private final Map<Node, String> open = new LinkedHashMap<>();
    private final Map<NodeEntry, TensorType> bounds = new HashMap<>();

    Sweep(TypeInference inference, Predicate<Node> outside) {
      this.inference = inference;
      this.outside = outside;
    }

    KnownPart over(Graph graph, Map<String, TensorType> inputs) {
      for (Node node : graph.nodes()) {
        TensorType given = inputs.get(node.name());
        if (node.kind() instanceof NodeKind.Input) {
          if (given == null) {
            untyped.add(node);
          } else {
            entries.put(node, List.of(given));
            known.add(node);
          }
        } else if (node.kind() instanceof NodeKind.Constant(TensorView value) && value.dtype() == DType.STRING) {
          untyped.add(node);
        } else {
          step(node);
        }
      }
      return new KnownPart(entries.asGraphTypes(), known, open, bounds);
    }

    private void step(Node node) {
      boolean isReady = node.inputs().stream().allMatch(it -> it.isAbsent() || known.contains(it.node()) || untyped
        .contains(it.node()));
      if (!isReady) {
        return;
      }
      boolean isTyped = node.inputs().stream().noneMatch(it -> untyped.contains(it.node()));
      if (!isTyped || outside.test(node)) {
        open.put(node, "strings, sequences, optionals and maps lie outside every plan");
        return;
      }
      try {
        inference.step(node, entries);
        known.add(node);
      } catch (ValueDependentShape e) {
        open.put(node, String.valueOf(e.getMessage()));
        inference.bound(node, entries).ifPresent(types -> {
          for (int i = 0; i < types.size(); i++) {
            bounds.put(node.entry(i), types.get(i));
          }
        });
      }
    }
  }
}
