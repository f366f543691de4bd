package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.expand.OperatorExpansions;
import dev.cairn.runtime.onnx.notation.OperatorDomains;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.OpsetUpgrades;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Gathers everything that a model uses and Cairn does not have, without looking at a weight. */
final class GapFinder {
  static final long MIN_IR = 1;
  static final long MAX_IR = 13;

  private final OperatorTable operators;
  private final List<Gap> gaps = new ArrayList<>();

  private GapFinder(OperatorTable operators) {
    this.operators = operators;
  }

  /** @throws UnsupportedOperators when the file itself is of a version that is not read */
  static void requireReadable(ModelProto model) {
    long version = model.getIrVersion();
    if (version < MIN_IR || version > MAX_IR) {
      String reason = "Cairn reads IR versions %d to %d".formatted(MIN_IR, MAX_IR);
      throw new UnsupportedOperators(List.of(new Gap(model.getGraph().getName(), "IR version " + version, reason)));
    }
  }

  /** @throws UnsupportedOperators with all gaps, when there are any */
  static void requireNone(ModelProto model, List<FlatNode> nodes, OperatorTable operators) {
    var finder = new GapFinder(operators);
    finder.opsets(model);
    finder.values(model.getGraph());
    nodes.forEach(finder::node);
    if (!finder.gaps.isEmpty()) {
      throw new UnsupportedOperators(finder.gaps);
    }
  }

  private void opsets(ModelProto model) {
    opset(model.getGraph().getName(), OpsetVersions.of(model));
    for (FunctionProto function : model.getFunctionsList()) {
      opset(function.getName(), new OpsetVersions(function.getOpsetImportList()));
    }
  }

  private void opset(String where, OpsetVersions versions) {
    long version = versions.of("");
    if (versions.has("") && version > OpsetVersions.MAX) {
      String reason = "Cairn reads opsets up to %d".formatted(OpsetVersions.MAX);
      gaps.add(new Gap(where, "opset " + version, reason));
    }
  }

  private void values(GraphProto graph) {
    Set<String> weights = new HashSet<>();
    graph.getInitializerList().forEach(weight -> weights.add(weight.getName()));
    graph.getSparseInitializerList().forEach(weight -> weights.add(SparseTensorDecoder.name(weight)));
    for (ValueInfoProto input : graph.getInputList()) {
      if (!weights.contains(input.getName())) {
        gap(input.getName(), "input", TypeDecoder.missing(input));
      }
    }
    for (TensorProto weight : graph.getInitializerList()) {
      gap(weight.getName(), "initializer", TensorDecoder.missing(weight));
    }
    graph.getSparseInitializerList()
      .forEach(weight -> gap(SparseTensorDecoder.name(weight), "initializer", TensorDecoder.missing(weight
        .getValues())));
  }

  private void node(FlatNode node) {
    FlatNode.Operator operator = node.operator();
    if (operator.is("Constant")) {
      use(node);
      return;
    }
    if (operator.isControl()) {
      use(node);
      node.bodies().values().forEach(body -> {
        values(body.graph());
        body.nodes().forEach(this::node);
      });
      return;
    }
    OptionalInt most = mostInputs(operator);
    if (most.isEmpty()) {
      gaps.add(new Gap(node.name(), operator.toString(), "no such operator"));
      return;
    }
    if (node.inputs().size() > most.getAsInt()) {
      String reason = "%d inputs, of which %d are known".formatted(node.inputs().size(), most.getAsInt());
      gaps.add(new Gap(node.name(), operator.toString(), reason));
    }
    use(node);
  }

  /** The most inputs of an operator that is known or can be written with others; empty for any other operator. */
  private OptionalInt mostInputs(FlatNode.Operator operator) {
    Optional<OperatorDefinition> row = operators.find(OperatorDomains.inGraph(operator.domain(), operator.name())).or(
      () -> ContainerOperators.find(OperatorDomains.inGraph(operator.domain(), operator.name())));
    return row.isPresent()
      ? OptionalInt.of(Math.max(row.get().maxInputs(), OpsetUpgrades.mostInputs(new OldNode.Operator(operator.domain(),
        operator.name(), operator.opset()))))
      : OperatorExpansions.mostInputs(operator.toString());
  }

  private void use(FlatNode node) {
    gap(node.name(), node.operator().toString(), OperatorLimits.missing(node));
    node.attributes()
      .forEach(attribute -> gap(node.name(), node.operator().toString(), AttributeDecoder.missing(node.operator(),
        attribute)));
  }

  private void gap(String node, String operator, Optional<String> missing) {
    missing.ifPresent(reason -> gaps.add(new Gap(node, operator, reason)));
  }
}
