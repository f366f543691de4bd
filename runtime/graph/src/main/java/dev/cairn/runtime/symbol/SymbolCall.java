package dev.cairn.runtime.symbol;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.OperatorCalls;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Scalars;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes the nodes of symbols. */
final class SymbolCall {
  private SymbolCall() {}

  /** @param name null for the next name of the thread's scope */
  static Node node(@Nullable String name, String operator, Attributes attributes, int results,
    List<@Nullable Symbol> operands) {
    if (operator.equals(OperatorCalls.CONSTANT)
      && ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(TensorView value)) {
      return Node.constant(named(name, operator), value);
    }
    definition(operator);
    List<NodeEntry> inputs = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      inputs.add(entry(operator, i, operands.get(i)));
    }
    while (!inputs.isEmpty() && inputs.getLast().isAbsent()) {
      inputs.removeLast();
    }
    return Node.apply(named(name, operator), new NodeKind.Apply(operator, attributes, results), inputs).withNotes(
      NoteScope.current());
  }

  private static String named(@Nullable String name, String operator) {
    return name == null ? NameScope.next(operator) : NameScope.of(name);
  }

  private static NodeEntry entry(String operator, int operand, @Nullable Symbol symbol) {
    if (symbol == null) {
      return Node.absent();
    }
    if (symbol.outputs().size() != 1) {
      throw new IllegalArgumentException("an operand is one output: operator=%s operand=%s outputs=%s; choose one with "
        .formatted(operator, argument(operator, operand), symbol.outputs()) + "get");
    }
    return symbol.single();
  }

  private static String argument(String operator, int operand) {
    return StandardOperators.table().find(operator).map(row -> row.argument(operand)).orElse("arg" + operand);
  }

  /** The row; empty for an operator with a domain, which a session may know. */
  private static Optional<OperatorDefinition> definition(String operator) {
    if (ContainerOperators.find(operator).isPresent()) {
      throw new IllegalArgumentException("symbols are tensors, not sequences or optionals: operator=" + operator);
    }
    Optional<OperatorDefinition> row = StandardOperators.table().find(operator);
    if (row.isEmpty() && operator.indexOf(':') < 0) {
      throw new IllegalArgumentException("no such operator: operator=" + operator);
    }
    return row;
  }

  static Symbol composed(@Nullable String name, String operator, Attributes attributes, int results,
    Map<String, Symbol> operands) {
    int least = definition(operator).map(OperatorDefinition::minInputs).orElse(0);
    int count = least;
    for (String operand : new TreeSet<>(operands.keySet())) {
      List<String> known = definition(operator).map(OperatorDefinition::arguments).orElse(List.of());
      int index = known.indexOf(operand);
      if (index < 0) {
        throw new IllegalArgumentException("no such operand: operator=%s operand=%s operands=%s".formatted(operator,
          operand, known));
      }
      count = Math.max(count, index + 1);
    }
    String node = named(name, operator);
    List<@Nullable Symbol> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String operand = argument(operator, i);
      Symbol given = operands.get(operand);
      all.add(given == null && i < least ? Symbol.variable(node + "_" + operand) : given);
    }
    Node made = node(operator, operator, attributes, results, all).named(node);
    return Symbol
      .group(made.entries().stream().map(it -> SymbolNames.symbol(it, all)).toArray(Symbol[]::new));
  }

  /** The variables that some of the nodes write. */
  static Set<Node> states(List<Node> nodes) {
    Set<Node> states = new LinkedHashSet<>();
    for (Node node : nodes) {
      for (int i = 0; i < node.inputs().size(); i++) {
        if (isState(node, i)) {
          states.add(node.inputs().get(i).node());
        }
      }
    }
    return states;
  }

  /** Whether the node keeps a state in this operand, or replaces the variable that it reads there. */
  private static boolean isState(Node node, int operand) {
    return node.kind() instanceof NodeKind.Assign
      ? operand == 0 && node.inputs().getFirst().node().kind() instanceof NodeKind.Variable
      : node.kind() instanceof NodeKind.Apply
        && StandardOperators.table().find(node.operator()).map(row -> row.states().contains(operand)).orElse(false)
        && node.inputs().get(operand).node().kind() instanceof NodeKind.Input;
  }

  /** The number as it is written, cast like the symbol. {@link PartialInference} checks that the type can hold it. */
  static Symbol scalar(Symbol like, Number value) {
    Symbol constant = Symbol.constant(NameScope.next("scalar"), Scalars.asWritten(value));
    return constant.apply(Operators.CAST_LIKE, Attributes.NONE, 1, List.of(constant, like)).getFirst();
  }
}
