package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.OptionalInputs;
import dev.cairn.runtime.onnx.expand.OperatorExpansions;
import dev.cairn.runtime.onnx.notation.OperatorDomains;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.onnx.upgrade.ElementTypeTrace;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.OpsetUpgrades;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the graph's nodes, in an order in which what a node reads is there. An initializer is a constant, also where
 * the file lists it among the inputs: before IR version 4 it must, and later that makes it an input with a default
 * ({@link OptionalInputs}).
 */
final class GraphAssembler {
  private final ModelMessage source;
  private final OperatorTable operators;
  private final TensorDecoder tensors;
  private final SparseTensorDecoder sparse;
  private final AttributeDecoder attributes;
  private final UniqueNames names;
  private final UpgradeScope scope;
  private final Map<String, NodeEntry> values = new HashMap<>();
  private final List<Node> inputs = new ArrayList<>();

  GraphAssembler(ModelMessage source, OperatorTable operators) {
    this.source = source;
    this.operators = operators;
    this.tensors = new TensorDecoder(source);
    this.attributes = new AttributeDecoder(source, tensors);
    this.names = new UniqueNames();
    this.sparse = new SparseTensorDecoder(source, tensors, names);
    this.scope = new UpgradeScope(names);
  }

  /** For a body of a graph: names of nodes are unique in the whole model. */
  private GraphAssembler(GraphAssembler outer) {
    this.source = outer.source;
    this.operators = outer.operators;
    this.tensors = outer.tensors;
    this.sparse = outer.sparse;
    this.attributes = outer.attributes;
    this.names = outer.names;
    this.scope = outer.scope;
  }

  /** @param hasOptionalInputs whether an initializer that is listed as an input is its default value */
  Graph assemble(GraphProto graph, List<FlatNode> nodes, boolean hasOptionalInputs) {
    addGiven(graph, hasOptionalInputs);
    for (FlatNode node : NodeOrder.of(nodes, new TreeSet<>(values.keySet()), source)) {
      add(node);
    }
    Map<String, Graph.Output> outputs = new LinkedHashMap<>();
    var types = new TypeDecoder(graph.getInputList(), source);
    for (ValueInfoProto output : graph.getOutputList()) {
      NodeEntry entry = values.get(output.getName());
      if (entry == null) {
        throw source.invalid("an output is undefined: output=" + output.getName());
      }
      if (outputs.put(output.getName(), new Graph.Output(output.getName(), entry, types.declared(output))) != null) {
        throw source.invalid("two outputs have one name: output=" + output.getName());
      }
    }
    if (outputs.isEmpty()) {
      throw source.invalid("a model needs an output");
    }
    return new Graph(graph.getName(), inputs, List.copyOf(outputs.values()));
  }

  /**
   * A body of a node of this graph.
   *
   * @param before parameters that come before those of the body's own inputs
   * @param formals one entry for each of the body's own inputs
   * @param captured values of this graph that are parameters; captured constants are copied
   */
  Graph body(FlatBody body, List<Node> before, List<NodeEntry> formals, List<String> captured) {
    var inner = new GraphAssembler(this);
    inner.inputs.addAll(before);
    for (int i = 0; i < formals.size(); i++) {
      inner.values.put(body.inputs().get(i), formals.get(i));
    }
    for (int i = 0; i < body.initializers().size(); i++) {
      if (!body.inputs().contains(body.initializers().get(i))) {
        inner.values.put(body.initializers().get(i), initializer(body, i).entry());
      }
    }
    for (String value : captured) {
      Node parameter = Node.parameter(names.take(body.name() + value), Optional.of(ElementTypeTrace.of(made(value))));
      inner.inputs.add(parameter);
      inner.values.put(value, parameter.entry());
    }
    for (String value : body.captures()) {
      if (made(value).node().kind() instanceof NodeKind.Constant(TensorView view)) {
        inner.values.put(value, Node.constant(names.take(body.name() + value), view).entry());
      }
    }
    return inner.finished(body);
  }

  private Node initializer(FlatBody body, int index) {
    int dense = body.graph().getInitializerCount();
    if (index < dense) {
      TensorProto weight = body.graph().getInitializer(index);
      return Node.constant(names.take(body.name() + weight.getName()), tensors.decode(weight));
    }
    SparseTensorProto weight = body.graph().getSparseInitializer(index - dense);
    return sparse.decode(weight, names.take(body.name() + SparseTensorDecoder.name(weight)), false);
  }

  private Graph finished(FlatBody body) {
    for (FlatNode node : NodeOrder.of(body.nodes(), new TreeSet<>(values.keySet()), source)) {
      add(node);
    }
    List<Graph.Output> outputs = new ArrayList<>();
    for (String output : body.outputs()) {
      outputs.add(new Graph.Output(outputs.size() + ":" + output, made(output)));
    }
    String name = body.name();
    return new Graph(name.substring(0, name.length() - 1), inputs, outputs);
  }

