package dev.cairn.runtime.cached;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A symbol as a function on arrays: applies the operators of its nodes, one after the other. */
final class SymbolFunction {
  private SymbolFunction() {}

  /** Its operands are the symbol's arguments, then its states. */
  static UnaryOperator<List<NDArray>> of(Symbol symbol) {
    List<String> names = Stream.concat(symbol.arguments().stream(), symbol.states().stream()).toList();
    Graph graph = symbol.graph();
    if (!graph.assigns().isEmpty()) {
      throw new IllegalArgumentException("a symbol that assigns to variables is no function: symbol=" + symbol);
    }
    return operands -> {
      if (operands.size() != names.size()) {
        throw new IllegalArgumentException("one array for each variable is wanted: variables=%s arrays=%d".formatted(
          names, operands.size()));
      }
      Map<String, NDArray> given = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        given.put(names.get(i), operands.get(i));
      }
      return results(graph, given);
    };
  }

  private static List<NDArray> results(Graph graph, Map<String, NDArray> given) {
    Map<NodeEntry, NDArray> known = new HashMap<>();
    NDArray any = given.values().iterator().next();
    for (Node node : graph.nodes()) {
      switch (node.kind()) {
        case NodeKind.Input _ -> known.put(node.entry(), given.get(node.name()));
        case NodeKind.Constant(var value) -> known.put(node.entry(), any.constant(value));
        case NodeKind.Apply apply -> {
          List<@Nullable NDArray> operands = new ArrayList<>();
          node.inputs().forEach(it -> operands.add(it.isAbsent() ? null : known.get(it)));
          List<NDArray> made = any.apply(apply.operator(), apply.attributes(), apply.outputs(), operands);
          for (int i = 0; i < made.size(); i++) {
            known.put(node.entry(i), made.get(i));
          }
        }
        default -> throw new IllegalArgumentException("not a function of arrays: node=" + node);
      }
    }
    return graph.outputs().stream().map(it -> known.get(it.entry())).toList();
  }
}
