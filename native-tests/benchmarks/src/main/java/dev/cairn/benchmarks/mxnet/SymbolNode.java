package dev.cairn.benchmarks.mxnet;

import dev.cairn.runtime.memory.planner.nnvm.ElementType;
import dev.cairn.runtime.memory.planner.nnvm.NnvmEntry;
import dev.cairn.runtime.memory.planner.nnvm.NodeTraits.InPlacePair;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A node as MXNet reads it, with what its planner asks the operator for.
 *
 * @param operator MXNet's name; "null" for variables
 * @param attributes as text, as MXNet wants them
 * @param shapes of its outputs
 * @param inPlace what MXNet's operator says may run in place
 */
record SymbolNode(String operator, Map<String, String> attributes, List<Output> inputs, List<List<Long>> shapes,
  ElementType type, List<InPlacePair> inPlace) {

  /** An output of a node by its place in the graph. */
  record Output(int node, int index) {}

  SymbolNode {
    attributes = Map.copyOf(attributes);
    inputs = List.copyOf(inputs);
    shapes = List.copyOf(shapes);
    inPlace = List.copyOf(inPlace);
  }

  static SymbolNode variable(Long... shape) {
    return new SymbolNode("null", Map.of(), List.of(), List.of(List.of(shape)), ElementType.FLOAT32, List.of());
  }

  boolean isVariable() {
    return operator.equals("null");
  }

  List<NnvmEntry> entries() {
    return shapes.stream().map(shape -> NnvmEntry.of(type, shape.stream().flatMapToLong(LongStream::of)
      .reduce(1, Math::multiplyExact))).toList();
  }

  /** As one object of a symbol file. */
  String json(String name) {
    StringBuilder text = new StringBuilder("{\"op\":\"%s\",\"name\":\"%s\",\"attrs\":{".formatted(operator, name));
    String comma = "";
    for (var attribute : new TreeMap<>(attributes).entrySet()) {
      text.append("%s\"%s\":\"%s\"".formatted(comma, attribute.getKey(), attribute.getValue()));
      comma = ",";
    }
    text.append("},\"inputs\":[");
    comma = "";
    for (Output input : inputs) {
      text.append("%s[%d,%d,0]".formatted(comma, input.node, input.index));
      comma = ",";
    }
    return text.append("]}").toString();
  }
}