  private void addGiven(GraphProto graph, boolean hasOptionalInputs) {
    Map<String, TensorProto> weights = new LinkedHashMap<>();
    for (TensorProto weight : graph.getInitializerList()) {
      if (weight.getName().isEmpty() || weights.put(weight.getName(), weight) != null) {
        throw source.invalid("an initializer needs a unique name: name=" + weight.getName());
      }
    }
    Map<String, SparseTensorProto> sparseWeights = new LinkedHashMap<>();
    for (SparseTensorProto weight : graph.getSparseInitializerList()) {
      String name = SparseTensorDecoder.name(weight);
      if (name.isEmpty() || weights.containsKey(name) || sparseWeights.put(name, weight) != null) {
        throw source.invalid("an initializer needs a unique name: name=" + name);
      }
    }
    Set<String> all = new HashSet<>(weights.keySet());
    all.addAll(sparseWeights.keySet());
    Map<String, DeclaredType> optional = addInputs(graph.getInputList(), all);
    Map<String, DeclaredType> listed = hasOptionalInputs ? optional : Map.of();
    weights.forEach((name, weight) -> addWeight(name, Node.constant(names.take(name), tensors.decode(weight)), listed));
    sparseWeights.forEach((name, weight) -> addWeight(name, sparse.decode(weight, names.take(name), listed.containsKey(
      name)), listed));
  }

  private void addWeight(String name, Node weight, Map<String, DeclaredType> listed) {
    DeclaredType declared = listed.get(name);
    values.put(name, (declared != null && weight.kind() instanceof NodeKind.Constant
      ? OptionalInputs.optional(weight, declared)
      : weight).entry());
  }

  /** Makes the inputs without a default value. Answers the types of the others by name. */
  private Map<String, DeclaredType> addInputs(List<ValueInfoProto> declared, Set<String> weights) {
    var types = new TypeDecoder(declared, source);
    Map<String, DeclaredType> optional = new HashMap<>();
    for (ValueInfoProto input : declared) {
      if (weights.contains(input.getName())) {
        optional.put(input.getName(), types.ofDefault(input));
        continue;
      }
      Node node = Node.input(names.take(input.getName()), types.decode(input));
      if (input.getName().isEmpty() || values.put(input.getName(), node.entry()) != null) {
        throw source.invalid("an input needs a unique name: name=" + input.getName());
      }
      inputs.add(node);
    }
    return optional;
  }

  private void add(FlatNode node) {
    try {
      List<NodeEntry> results = results(node, attributes.decode(node));
      if (results.size() < node.outputs().size()) {
        throw new IllegalArgumentException(
          "wrong number of results: wanted=%d given=%d".formatted(node.outputs().size(),
            results.size()));
      }
      for (int i = 0; i < node.outputs().size(); i++) {
        if (!node.outputs().get(i).isEmpty()) {
          values.put(node.outputs().get(i), results.get(i));
        }
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw source.invalid("%s: node=%s operator=%s".formatted(e.getMessage(), node.name(), node.operator()));
    }
  }

  private List<NodeEntry> results(FlatNode node, Attributes given) {
    String name = names.take(node.name());
    return Hints.noted(results(node, name, given), name, node.hints());
  }

  private List<NodeEntry> results(FlatNode node, String name, Attributes given) {
    if (node.operator().is("Constant")) {
      if (node.outputs().size() != 1 || !node.inputs().isEmpty()) {
        throw new IllegalArgumentException("a constant has one result and no input");
      }
      Optional<SparseTensorProto> value = ConstantDecoder.sparse(node);
      if (value.isPresent()) {
        if (!given.asMap().isEmpty()) {
          throw new IllegalArgumentException("a constant needs one value: also given=" + given.asMap().keySet());
        }
        return List.of(sparse.decode(value.get(), name, false).entry());
      }
      return List.of(Node.constant(name, ConstantDecoder.decode(given)).entry());
    }
    if (node.operator().isControl()) {
      return new ControlAssembler(this, node, name, names).results(given);
    }
    List<NodeEntry> read = node.inputs().stream().map(this::made).toList();
    var operator = new OldNode.Operator(node.operator().domain(), node.operator().name(), node.operator().opset());
    // An operator of a user may have more results than the file names.
    int all = operators.find(OperatorDomains.inGraph(operator.domain(), operator.name())).map(
      OperatorDefinition::results).orElse(0);
    var old = new OldNode(name, operator, given, read, Math.max(all, node.outputs().size()));
    return OperatorExpansions.apply(old, scope).orElseGet(() -> OpsetUpgrades.apply(old, scope));
  }

  /** The entry of a value of this graph. */
  NodeEntry made(String value) {
    NodeEntry entry = value.isEmpty() ? Node.absent() : values.get(value);
    if (entry == null) {
      throw new AssertionError("the order is wrong: value=" + value);
    }
    return entry;
  }
}
