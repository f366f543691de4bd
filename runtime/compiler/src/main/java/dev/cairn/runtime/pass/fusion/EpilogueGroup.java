package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedNodes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A product and the node that follows it, which become one node. The following node is one of the elementwise family,
 * or several of them that are fused already.
 */
record EpilogueGroup(Node product, Node following) {

  /** The program of the following nodes, over entries that are listed once each. */
  private PointwiseProgram given(GraphTypes types) {
    return following.operator().equals(PointwiseProgram.OPERATOR)
      ? PointwiseProgram.of(following.kind().attributes())
      : alone().program(types);
  }

  private FusedGroup alone() {
    return new FusedGroup(List.of(following), List.of(following));
  }

  private List<NodeEntry> read() {
    return following.operator().equals(PointwiseProgram.OPERATOR) ? following.inputs() : alone().inputs();
  }

  /** The entries that the program reads besides the product. */
  private List<NodeEntry> others() {
    return read().stream().filter(it -> it.node() != product).toList();
  }

  /** The computation; the product's result is input 0 of the program. */
  FusedProduct fused(GraphTypes types) {
    int at = read().indexOf(product.entry());
    List<Step> steps = new ArrayList<>();
    PointwiseProgram given = given(types);
    for (Step step : given.steps()) {
      List<Operand> operands = step.operands().stream().map(it -> it instanceof Input(int index)
        ? new Input(index == at ? 0 : index < at ? index + 1 : index)
        : it).toList();
      steps.add(new Step(step.operator(), step.attributes(), step.dtype(), operands));
    }
    return new FusedProduct(product.operator(), product.kind().attributes(), new PointwiseProgram(steps, given
      .results()));
  }

  /** The product's inputs, as many as a product can have, then the other inputs that the program reads. */
  List<NodeEntry> inputs() {
    List<NodeEntry> inputs = new ArrayList<>(product.inputs());
    while (inputs.size() < FusedProduct.OPERANDS) {
      inputs.add(Node.absent());
    }
    inputs.addAll(others());
    return inputs;
  }

  /**
   * The node that takes the place of both. It has the name of the following node.
   *
   * @param moved gives the entry that replaces an input
   */
  Node fused(GraphTypes types, OperatorTable operators, UnaryOperator<NodeEntry> moved) {
    List<String> names = new ArrayList<>(List.of(product.name()));
    names.addAll(FusionMap.nodesOf(following));
    FusedProduct fused = fused(types);
    Attributes attributes = fused.all()
      .with(FusedNodes.NAMES, new AttributeValue.Texts(names))
      .with(FusedNodes.IN_PLACE, new AttributeValue.Ints(inPlace(fused.program(), types, operators)));
    return Node.apply(following.name(), new NodeKind.Apply(FusedProduct.OPERATOR, attributes, following.kind()
      .outputs()), inputs().stream().map(it -> it.isAbsent() ? it : moved.apply(it)).toList());
  }

  /** A result may lie only over an input of the result's own type, and never over operands of the product. */
  private List<Long> inPlace(PointwiseProgram program, GraphTypes types, OperatorTable operators) {
    Set<NodeEntry> multiplied = new HashSet<>();
    product.inputs().stream().filter(it -> !it.isAbsent()).forEach(it -> multiplied.add(root(it, operators)));
    List<Long> pairs = new PointwiseSlots(program).inPlace();
    List<Long> allowed = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      int input = pairs.get(i).intValue();
      int output = pairs.get(i + 1).intValue();
      if (input > 0 && types.type(others().get(input - 1)).equals(types.type(following.entry(output))) && !multiplied
        .contains(root(others().get(input - 1), operators))) {
        allowed.addAll(List.of((long) FusedProduct.input(input), (long) output));
      }
    }
    return allowed;
  }

  private static NodeEntry root(NodeEntry entry, OperatorTable operators) {
    NodeEntry root = entry;
    while (root.node().kind() instanceof NodeKind.Apply && operators.memory(root.node()).alias()) {
      root = root.node().inputs().getFirst();
    }
    return root;
  }
}
