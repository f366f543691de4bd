package dev.cairn.runtime.pass.gradient;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The operator {@code Gradient(y, x...)}: the gradients of {@code y} with respect to each {@code x}, where the head
 * gradient is ones. It stands for gradients in graphs whose types are still open, and has no kernel: the compiler
 * replaces it ({@link ExpandGradientPass}).
 */
public final class GradientOperator {
  public static final String NAME = "Gradient";
  public static final OperatorDefinition ROW = new OperatorDefinition(NAME, 2, OperatorDefinition.ANY_NUMBER,
    GradientOperator::types, MemoryTraits.NONE);

  private GradientOperator() {}

  private static List<TensorType> types(TypeContext context) {
    List<TensorType> types = new ArrayList<>();
    for (int i = 0; i < context.inputCount(); i++) {
      if (!context.dtype(i).isFloat()) {
        throw context.fault("only floats have gradients: operand=" + i);
      }
      types.add(context.input(i));
    }
    return types.subList(1, types.size());
  }
}
