package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.symbol.SymbolTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A layer as a symbol. Its variables are the inputs, the parameters and states by path, and {@link #RANDOM} if layers
 * draw random numbers.
 *
 * @param inputs the names of the inputs: {@code data}, or {@code data0}, {@code data1}, ... of several
 * @param outputs the results
 * @param parameters the parameters and states that the symbol reads, by the names of their variables
 * @param updates the new values of states, by the names of their variables
 * @param draws how many draws of random numbers one run takes
 */
public record LayerGraph(List<String> inputs, Symbol outputs, Map<String, Parameter> parameters,
  Map<String, Symbol> updates, int draws) {
  /** The variable {@code int64[2]} with a seed and the number of the first draw. */
  public static final String RANDOM = "random";

  public LayerGraph {
    inputs = List.copyOf(inputs);
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    updates = Collections.unmodifiableMap(new LinkedHashMap<>(updates));
  }

  /** Composes a layer over inputs of these types, each perhaps known in part. */
  public static LayerGraph of(Layer layer, boolean isTraining, PartialType... inputs) {
    return of(new SymbolPass(layer, isTraining), layer, inputs);
  }

  static LayerGraph of(SymbolPass pass, Layer layer, PartialType... inputs) {
    List<String> names = new ArrayList<>();
    List<Symbol> symbols = new ArrayList<>();
    for (int i = 0; i < inputs.length; i++) {
      names.add(inputs.length == 1 ? "data" : "data" + i);
      symbols.add(Symbol.variable(names.get(i), inputs[i]));
    }
    List<Symbol> results = layer.applyAll(pass, symbols);
    return new LayerGraph(names, Symbol.group(results.toArray(Symbol[]::new)), pass.read(), pass.updates(), pass
      .draws());
  }

  /** The types of parameters and states, as far as they follow from the inputs. */
  private SymbolTypes types() {
    List<Symbol> all = new ArrayList<>(List.of(outputs));
    all.addAll(updates.values());
    return Symbol.group(all.toArray(Symbol[]::new)).inferPartial(Map.of());
  }

  /**
   * Completes the types of the layer's parameters and states.
   *
   * @throws IllegalStateException when some stay open; lists them
   */
  void settle() {
    SymbolTypes types = types();
    List<String> open = new ArrayList<>();
    parameters.forEach((path, parameter) -> types.type(path).known().ifPresentOrElse(parameter::settle, () -> open.add(
      "%s=%s".formatted(path, types.type(path)))));
    if (!open.isEmpty()) {
      throw new IllegalStateException("types of parameters stay open: %s; give more extents of the inputs: %s"
        .formatted(String.join(", ", open), inputs.stream().map(it -> it + "=" + types.type(it)).toList()));
    }
  }

  /** The types of parameters and states by path, without changing them. */
  public Map<String, TensorType> parameterTypes() {
    SymbolTypes types = types();
    Map<String, TensorType> known = new LinkedHashMap<>();
    parameters.keySet().forEach(path -> types.type(path).known().ifPresent(type -> known.put(path, type)));
    return known;
  }

  /** A closed graph with the values of parameters and states as constants. */
  Graph withValues() {
    Map<String, TensorView> values = new LinkedHashMap<>();
    parameters.forEach((path, parameter) -> values.put(path, parameter.value()));
    return outputs.withValues(values).graph();
  }
}
