package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of names at one place of a model: in its graph, where they stand for themselves, or in one call of a
 * function. Names that are made from a call's are at most {@value #MAX_NAME} characters long, so that a long one,
 * written once in the file, isn't repeated for each node of a function.
 */
final class InlineScope {
  static final int MAX_NAME = 128;
  private static final String LEFT_OUT = "...";

  private final String prefix;
  private final OpsetVersions opsets;
  private final Map<String, AttributeProto> attributes;
  /** The scope around a body; null for the model and for a call. */
  private final @Nullable InlineScope outer;
  private final boolean isCall;
  private final Map<String, String> values = new HashMap<>();
  private final Set<String> defined = new HashSet<>();

  private InlineScope(String prefix, OpsetVersions opsets, Map<String, AttributeProto> attributes,
    @Nullable InlineScope outer, boolean isCall) {
    this.prefix = prefix;
    this.opsets = opsets;
    this.attributes = attributes;
    this.outer = outer;
    this.isCall = isCall;
  }

  static InlineScope ofModel(OpsetVersions opsets) {
    return new InlineScope("", opsets, Map.of(), null, false);
  }

  /** The scope of one call. */
  InlineScope inside(String call, OpsetVersions imports, Map<String, AttributeProto> given) {
    return new InlineScope(shortened(call) + "/", imports, given, null, true);
  }

  /** The scope of a body of a node, which reads names of this scope too. */
  InlineScope body(String node, String name) {
    return new InlineScope(shortened(node + "/" + name) + "/", opsets, attributes, this, isCall);
  }

  /** How many bodies this scope is in; a call begins anew. */
  int depth() {
    return outer == null ? 0 : outer.depth() + 1;
  }

  /** Whether attributes cannot refer to a function's. */
  boolean isOutsideFunctions() {
    return !isCall;
  }

  /** The prefix of nodes' names. */
  String prefix() {
    return prefix;
  }

  /** From here on, bodies may read this name. */
  void define(String name) {
    defined.add(name);
  }

  /** Whether a name stands for a value here, in the file's order. */
  boolean isDefined(String name) {
    return defined.contains(name) || (outer != null && outer.isDefined(name));
  }

  OpsetVersions opsets() {
    return opsets;
  }

  /** The name of a node in errors and in the graph. */
  String label(NodeProto node) {
    String own = node.getName();
    if (own.isEmpty()) {
      own = node.getOutputList().stream().filter(output -> !output.isEmpty()).findFirst().orElse(node.getOpType());
    }
    return prefix.isEmpty() ? own : shortened(prefix + own);
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
    if (outer != null) {
      String own = values.get(inside);
      return own == null ? outer.value(inside, taken) : own;
    }
    return isCall ? values.computeIfAbsent(inside, own -> taken.take(shortened(prefix + own))) : inside;
  }

  /** The value that the call gives to the function's attribute to which this one refers; empty when it is left out. */
  Optional<AttributeProto> attribute(AttributeProto reference) {
    return Optional.ofNullable(attributes.get(reference.getRefAttrName()))
      .map(given -> given.toBuilder().setName(reference.getName()).build());
  }
}
