package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Absent;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A graph as a set of lines, fused nodes as the nodes that they were made of: the same before fusion and after. */
final class Unfolded {
  private Unfolded() {}

  static Set<String> lines(Graph graph) {
    Set<String> lines = new TreeSet<>();
    for (Node node : graph.nodes()) {
      if (FusionMap.isFused(node)) {
        add(node, lines);
      } else {
        lines.add(node.name() + " = " + node.operator() + node.kind().attributes() + node.inputs().stream().map(
          Unfolded::name).toList());
      }
    }
    graph.outputs().forEach(output -> lines.add("return " + output.name() + "=" + name(output.entry())));
    return lines;
  }

  private static void add(Node fused, Set<String> lines) {
    List<String> names = FusionMap.stepsOf(fused);
    boolean afterProduct = fused.operator().equals(FusedProduct.OPERATOR);
    if (afterProduct) {
      FusedProduct product = FusedProduct.of(fused.kind().attributes());
      lines.add(product(fused) + " = " + product.operator() + product.attributes() + fused.inputs().subList(0,
        FusedProduct.OPERANDS).stream().filter(it -> !it.isAbsent()).map(Unfolded::name).toList());
    }
    List<Step> steps = PointwiseProgram.of(fused.kind().attributes()).steps();
    for (int i = 0; i < steps.size(); i++) {
      List<String> operands = new ArrayList<>();
      steps.get(i).operands().forEach(operand -> operands.add(switch (operand) {
        case Input(int index) when afterProduct && index == 0 -> product(fused);
        case Input(int index) -> name(fused.inputs().get(afterProduct ? FusedProduct.input(index) : index));
        case Value(int step) -> names.get(step);
        case Absent() -> "_";
      }));
      lines.add(names.get(i) + " = " + steps.get(i).operator() + steps.get(i).attributes() + operands);
    }
  }

  private static String product(Node fused) {
    return FusionMap.nodesOf(fused).getFirst();
  }

  private static String name(NodeEntry entry) {
    if (entry.isAbsent()) {
      return "_";
    }
    Node node = entry.node();
    return FusionMap.isFused(node)
      ? FusionMap.stepsOf(node).get(PointwiseProgram.of(node.kind().attributes()).results().get(entry.index()))
      : entry.toString();
  }
}
