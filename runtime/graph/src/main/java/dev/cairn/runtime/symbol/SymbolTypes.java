package dev.cairn.runtime.symbol;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.PartialType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The types that were inferred for a symbol. Immutable. */
public final class SymbolTypes {
  private final Symbol symbol;
  private final Map<NodeEntry, PartialType> types;

  SymbolTypes(Symbol symbol, Map<NodeEntry, PartialType> types) {
    this.symbol = symbol;
    this.types = types;
  }

  /**
   * The type of a variable, an output or an internal output.
   *
   * @throws IllegalArgumentException when there is none of this name
   */
  public PartialType type(String name) {
    for (Graph.Output output : symbol.entries()) {
      if (output.name().equals(name)) {
        return type(output.entry());
      }
    }
    for (Node node : symbol.nodes()) {
      for (NodeEntry entry : node.entries()) {
        if (SymbolNames.of(entry).equals(name)) {
          return type(entry);
        }
      }
    }
    throw new IllegalArgumentException("no such variable or output: name=%s variables=%s outputs=%s".formatted(name,
      symbol.variables().stream().map(Node::name).toList(), symbol.outputs()));
  }

  private PartialType type(NodeEntry entry) {
    return types.getOrDefault(entry, PartialType.UNKNOWN);
  }

  /** The types of all variables, states too, in their order. */
  public Map<String, PartialType> variables() {
    Map<String, PartialType> all = new LinkedHashMap<>();
    symbol.variables().forEach(it -> all.put(it.name(), type(it.entry())));
    return all;
  }

  /** The types of the outputs, in their order. */
  public List<PartialType> outputs() {
    return symbol.entries().stream().map(it -> type(it.entry())).toList();
  }

  /** Whether the types of all variables are known. */
  public boolean isComplete() {
    return variables().values().stream().allMatch(it -> it.known().isPresent());
  }

  /**
   * The types of all variables.
   *
   * @throws IllegalArgumentException when one stays open; lists all
   */
  public Map<String, TensorType> known() {
    requireComplete();
    Map<String, TensorType> all = new LinkedHashMap<>();
    variables().forEach((name, type) -> all.put(name, type.known().orElseThrow()));
    return all;
  }

  /**
   * Refuses types that are still open. The message lists them by name, with what is known of each, and the variables
   * that would decide it.
   */
  void requireComplete() {
    if (isComplete()) {
      return;
    }
    List<String> open = new ArrayList<>();
    for (Node node : symbol.nodes()) {
      for (NodeEntry entry : node.entries()) {
        boolean listed = node.kind() instanceof NodeKind.Input || symbol.entries().stream().anyMatch(it -> it.entry()
          .equals(entry));
        if (listed && type(entry).known().isEmpty()) {
          open.add("%s=%s (settled by %s)".formatted(SymbolNames.of(entry), type(entry), settling(node)));
        }
      }
    }
    throw new IllegalArgumentException("types stay open: %s; give infer the types of these variables".formatted(String
      .join(", ", open)));
  }

  /** The open variables that a result needs: for a variable, the operands that its first readers read, too. */
  private String settling(Node node) {
    List<Node> from = node.kind() instanceof NodeKind.Input
      ? symbol.nodes().stream().filter(it -> it.inputs().contains(node.entry())).limit(1).toList()
      : List.of(node);
    List<String> names = DepthFirstOrder.of(from.isEmpty() ? List.of(node) : from).stream().filter(
      it -> it.kind() instanceof NodeKind.Input && type(it.entry()).known().isEmpty()).map(Node::name).limit(3)
      .toList();
    return String.join(" or ", names);
  }
}
