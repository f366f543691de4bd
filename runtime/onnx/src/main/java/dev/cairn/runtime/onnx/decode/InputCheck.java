package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import java.util.List;

/** Checks that each node of a finished graph has the inputs that its operator cannot do without. */
final class InputCheck {
  private InputCheck() {}

  /** @throws dev.cairn.runtime.session.InvalidModel when an input is missing */
  static void check(Graph graph, OperatorTable operators, ModelMessage source) {
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply apply) {
        check(node, row(node, apply, operators), source);
      } else if (node.kind() instanceof NodeKind.Control control) {
        control.bodies().forEach(body -> check(body, operators, source));
      }
    }
  }

  /** An upgrade may need an operator that the file does not name. */
  private static OperatorDefinition row(Node node, NodeKind.Apply apply, OperatorTable operators) {
    return operators.find(apply.operator()).or(() -> ContainerOperators.find(apply.operator()))
      .orElseThrow(() -> new UnsupportedOperators(
        List.of(new Gap(node.name(), apply.operator(), "no such operator"))));
  }

  private static void check(Node node, OperatorDefinition row, ModelMessage source) {
    for (int i = 0; i < row.minInputs(); i++) {
      if (i >= node.inputs().size() || node.inputs().get(i).isAbsent()) {
        throw source.invalid(
          "a node lacks an input: node=%s operator=%s input=%d".formatted(node.name(), row.name(), i));
      }
    }
  }
}
