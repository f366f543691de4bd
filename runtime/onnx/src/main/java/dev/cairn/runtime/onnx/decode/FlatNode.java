package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One use of an operator after functions are inlined. Reads and writes values by name; an empty name is an input or a
 * result that is left out.
 *
 * @param name the node's name in the model, or else its first result's; not always unique
 * @param attributes complete: references to a function's attributes are resolved
 * @param outputs at least one; without trailing ones that nothing reads
 * @param bodies the graphs that the node runs, by the attribute's name
 * @param hints what the node's metadata says that binds
 */
record FlatNode(String name, Operator operator, List<AttributeProto> attributes, List<String> inputs,
  List<String> outputs, Map<String, FlatBody> bodies, Notes hints) {

  /**
   * An operator of some domain.
   *
   * @param domain empty for ONNX's own
   * @param opset the version of the domain that the model asks for
   */
  record Operator(String domain, String name, long opset) {
    boolean is(String standardName) {
      return domain.isEmpty() && name.equals(standardName);
    }

    /** Whether its attributes of kind GRAPH are bodies. */
    boolean isControl() {
      return is("If") || is("Loop") || is("Scan") || is("SequenceMap");
    }

    @Override
    public String toString() {
      return domain.isEmpty() ? name : domain + "::" + name;
    }
  }

  FlatNode {
    attributes = List.copyOf(attributes);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    bodies = Collections.unmodifiableMap(new LinkedHashMap<>(bodies));
  }

  /** A node without bodies. */
  FlatNode(String name, Operator operator, List<AttributeProto> attributes, List<String> inputs,
    List<String> outputs) {
    this(name, operator, attributes, inputs, outputs, Map.of(), Notes.NONE);
  }

  FlatNode withOutputs(List<String> fewer) {
    return new FlatNode(name, operator, attributes, inputs, fewer, bodies, hints);
  }

  FlatNode withBodies(Map<String, FlatBody> others) {
    return new FlatNode(name, operator, attributes, inputs, outputs, others, hints);
  }

  /** The values that the node needs: its inputs, and what its bodies read from outside. */
  List<String> reads() {
    if (bodies.isEmpty()) {
      return inputs;
    }
    var all = new ArrayList<>(inputs);
    bodies.values().forEach(body -> all.addAll(body.captures()));
    return all;
  }
}
