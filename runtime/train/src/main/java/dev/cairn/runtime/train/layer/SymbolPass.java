package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.symbol.NameScope;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Composes symbols: parameters are variables, named by their paths. */
final class SymbolPass extends LayerPass<Symbol> {
  private final Map<Layer, String> layers = new HashMap<>();
  private final Map<Parameter, String> paths = new HashMap<>();
  private final Map<Parameter, Symbol> variables = new HashMap<>();
  private final Map<String, Parameter> read = new LinkedHashMap<>();
  private final Map<String, Symbol> updates = new LinkedHashMap<>();
  private final Map<Layer, Symbol> results = new LinkedHashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private @Nullable Symbol random;
  private int draws;

  SymbolPass(Layer root, boolean isTraining) {
    super(isTraining);
    root.layers().forEach((path, layer) -> layers.putIfAbsent(layer, path));
    root.allPaths().forEach((path, parameter) -> paths.putIfAbsent(parameter, path));
  }

  @Override
  public Symbol value(Parameter parameter) {
    Symbol before = variables.get(parameter);
    if (before != null) {
      return before;
    }
    String path = path(parameter);
    Symbol variable = Symbol.variable(path, parameter.type());
    variables.put(parameter, variable);
    read.put(path, parameter);
    return variable;
  }

  private String path(Parameter parameter) {
    String path = paths.get(parameter);
    if (path == null) {
      throw new IllegalArgumentException("not a parameter of this network: parameter=" + parameter
        + "; register its layer with child");
    }
    return path;
  }

  @Override
  public void update(Parameter state, Symbol value) {
    updates.put(path(state), value);
  }

  /** The new values of states, by path. */
  Map<String, Symbol> updates() {
    return updates;
  }

  /** The parameters and states that were read, by path. */
  Map<String, Parameter> read() {
    return read;
  }

  /** The result of each layer; of a layer that was used twice, the first. */
  Map<Layer, Symbol> results() {
    return results;
  }

  @Override
  void computed(Layer layer, Symbol result) {
    results.putIfAbsent(layer, result);
  }

  /** How many draws were taken. */
  int draws() {
    return draws;
  }

  @Override
  public Draw<Symbol> draw() {
    if (random == null) {
      random = Symbol.variable(LayerGraph.RANDOM, PartialType.of(DType.INT64, 2));
    }
    return new Draw<>(random, draws++);
  }

  @Override
  public PartialType type(Symbol x) {
    return x.inferPartial(Map.of()).outputs().getFirst();
  }

  /** Nodes get names within the layer's path. Name scopes nest, so only what is new of the path is added. */
  @Override
  Scope within(Layer layer) {
    String path = layers.getOrDefault(layer, "");
    String around = open.isEmpty() || open.getLast().isEmpty() ? "" : open.getLast() + ".";
    String inner = path.startsWith(around) ? path.substring(around.length()) : path;
    NameScope scope = NameScope.prefix(inner.isEmpty() ? "" : inner + ".");
    open.addLast(path);
    return () -> {
      open.removeLast();
      scope.close();
    };
  }
}
