package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/** The row of products with an epilogue: an operator that only {@link ProductFusionPass} makes. */
public final class FusedProductOperator {
  static final int MOST_INPUTS = FusedProduct.input(FusedOperator.MOST_INPUTS);

  private FusedProductOperator() {}

  /**
   * The row. Which results may lie over which inputs of its program is noted at each node.
   *
   * @param operators the operators of the products: their rules give the results' shape
   */
  public static OperatorDefinition row(OperatorTable operators) {
    return new OperatorDefinition(FusedProduct.OPERATOR, 2, MOST_INPUTS, context -> types(operators, context),
      new MemoryTraits(FusedOperator.pairs(FusedProduct.OPERANDS, MOST_INPUTS), false));
  }

  private static List<TensorType> types(OperatorTable operators, TypeContext context) {
    FusedProduct fused = FusedProduct.of(context.attributes());
    if (context.inputCount() != FusedProduct.input(fused.program().inputCount())) {
      throw context.fault("not the inputs of the program: wanted=" + fused.program().inputCount());
    }
    Shape shape = operators.get(fused.operator()).typeRule().infer(context.of(fused.operator(), fused.attributes(),
      FusedProduct.OPERANDS)).getFirst().shape();
    for (int i = FusedProduct.OPERANDS; i < context.inputCount(); i++) {
      if (!shape.broadcastWith(context.shape(i)).equals(shape)) {
        throw context.fault("an input does not stretch to the product: input=%d product=%s".formatted(i, shape));
      }
    }
    return fused.program().resultTypes().stream().map(dtype -> new TensorType(dtype, shape)).toList();
  }
}
