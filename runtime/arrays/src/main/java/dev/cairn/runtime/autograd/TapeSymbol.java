package dev.cairn.runtime.autograd;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.LeafGradient;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.TapePlace;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a tape as a symbol (T-10). */
final class TapeSymbol {
  private final Map<Object, Symbol> leaves = new HashMap<>();
  private final Map<TapeEntry, Symbol> results = new HashMap<>();
  private int variables;
  private int constants;

  private TapeSymbol() {}

  static Symbol of(NDArray y) {
    TapePlace place = BackwardRun.place(y);
    if (!(place instanceof TapeEntry entry)) {
      throw new IllegalStateException("nothing was recorded for this array: array=" + y.type());
    }
    var made = new TapeSymbol();
    BackwardRun.order(List.of(y)).forEach(made::add);
    Symbol symbol = made.results.get(entry);
    if (symbol == null) {
      throw new AssertionError("the array's node is the last of its tape: array=" + y.type());
    }
    return symbol;
  }

  private void add(TapeNode node) {
    if (!(node instanceof OperatorNode operator)) {
      throw new IllegalStateException("a function with a gradient of its own is no part of a symbol: function="
        + node.name);
    }
    List<@Nullable Symbol> operands = new ArrayList<>();
    for (TapeLink link : node.links()) {
      operands.add(link == null ? null : symbol(link));
    }
    // Any symbol applies an operator to its operands.
    Symbol any = operands.stream().filter(it -> it != null).findFirst().orElseThrow();
    List<Symbol> made = any.apply(node.name, operator.attributes(), node.results().size(), operands);
    for (int i = 0; i < made.size(); i++) {
      results.put(new TapeEntry(node, i), made.get(i));
    }
  }

  private Symbol symbol(TapeLink link) {
    if (link.place() instanceof TapeEntry entry) {
      Symbol known = results.get(entry);
      if (known == null) {
        throw new AssertionError("a node comes after what it reads");
      }
      return known;
    }
    Object key = link.place() instanceof LeafGradient leaf ? leaf : link.identity();
    return leaves.computeIfAbsent(key, _ -> leaf(link));
  }

  private Symbol leaf(TapeLink link) {
    TensorView value = link.constant();
    return value == null || link.place() != null
      ? Symbol.variable("var" + variables++, PartialType.of(link.type()))
      : Symbol.constant("constant" + constants++, value);
  }
}
