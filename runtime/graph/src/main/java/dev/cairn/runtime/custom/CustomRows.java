package dev.cairn.runtime.custom;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.BoundRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.ValueRule;
import java.util.List;
import java.util.Objects;

/** Rows of the operator table for users' operators. */
final class CustomRows {
  private CustomRows() {}

  static OperatorDefinition row(CustomOperator operator) {
    return switch (operator) {
      case KernelOperator it -> kernel(it);
      case CompositeOperator it -> new OperatorDefinition(it.name(), it.minInputs(), it.maxInputs(), context -> {
        throw context.fault("other operators take the place of this one before types are inferred");
      }, MemoryTraits.NONE, ValueRule.NONE, it.results(), true, BoundRule.NONE);
    };
  }

  private static OperatorDefinition kernel(KernelOperator operator) {
    var row = new OperatorDefinition(operator.name(), operator.minInputs(), operator.maxInputs(), context -> types(
      operator, context), operator.memory(), ValueRule.NONE, operator.results(), operator.isPure(), BoundRule.NONE);
    return operator.gradient().map(row::gradient).orElse(row);
  }

  /** An exception of a user's rule becomes a fault that names the node. */
  @SuppressWarnings("CatchingUnchecked") // rules in other languages of the JVM throw any exception
  private static List<TensorType> types(KernelOperator operator, TypeContext context) {
    List<TensorType> types;
    try {
      types = List.copyOf(operator.types().infer(context));
    } catch (InvalidGraph e) {
      throw e;
    } catch (Throwable e) {
      InvalidGraph fault = context.fault("the operator's type rule failed: " + Objects.requireNonNullElse(e
        .getMessage(), e));
      fault.initCause(e);
      throw fault;
    }
    if (operator.memory().alias() && types.size() == 1 && types.get(0).bytes() != context.input(0).bytes()) {
      throw context.fault("an alias has as many bytes as its input: result=" + types.get(0));
    }
    return types;
  }
}
