package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.AttributeProto;
import java.util.List;

/**
 * One use of an operator after functions are inlined. Reads and writes values by name; an empty name is an input or a
 * result that is left out.
 *
 * @param name the node's name in the model, or else its first result's; not always unique
 * @param attributes complete: references to a function's attributes are resolved
 * @param outputs at least one; without trailing ones that nothing reads
 */
record FlatNode(String name, Operator operator, List<AttributeProto> attributes, List<String> inputs,
  List<String> outputs) {

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

    @Override
    public String toString() {
      return domain.isEmpty() ? name : domain + "::" + name;
    }
  }

  FlatNode {
    attributes = List.copyOf(attributes);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  FlatNode withOutputs(List<String> fewer) {
    return new FlatNode(name, operator, attributes, inputs, fewer);
  }
}
