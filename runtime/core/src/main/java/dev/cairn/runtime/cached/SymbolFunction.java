package dev.cairn.runtime.cached;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
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

  private SymbolFunction() {}

  /** Its operands are the symbol's arguments, then its states, which stay as they are. */
  static UnaryOperator<List<NDArray>> of(Symbol symbol) {
    return of(symbol, Stream.concat(symbol.arguments().stream(), symbol.states().stream()).toList(), Map.of());
  }

  /** Its operands are the symbol's arguments. In training it overwrites the states. */
  static UnaryOperator<List<NDArray>> of(Symbol symbol, Map<String, NDArray> states) {
    return of(symbol, symbol.arguments(), states);
  }

  private static UnaryOperator<List<NDArray>> of(Symbol symbol, List<String> names, Map<String, NDArray> states) {
    Graph graph = symbol.graph();
    if (!graph.assigns().isEmpty()) {
      throw new IllegalArgumentException("a symbol that assigns to variables is no function: symbol=" + symbol);
    }
    return operands -> {
      if (operands.size() != names.size()) {
        throw new IllegalArgumentException("one array for each variable is wanted: variables=%s arrays=%d".formatted(
          names, operands.size()));
      }
      Map<String, NDArray> given = new HashMap<>(states);
      for (int i = 0; i < names.size(); i++) {
        given.put(names.get(i), operands.get(i));
      }
      return results(graph, given, operands.get(0), Set.copyOf(states.values()));
    };
  }

  private static List<NDArray> results(Graph graph, Map<String, NDArray> given, NDArray any, Set<NDArray> states) {
    Map<NodeEntry, NDArray> known = new HashMap<>();
    for (Node node : graph.nodes()) {
      switch (node.kind()) {
        case NodeKind.Input _ -> known.put(node.entry(), given.get(node.name()));
        case NodeKind.Constant(var value) -> known.put(node.entry(), any.constant(value));
        case NodeKind.Apply apply -> {
          List<@Nullable NDArray> operands = new ArrayList<>();
          node.inputs().forEach(it -> operands.add(it.isAbsent() ? null : known.get(it)));
          List<NDArray> made = isNormalisation(apply) && states.containsAll(operands.subList(MEAN, MEAN + 2))
            ? normalised(apply, any, operands)
            : any.apply(apply.operator(), apply.attributes(), apply.outputs(), operands);
          for (int i = 0; i < made.size(); i++) {
            known.put(node.entry(i), made.get(i));
          }
        }
        default -> throw new IllegalArgumentException("not a function of arrays: node=" + node);
      }
    }
    return graph.outputs().stream().map(it -> known.get(it.entry())).toList();
  }

  /** Whether the node takes the mean and variance of the batch, and keeps running ones. */
  private static boolean isNormalisation(NodeKind.Apply apply) {
    return apply.operator().equals("BatchNormalization") && apply.attributes().getFlag(MemoryTraits.TRAINING, false);
  }

  /** In training by the batch, whose mean and variance go into the running ones; else by these. */
  private static List<NDArray> normalised(NodeKind.Apply apply, NDArray any, List<@Nullable NDArray> operands) {
    boolean training = Autograd.isTraining();
    Attributes attributes = training ? apply.attributes() : apply.attributes().without(MemoryTraits.TRAINING);
    if (!training && apply.outputs() > 1) {
      return any.apply(apply.operator(), apply.attributes(), apply.outputs(), operands);
    }
    List<NDArray> made = any.apply(apply.operator(), attributes, training ? Math.max(3, apply.outputs()) : 1, operands);
    for (int i = 0; training && i < 2; i++) {
      NDArray state = Objects.requireNonNull(operands.get(MEAN + i));
      state.copyFrom(made.get(1 + i));
    }
    return made.subList(0, apply.outputs());
  }
}
