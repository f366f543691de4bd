package dev.cairn.runtime.symbol;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The names of outputs, and what becomes of names when variables are replaced or a symbol is closed. */
final class SymbolNames {
  private SymbolNames() {}

  /**
   * The name of a value: of a variable or constant its own name; of a node's only result {@code <node>_output}, of the
   * first of several {@code <node>_output0}.
   */
  static String of(NodeEntry entry) {
    Node node = entry.node();
    if (!node.isComputed()) {
      return node.name();
    }
    return node.name() + "_output" + (node.kind().outputs() == 1 ? "" : entry.index());
  }

  /** @param operands bring the assigns with them that their graphs had */
  static Symbol symbol(NodeEntry entry, Collection<? extends @Nullable Symbol> operands) {
    return new Symbol(List.of(new Graph.Output(of(entry), entry)), operands.stream().filter(Objects::nonNull).flatMap(
      it -> it.assigns().stream()).distinct().toList());
  }

  static String text(Symbol symbol) {
    StringBuilder text = new StringBuilder();
    symbol.nodes().forEach(it -> text.append(it).append('\n'));
    return text.append("return ").append(String.join(", ", symbol.entries().stream().map(it -> it.name() + "=" + it
      .entry()).toList())).append('\n').toString();
  }

  /** The symbol over other entries in the places of variables. */
  static Symbol substituted(Symbol symbol, Map<Node, NodeEntry> places) {
    List<NodeEntry> roots = new ArrayList<>();
    symbol.entries().forEach(it -> roots.add(it.entry()));
    symbol.assigns().forEach(it -> roots.add(it.entry()));
    List<NodeEntry> moved = GraphRewriter.substitute(roots, places);
    List<Graph.Output> outputs = new ArrayList<>();
    for (int i = 0; i < symbol.entries().size(); i++) {
      Graph.Output before = symbol.entries().get(i);
      boolean named = !before.name().equals(of(before.entry()));
      outputs.add(new Graph.Output(named ? before.name() : of(moved.get(i)), moved.get(i)));
    }
    return new Symbol(outputs, moved.subList(outputs.size(), moved.size()).stream().map(NodeEntry::node).toList());
  }

  /** A graph. Variables keep their names; further nodes and outputs of one name get a number behind it. */
  static Graph closed(Symbol symbol) {
    requireOneVariableAName(symbol);
    var names = new NodeNames();
    List<Node> nodes = symbol.nodes();
    nodes.stream().filter(SymbolNames::keepsName).forEach(it -> names.take(it.name()));
    Map<Node, List<NodeEntry>> renamed = new HashMap<>();
    for (Node node : nodes) {
      Node over = node.over(renamed);
      String name = keepsName(node) ? node.name() : names.unique(node.name());
      renamed.put(node, (name.equals(node.name()) ? over : over.named(name)).entries());
    }
    var outputNames = new NodeNames();
    List<Graph.Output> outputs = symbol.entries().stream().map(it -> new Graph.Output(outputNames.unique(it.name()),
      it.entry().in(renamed))).toList();
    return new Graph("symbol", symbol.variables(), outputs, symbol.assigns().stream().map(it -> it.entry().in(renamed)
      .node()).toList());
  }

  private static boolean keepsName(Node node) {
    return node.kind() instanceof NodeKind.Input || node.kind() instanceof NodeKind.Variable;
  }

  private static void requireOneVariableAName(Symbol symbol) {
    Map<String, Node> byName = new HashMap<>();
    for (Node node : symbol.nodes()) {
      Node other = keepsName(node) ? byName.putIfAbsent(node.name(), node) : null;
      if (other != null) {
        throw new InvalidGraph(node.name(), "two different variables have one name: {%s} read by %s, {%s} read by %s"
          .formatted(other, readers(symbol, other), node, readers(symbol, node)));
      }
    }
  }

  private static List<String> readers(Symbol symbol, Node variable) {
    return symbol.nodes().stream().filter(it -> it.inputs().contains(variable.entry())).map(Node::name).toList();
  }
}
