package dev.cairn.runtime.symbol;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.operator.partial.PartialCall;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Sweeps over the nodes of a symbol, forwards and then backwards, until no sweep adds a fact. At each node the {@link
 * PartialRule} say what follows for results from operands, and back. Where all operands are known, the operator's
 * ordinary type rule follows.
 */
final class PartialInference implements PartialCall.Facts {
  private final List<Node> nodes;
  private final Map<NodeEntry, PartialType> types = new HashMap<>();
  private final Map<NodeEntry, String> origins = new HashMap<>();
  private final Map<NodeEntry, TensorView> values = new HashMap<>();
  private boolean changed;

  private PartialInference(List<Node> nodes) {
    this.nodes = nodes;
  }

  /** @throws IllegalArgumentException when a name is no variable's */
  static SymbolTypes of(Symbol symbol, Map<String, PartialType> given) {
    List<String> names = symbol.variables().stream().map(Node::name).toList();
    for (String name : new TreeSet<>(given.keySet())) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException("no such variable: name=%s variables=%s".formatted(name, names));
      }
    }
    var inference = new PartialInference(symbol.nodes());
    inference.begin(given);
    inference.sweep();
    return new SymbolTypes(symbol, Map.copyOf(inference.types));
  }

  private void begin(Map<String, PartialType> given) {
    for (Node node : nodes) {
      node.entries().forEach(it -> types.put(it, PartialType.UNKNOWN));
      switch (node.kind()) {
        case NodeKind.Input(DeclaredType declared) -> {
          PartialType type = given.get(node.name());
          put(node.entry(), type == null ? PartialType.of(declared) : type, type == null ? "its declaration" : "infer");
        }
        case NodeKind.Constant(TensorView value) -> {
          put(node.entry(), PartialType.of(value.type()), "its value");
          values.put(node.entry(), value);
        }
        case NodeKind.Deferred(var source) -> put(node.entry(), PartialType.of(source.type()), "its value");
        case NodeKind.Variable(TensorView initial) -> put(node.entry(), PartialType.of(initial.type()), "its value");
        default -> {}
      }
    }
  }

  private void put(NodeEntry entry, PartialType type, String origin) {
    types.put(entry, type);
    origins.put(entry, origin);
  }

  private void sweep() {
    do {
      changed = false;
      nodes.forEach(this::visit);
      nodes.reversed().forEach(this::visit);
    } while (changed);
  }

  private void visit(Node node) {
    switch (node.kind()) {
      case NodeKind.Apply kind -> {
        StandardOperators.table().find(kind.operator()).ifPresent(row -> {
          row.facts().partial().apply(new PartialCall(node, kind.attributes(), this));
          ordinary(node, row);
        });
      }
      case NodeKind.Assign assign -> {
        meet(node, node.inputs().get(1), types.getOrDefault(node.inputs().get(0), PartialType.UNKNOWN));
        meet(node, node.entry(), types.getOrDefault(node.inputs().get(1), PartialType.UNKNOWN));
      }
      default -> {}
    }
  }

  /** The operator's own rule, which sees only what is wholly known. */
  private void ordinary(Node node, OperatorDefinition row) {
    for (NodeEntry input : node.inputs()) {
      if (!input.isAbsent() && type(input).known().isEmpty()) {
        return;
      }
    }
    if (values.containsKey(node.entry())) {
      return;
    }
    var context = new TypeContext(node, it -> type(it).known().orElseThrow(), it -> Optional.ofNullable(values.get(
      it)));
    List<TensorType> results;
    try {
      results = row.resultTypes(context);
      row.valueRule().value(context).ifPresent(value -> values.put(node.entry(), value));
    } catch (ValueDependentShape e) {
      return;
    } catch (InvalidGraph e) {
      throw new InvalidGraph(node.name(), "%s; %s".formatted(e.getMessage(), operands(node)));
    }
    for (int i = 0; i < results.size(); i++) {
      meet(node, node.entry(i), PartialType.of(results.get(i)));
    }
  }

  private String operands(Node node) {
    List<String> all = new ArrayList<>();
    for (NodeEntry input : node.inputs()) {
      if (!input.isAbsent()) {
        all.add("%s is %s by %s".formatted(input, type(input), origin(input)));
      }
    }
    return String.join(", ", all);
  }

  private String origin(NodeEntry entry) {
    return origins.getOrDefault(entry, "nothing yet");
  }

  @Override
  public PartialType type(NodeEntry entry) {
    return types.getOrDefault(entry, PartialType.UNKNOWN);
  }

  @Override
  public Optional<TensorView> value(NodeEntry entry) {
    return Optional.ofNullable(values.get(entry));
  }

  /** Adds a fact that follows from a node for an entry that it reads or computes. */
  @Override
  public void meet(Node by, NodeEntry entry, PartialType fact) {
    PartialType before = type(entry);
    PartialType after = before.meet(fact).orElseThrow(() -> new InvalidGraph(by.name(),
      "types contradict each other: %s is %s by %s, but %s by %s %s (%s)".formatted(entry, before, origin(entry), fact,
        by.operator(), by.name(), operands(by))));
    if (!after.equals(before)) {
      put(entry, after, by.operator() + " " + by.name());
      changed = true;
    }
  }
}
