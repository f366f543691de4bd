package dev.cairn.runtime.cached;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A symbol as a function on arrays: applies the operators of its nodes, one after the other. */
final class SymbolFunction {
  /** The operand with the running mean; the next one is the variance. */
  private static final int MEAN = 3;

  private final Graph graph;
  /** The arrays that training overwrites. */
  private final Set<NDArray> states;
  /** Null where operators run on the device of their operands. */
  private final @Nullable DeviceGroups groups;
  private final Map<NodeEntry, NDArray> known = new HashMap<>();
  /** Values that nodes of another device read, so that each is copied once. */
  private final Map<Copied, NDArray> copies = new HashMap<>();

  private record Copied(NodeEntry entry, String device) {}

  private SymbolFunction(Graph graph, Set<NDArray> states, @Nullable DeviceGroups groups) {
    this.graph = graph;
    this.states = states;
    this.groups = groups;
  }

  /** A function of the symbol's arguments, then its states, which it leaves as they are. */
  static UnaryOperator<List<NDArray>> of(Symbol symbol) {
    return of(symbol, Stream.concat(symbol.arguments().stream(), symbol.states().stream()).toList(), Map.of(), null);
  }

  /**
   * A function of the symbol's arguments. In training it overwrites the states.
   *
   * @param groups which device runs which node; null to run them where their operands lie. With groups all results are
   *   new arrays
   */
  static UnaryOperator<List<NDArray>> of(Symbol symbol, Map<String, NDArray> states, @Nullable DeviceGroups groups) {
    return of(symbol, symbol.arguments(), states, groups);
  }

  private static UnaryOperator<List<NDArray>> of(Symbol symbol, List<String> names, Map<String, NDArray> states,
    @Nullable DeviceGroups groups) {
    Graph graph = symbol.graph();
    if (!graph.assigns().isEmpty()) {
      throw new IllegalArgumentException("a symbol that assigns to variables is no function: symbol=" + symbol);
    }
    graph.nodes().stream().filter(it -> it.kind() instanceof NodeKind.Control).findFirst().ifPresent(it -> {
      throw new IllegalArgumentException(
        "a symbol with control flow is no function on arrays; a session runs its graph,"
          + " and Gradients makes its gradients: node=" + it.name());
    });
    return operands -> {
      if (operands.size() != names.size()) {
        throw new IllegalArgumentException("one array for each variable is wanted: variables=%s arrays=%d".formatted(
          names, operands.size()));
      }
      Map<String, NDArray> given = new HashMap<>(states);
      for (int i = 0; i < names.size(); i++) {
        given.put(names.get(i), operands.get(i));
      }
      return new SymbolFunction(graph, Set.copyOf(states.values()), groups).results(given, operands.get(0));
    };
  }

  private List<NDArray> results(Map<String, NDArray> given, NDArray any) {
    for (Node node : graph.nodes()) {
      switch (node.kind()) {
        case NodeKind.Input _ -> known.put(node.entry(), Objects.requireNonNull(given.get(node.name()), node.name()));
        case NodeKind.Constant(var value) -> known.put(node.entry(), any.constant(value));
        case NodeKind.Apply apply -> {
          List<NDArray> made = run(node, apply, any);
          for (int i = 0; i < made.size(); i++) {
            known.put(node.entry(i), made.get(i));
          }
        }
        default -> throw new IllegalArgumentException("not a function of arrays: node=" + node);
      }
    }
    List<NDArray> results = graph.outputs().stream().map(it -> Objects.requireNonNull(known.get(it.entry()))).toList();
    return groups == null ? results : distinct(results, new HashSet<>(given.values()));
  }

  private List<NDArray> run(Node node, NodeKind.Apply apply, NDArray any) {
    List<@Nullable NDArray> operands = new ArrayList<>();
    node.inputs().forEach(it -> operands.add(it.isAbsent() ? null : operand(node, it)));
    DeviceGroups placed = groups;
    if (placed == null) {
      return run(apply, any, operands);
    }
    try (var _ = any.runtime().on(placed.of(node))) {
      return run(apply, any, operands);
    }
  }

  private List<NDArray> run(NodeKind.Apply apply, NDArray any, List<@Nullable NDArray> operands) {
    return isNormalisation(apply) && states.containsAll(operands.subList(MEAN, MEAN + 2))
      ? normalised(apply, any, operands)
      : any.apply(apply.operator(), apply.attributes(), apply.outputs(), operands);
  }

  private NDArray operand(Node reader, NodeEntry entry) {
    NDArray value = Objects.requireNonNull(known.get(entry));
    if (groups == null || FollowedCalls.constantValue(value) != null) {
      return value;
    }
    String device = groups.of(reader);
    return value.device().equals(device)
      ? value
      : copies.computeIfAbsent(new Copied(entry, device), _ -> value.to(device));
  }

  /** Views of results that are operands, or that come twice. */
  private static List<NDArray> distinct(List<NDArray> results, Set<NDArray> others) {
    return results.stream().map(it -> others.add(it) ? it : it.reshape(it.shape().extents())).toList();
  }

  /** Whether the node takes the mean and variance of the batch, and keeps running ones. */
  private static boolean isNormalisation(NodeKind.Apply apply) {
    return apply.operator().equals(Operators.BATCH_NORMALIZATION)
      && NormalizedChannels.of(apply.attributes()).isTraining();
  }

  /** In training by the batch, whose mean and variance go into the running ones; else by these. */
  private static List<NDArray> normalised(NodeKind.Apply apply, NDArray any, List<@Nullable NDArray> operands) {
    boolean training = Autograd.isTraining();
    Attributes attributes = training ? apply.attributes() : apply.attributes().without(MemoryTraits.TRAINING);
    List<NDArray> made = new ArrayList<>(any.apply(apply.operator(), attributes, training ? 3 : 1, operands));
    for (int i = 0; i < 2; i++) {
      NDArray state = Objects.requireNonNull(operands.get(MEAN + i));
      if (training) {
        state.copyFrom(made.get(1 + i));
      } else if (1 + i < apply.outputs()) {
        made.add(state.copy());
      }
    }
    return made.subList(0, apply.outputs());
  }
}
