package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sweep's step at one use of an operator. */
final class NodeInference {
  private final Node node;
  private final OperatorDefinition row;
  private final KnownEntries known;
  private final ValueEvaluator evaluator;
  private final TypeContext context;

  NodeInference(Node node, OperatorDefinition row, KnownEntries known, ValueEvaluator evaluator) {
    this.node = node;
    this.row = row;
    this.known = known;
    this.evaluator = evaluator;
    this.context = new TypeContext(node, known::type, known::value);
  }

  /** Adds the node's results to what is known. */
  void infer() {
    List<TensorType> types = types();
    if (types.stream().anyMatch(TypeInference::isTooLarge)) {
      throw context.fault("a result exceeds the address space: results=" + types);
    }
    known.put(node, types);
    try {
      known.putValues(node, values(types));
    } catch (ArithmeticException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw context.fault(e);
    }
  }

  private List<TensorType> types() {
    try {
      return row.resultTypes(context);
    } catch (ValueDependentShape e) {
      throw e.decidedBy(DecidingInputs.of(node.inputs().get(e.input()), known::value));
    }
  }

  private List<TensorView> values(List<TensorType> types) {
    Optional<TensorView> fixed = row.memory().of(node.kind().attributes()).alias() && types.size() == 1
      ? known.value(node.inputs().get(0)).map(value -> value.reshaped(types.get(0).shape()))
      : row.valueRule().value(context);
    return fixed.map(List::of).orElseGet(() -> computed(types));
  }

  private List<TensorView> computed(List<TensorType> types) {
    List<Optional<TensorView>> inputs = new ArrayList<>();
    for (NodeEntry input : node.inputs()) {
      Optional<TensorView> value = known.value(input);
      if (value.isEmpty() && !input.isAbsent()) {
        return List.of();
      }
      inputs.add(value);
    }
    long read = inputs.stream().flatMap(Optional::stream).mapToLong(TensorView::elementCount).sum();
    long made = types.stream().mapToLong(type -> type.shape().elementCount()).sum();
    if (read > TypeInference.MAX_READ_ELEMENTS || made > TypeInference.MAX_VALUE_ELEMENTS) {
      return List.of();
    }
    List<TensorView> values = evaluator.evaluate(node, inputs, types).orElse(List.of());
    if (!values.isEmpty() && !values.stream().map(TensorView::type).toList().equals(types)) {
      throw new AssertionError("the evaluator gave other types: node=%s wanted=%s given=%s"
        .formatted(node, types, values));
    }
    return values;
  }
}
