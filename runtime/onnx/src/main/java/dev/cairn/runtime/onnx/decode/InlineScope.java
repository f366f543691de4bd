package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What names mean at one place of a model: in its graph, where they stand for themselves, or in one call of a function.
 * Names that are made from a call's are at most {@value #MAX_NAME} characters long, so that a long one, written once in
 * the file, isn't repeated for each node of a function.
 */
final class InlineScope {
  static final int MAX_NAME = 128;
  private static final String LEFT_OUT = "...";

  private final String prefix;
  private final OpsetVersions opsets;
  private final Map<String, AttributeProto> attributes;
  private final Map<String, String> values = new HashMap<>();

  private InlineScope(String prefix, OpsetVersions opsets, Map<String, AttributeProto> attributes) {
    this.prefix = prefix;
    this.opsets = opsets;
    this.attributes = attributes;
  }

  static InlineScope ofModel(OpsetVersions opsets) {
    return new InlineScope("", opsets, Map.of());
  }

  /** The scope of one call. */
  InlineScope inside(String call, OpsetVersions imports, Map<String, AttributeProto> given) {
    return new InlineScope(shortened(call) + "/", imports, given);
  }

  boolean isModel() {
    return prefix.isEmpty();
  }

  OpsetVersions opsets() {
    return opsets;
  }

  /** What a node is called in errors and in the graph. */
  String label(NodeProto node) {
    String own = node.getName();
    if (own.isEmpty()) {
      own = node.getOutputList().stream().filter(output -> !output.isEmpty()).findFirst().orElse(node.getOpType());
    }
    return isModel() ? own : shortened(prefix + own);
  }

  /** The name itself, or its beginning and its end. */
  private static String shortened(String name) {
    if (name.length() <= MAX_NAME) {
      return name;
    }
    int kept = (MAX_NAME - LEFT_OUT.length()) / 2;
    return name.substring(0, kept) + LEFT_OUT + name.substring(name.length() - kept);
  }

  /** Lets a function's input or result stand for a value outside. */
  void bind(String inside, String outside) {
    values.put(inside, outside);
  }

  @Nullable
  String find(String inside) {
    return values.get(inside);
  }

  /** The value's name in the whole model; a value that only this call knows gets a name of its own. */
  String value(String inside, UniqueNames taken) {
    return isModel() ? inside : values.computeIfAbsent(inside, own -> taken.take(shortened(prefix + own)));
  }

  /** What the call gives for the function's attribute that this one refers to; empty when it is left out. */
  Optional<AttributeProto> attribute(AttributeProto reference) {
    return Optional.ofNullable(attributes.get(reference.getRefAttrName()))
      .map(given -> given.toBuilder().setName(reference.getName()).build());
  }
}
