package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.InvalidModel;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Writes a model as one list of nodes: each call of a model's own function becomes the function's nodes, with values
 * that only the function knows renamed. Bounded, so that a few lines of nested functions cannot fill the memory.
 */
final class FunctionInliner {
  static final int MAX_DEPTH = 128;
  static final int MAX_NODES = 1 << 20;

  /** What a call names. */
  private record Key(String domain, String name, String overload) {
    @Override
    public String toString() {
      return domain + "::" + name + (overload.isEmpty() ? "" : ":" + overload);
    }
  }

  private final ModelSource source;
  private final Map<Key, FunctionProto> functions = new HashMap<>();
  private final UniqueNames values = new UniqueNames();
  private final List<FlatNode> flat = new ArrayList<>();
  private final LinkedHashSet<Key> active = new LinkedHashSet<>();
  private int walked;

  private FunctionInliner(ModelProto model, ModelSource source) {
    this.source = source;
    for (FunctionProto function : model.getFunctionsList()) {
      String domain = OpsetVersions.domain(function.getDomain());
      Key key = new Key(domain, function.getName(), function.getOverload());
      if (functions.put(key, function) != null) {
        throw source.invalid("two functions have one name: function=" + key);
      }
    }
    model.getGraph().getInputList().forEach(input -> values.take(input.getName()));
    model.getGraph().getInitializerList().forEach(weight -> values.take(weight.getName()));
    model.getGraph().getNodeList().forEach(node -> node.getOutputList().forEach(values::take));
  }

  /** @throws InvalidModel when a function calls itself, or a call does not fit its function */
  static List<FlatNode> inline(ModelProto model, ModelSource source) {
    var inliner = new FunctionInliner(model, source);
    var scope = InlineScope.ofModel(new OpsetVersions(model.getOpsetImportList()));
    for (NodeProto node : model.getGraph().getNodeList()) {
      inliner.add(node, scope);
    }
    return inliner.flat;
  }

  private void add(NodeProto node, InlineScope scope) {
    String name = scope.label(node);
    if (++walked > MAX_NODES) {
      throw source.invalid("functions expand to too many nodes: most=%d node=%s".formatted(MAX_NODES, name));
    }
    String domain = OpsetVersions.domain(node.getDomain());
    Key key = new Key(domain, node.getOpType(), node.getOverload());
    FunctionProto function = functions.get(key);
    if (function != null) {
      call(key, function, node, scope);
      return;
    }
    if (node.getOpType().isEmpty() || node.getOutputList().stream().allMatch(String::isEmpty)) {
      throw source.invalid("a node needs an operator and a result: node=%s operator=%s".formatted(name,
        node.getOpType()));
    }
    if (domain.isEmpty() && !scope.opsets().has(domain)) {
      throw source.invalid("the model does not say which opset it uses: node=%s operator=%s".formatted(name, key.name));
    }
    var operator = new FlatNode.Operator(domain, node.getOpType(), scope.opsets().of(domain));
    var attributes = attributes(node, scope);
    flat.add(new FlatNode(name, operator, attributes, values(node.getInputList(), scope),
      values(node.getOutputList(), scope)));
  }

  private void call(Key key, FunctionProto function, NodeProto node, InlineScope outer) {
    String name = outer.label(node);
    if (node.getInputCount() > function.getInputCount() || node.getOutputCount() > function.getOutputCount()) {
      throw source.invalid("a call has more inputs or results than its function: node=%s function=%s".formatted(name,
        key));
    }
    if (!active.add(key)) {
      throw source.invalid("a function calls itself: node=%s chain=%s".formatted(name, active));
    }
    if (active.size() > MAX_DEPTH) {
      throw source.invalid("functions are nested too deeply: most=%d node=%s".formatted(MAX_DEPTH, name));
    }
    Map<String, AttributeProto> given = new HashMap<>();
    function.getAttributeProtoList().forEach(attribute -> given.put(attribute.getName(), attribute));
    attributes(node, outer).forEach(attribute -> given.put(attribute.getName(), attribute));
    var inner = outer.inside(name, new OpsetVersions(function.getOpsetImportList()), given);
    for (int i = 0; i < function.getInputCount(); i++) {
      inner.bind(function.getInput(i), i < node.getInputCount() ? value(node.getInput(i), outer) : "");
    }
    bindResults(function, node, outer, inner);
    function.getNodeList().forEach(body -> add(body, inner));
    active.remove(key);
  }

  /** A result that the body does not make under that name (an input, a result returned twice) is copied. */
  private void bindResults(FunctionProto function, NodeProto node, InlineScope outer, InlineScope inner) {
    for (int i = 0; i < node.getOutputCount(); i++) {
      String outside = value(node.getOutput(i), outer);
      String inside = function.getOutput(i);
      if (outside.isEmpty()) {
        continue;
      }
      String already = inner.find(inside);
      if (already == null) {
        inner.bind(inside, outside);
      } else {
        var copy = new FlatNode.Operator("", "Identity", OpsetVersions.MAX);
        flat.add(new FlatNode(outside, copy, List.of(), List.of(already), List.of(outside)));
      }
    }
  }

  private List<String> values(List<String> written, InlineScope scope) {
    return written.stream().map(value -> value(value, scope)).toList();
  }

  private String value(String written, InlineScope scope) {
    return written.isEmpty() ? "" : scope.value(written, values);
  }

  private List<AttributeProto> attributes(NodeProto node, InlineScope scope) {
    var resolved = new ArrayList<AttributeProto>();
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.getRefAttrName().isEmpty()) {
        resolved.add(attribute);
      } else if (scope.isModel()) {
        throw source.invalid("an attribute outside of a function refers to a function's: node=%s attribute=%s"
          .formatted(scope.label(node), attribute.getName()));
      } else {
        scope.attribute(attribute).ifPresent(resolved::add);
      }
    }
    return resolved;
  }
}
