package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A table of a network's layers: what each computes, how many numbers it has, and how many bytes they take. */
final class LayerSummary {
  private static final String ROW = "%-32s %-24s %-24s %14s %14s%n";

  private LayerSummary() {}

  static String of(Layer root, PartialType... inputs) {
    var pass = new SymbolPass(root, false);
    LayerGraph graph = LayerGraph.of(pass, root, inputs);
    Map<String, TensorType> types = graph.parameterTypes();
    Map<Layer, PartialType> results = results(pass.results());
    var text = new StringBuilder(ROW.formatted("layer", "kind", "result", "parameters", "bytes"));
    root.layers().forEach((path, layer) -> {
      long[] size = size(layer.own().values(), types, graph);
      text.append(row(path.isEmpty() ? "(whole)" : path, layer.getClass().getSimpleName(), results.getOrDefault(layer,
        PartialType.UNKNOWN).toString(), size));
    });
    List<Parameter> all = new ArrayList<>(root.parameters().values());
    text.append(row("trainable", "", "", size(all.stream().filter(Parameter::isTrainable).toList(), types, graph)));
    text.append(row("frozen", "", "", size(all.stream().filter(it -> !it.isTrainable()).toList(), types, graph)));
    text.append(row("states", "", "", size(root.states().values(), types, graph)));
    return text.toString();
  }

  private static String row(String path, String kind, String result, long... size) {
    return ROW.formatted(path, kind, result, number(size[0]), number(size[1])).replaceAll(" +(\\R)", "$1");
  }

  private static String number(long value) {
    return value == 0 ? "-" : String.format(Locale.ROOT, "%,d", value);
  }

  private static long[] size(Iterable<Parameter> parameters, Map<String, TensorType> types, LayerGraph graph) {
    long count = 0;
    long bytes = 0;
    for (Parameter parameter : parameters) {
      for (Map.Entry<String, Parameter> entry : graph.parameters().entrySet()) {
        TensorType type = types.get(entry.getKey());
        if (entry.getValue().equals(parameter) && type != null) {
          count += type.shape().elementCount();
          bytes += type.bytes();
        }
      }
    }
    return new long[] {count, bytes};
  }

  /** All in one inference. */
  private static Map<Layer, PartialType> results(Map<Layer, Symbol> symbols) {
    List<PartialType> types = Symbol.group(symbols.values().toArray(Symbol[]::new)).inferPartial(Map.of()).outputs();
    Map<Layer, PartialType> results = new LinkedHashMap<>();
    for (Layer layer : symbols.keySet()) {
      results.put(layer, types.get(results.size()));
    }
    return results;
  }
}
