package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedNodes;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Nodes that become one.
 *
 * @param members in the graph's order, of one shape
 * @param results the members that other nodes read, in the same order; the last member is always one of them
 */
record FusedGroup(List<Node> members, List<Node> results) {
  FusedGroup {
    members = List.copyOf(members);
    results = List.copyOf(results);
  }

  /** The entries of other nodes that the members read, in the order of first reading. */
  List<NodeEntry> inputs() {
    Set<NodeEntry> inputs = new LinkedHashSet<>();
    for (Node member : members) {
      for (NodeEntry read : member.inputs()) {
        if (!read.isAbsent() && !members.contains(read.node())) {
          inputs.add(read);
        }
      }
    }
    return List.copyOf(inputs);
  }

  /** The program of these nodes over {@link #inputs}. */
  PointwiseProgram program(GraphTypes types) {
    List<NodeEntry> inputs = inputs();
    List<Step> steps = new ArrayList<>();
    for (Node member : members) {
      List<Operand> operands = new ArrayList<>();
      for (NodeEntry read : member.inputs()) {
        int step = members.indexOf(read.node());
        operands.add(read.isAbsent()
          ? new PointwiseProgram.Absent()
          : step >= 0 ? new PointwiseProgram.Value(step) : new PointwiseProgram.Input(inputs.indexOf(read)));
      }
      steps.add(new Step(member.operator(), member.kind().attributes(), types.type(member.entry()).dtype(), operands));
    }
    return new PointwiseProgram(steps, results.stream().map(members::indexOf).toList());
  }

  /**
   * The node that takes the members' place. It has the name of the last member.
   *
   * @param updated by value that a variable gets, the value that it had
   * @param moved gives the entry that replaces an input
   */
  Node fused(GraphTypes types, Map<NodeEntry, NodeEntry> updated, UnaryOperator<NodeEntry> moved) {
    PointwiseProgram program = program(types);
    List<String> names = members.stream().map(Node::name).toList();
    Attributes attributes = program.attributes().with(FusedNodes.NAMES, new AttributeValue.Texts(names));
    List<Long> updates = updates(updated);
    if (!updates.isEmpty()) {
      attributes = attributes.with(PointwiseSlots.UPDATES, new AttributeValue.Ints(updates));
    }
    attributes = attributes.with(FusedNodes.IN_PLACE, new AttributeValue.Ints(inPlace(PointwiseSlots.of(attributes),
      types)));
    return Node.apply(members.getLast().name(), new NodeKind.Apply(PointwiseProgram.OPERATOR, attributes, results
      .size()), inputs().stream().map(moved).toList());
  }

  /** Pairs of an input that is a variable's value, and the result that becomes the variable's next value. */
  private List<Long> updates(Map<NodeEntry, NodeEntry> updated) {
    List<NodeEntry> inputs = inputs();
    List<Long> pairs = new ArrayList<>();
    for (int result = 0; result < results.size(); result++) {
      NodeEntry before = updated.get(results.get(result).entry());
      if (before != null && inputs.contains(before)) {
        pairs.add((long) inputs.indexOf(before));
        pairs.add((long) result);
      }
    }
    return pairs;
  }

  /** A result may lie only over an input of the same type: then each element is written where it was read. */
  private List<Long> inPlace(PointwiseSlots slots, GraphTypes types) {
    List<NodeEntry> inputs = inputs();
    List<Long> pairs = slots.inPlace();
    List<Long> allowed = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      NodeEntry input = inputs.get(pairs.get(i).intValue());
      NodeEntry output = results.get(pairs.get(i + 1).intValue()).entry();
      if (types.type(input).equals(types.type(output))) {
        allowed.addAll(pairs.subList(i, i + 2));
      }
    }
    return allowed;
  }
}
