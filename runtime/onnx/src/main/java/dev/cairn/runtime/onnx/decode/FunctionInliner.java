package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.InvalidModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Writes a model as one list of nodes: each call of a model's own function becomes the function's nodes, with values
 * that only the function knows renamed. Bounded, so that a few lines of nested functions cannot fill the memory.
 */
final class FunctionInliner {
  static final int MAX_DEPTH = 128;
  static final int MAX_NODES = 1 << 20;
  /** How deep bodies may be nested. */
  static final int MAX_BODIES = 16;

  /** The name in a call. */
  private record Key(String domain, String name, String overload) {
    @Override
    public String toString() {
      return domain + "::" + name + (overload.isEmpty() ? "" : ":" + overload);
    }
  }

  private final ModelMessage source;
  private final Map<Key, FunctionProto> functions = new HashMap<>();
  private final UniqueNames values = new UniqueNames();
  private List<FlatNode> flat = new ArrayList<>();
  private final LinkedHashSet<Key> active = new LinkedHashSet<>();
  private int walked;

  private FunctionInliner(ModelProto model, ModelMessage source) {
    this.source = source;
    for (FunctionProto function : model.getFunctionsList()) {
      String domain = OpsetVersions.domain(function.getDomain());
      Key key = new Key(domain, function.getName(), function.getOverload());
      if (functions.put(key, function) != null) {
        throw source.invalid("two functions have one name: function=" + key);
      }
    }
    model.getGraph().getInputList().forEach(input -> values.take(input.getName()));
    initializers(model.getGraph()).forEach(values::take);
    model.getGraph().getNodeList().forEach(node -> node.getOutputList().forEach(values::take));
  }

  /** @throws InvalidModel when a function calls itself, or a call does not fit its function */
  static List<FlatNode> inline(ModelProto model, ModelMessage source) {
    var inliner = new FunctionInliner(model, source);
    var scope = InlineScope.ofModel(OpsetVersions.of(model));
    model.getGraph().getInputList().forEach(input -> scope.define(input.getName()));
    initializers(model.getGraph()).forEach(scope::define);
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
    Notes hints = hints(name, node);
    if (function != null) {
      if (!hints.isEmpty()) {
        throw source
          .invalid("a call of a function has hints, which are for the function's own nodes: node=%s hints={%s}"
            .formatted(name, hints));
      }
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
    var bodies = bodies(name, operator, node, scope);
    var attributes = attributes(node, scope).stream().filter(it -> !bodies.containsKey(it.getName())).toList();
    flat.add(new FlatNode(name, operator, attributes, values(node.getInputList(), scope),
      values(node.getOutputList(), scope), bodies, hints));
    node.getOutputList().forEach(scope::define);
  }

  private Notes hints(String name, NodeProto node) {
    try {
      return Hints.of(node);
    } catch (IllegalArgumentException e) {
      throw source.invalid("%s: node=%s".formatted(e.getMessage(), name));
    }
  }

  private Map<String, FlatBody> bodies(String name, FlatNode.Operator operator, NodeProto node, InlineScope scope) {
    Map<String, FlatBody> bodies = new LinkedHashMap<>();
    for (AttributeProto attribute : node.getAttributeList()) {
      if (operator.isControl() && attribute.hasG() && attribute.getRefAttrName().isEmpty()) {
        bodies.put(attribute.getName(), body(name, attribute, scope));
      }
    }
    return bodies;
  }

  /** Every value that the body makes gets a name that is unique in the whole model. */
  private FlatBody body(String node, AttributeProto attribute, InlineScope outer) {
    GraphProto graph = attribute.getG();
    var inner = outer.body(node, attribute.getName().replace("_branch", ""));
    if (inner.depth() > MAX_BODIES) {
      throw source.invalid("bodies are nested too deeply: most=%d node=%s".formatted(MAX_BODIES, node));
    }
    List<String> inputs = graph.getInputList().stream().map(it -> given(it.getName(), inner)).toList();
    List<String> initializers = initializers(graph).map(it -> initializer(it, inner)).toList();
    for (NodeProto each : graph.getNodeList()) {
      for (String output : each.getOutputList()) {
        if (!output.isEmpty() && outer.isDefined(output)) {
          throw source.invalid("a body redefines a value from outside: node=%s value=%s".formatted(inner.label(each),
            output));
        }
        if (!output.isEmpty() && inner.find(output) == null) {
          inner.bind(output, values.take(output));
        }
      }
    }
    List<FlatNode> around = flat;
    flat = new ArrayList<>();
    graph.getNodeList().forEach(each -> add(each, inner));
    List<FlatNode> nodes = flat;
    flat = around;
    List<String> outputs = graph.getOutputList().stream().map(it -> value(it.getName(), inner)).toList();
    return new FlatBody(inner.prefix(), graph, inputs, initializers, nodes, outputs);
  }

  /** The names of a graph's initializers: those of the dense ones, then those of the sparse ones. */
  private static Stream<String> initializers(GraphProto graph) {
    return Stream.concat(graph.getInitializerList().stream().map(TensorProto::getName), graph
      .getSparseInitializerList().stream().map(SparseTensorDecoder::name));
  }

  /** The name of an initializer's value; if an input has the same name, the name of that input's value. */
  private String initializer(String name, InlineScope scope) {
    String input = scope.find(name);
    return input == null ? given(name, scope) : input;
  }

  private String given(String name, InlineScope scope) {
    String value = values.take(name);
    scope.bind(name, value);
    scope.define(name);
    return value;
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
        var copy = new FlatNode.Operator("", Operators.IDENTITY, OpsetVersions.MAX);
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
      } else if (scope.isOutsideFunctions()) {
        throw source.invalid("an attribute outside of a function refers to a function's: node=%s attribute=%s"
          .formatted(scope.label(node), attribute.getName()));
      } else {
        scope.attribute(attribute).ifPresent(resolved::add);
      }
    }
    return resolved;
  }
}
