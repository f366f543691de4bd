package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/**
 * Attention as ONNX defines it since opset 23, without caches of keys and values, without a cap on scores, and with one
 * result. The compiler makes it of the operators that older models write instead, too.
 */
public final class AttentionFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Attention", 3, 4, AttentionFamily::attention, MemoryTraits.NONE));

  private AttentionFamily() {}

  private static List<TensorType> attention(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    if (context.outputCount() > 1 || context.attributes().getFloat("softcap", 0) != 0) {
      throw context.fault("supported: no softcap and one output: softcap=%s outputs=%d"
        .formatted(context.attributes().getFloat("softcap", 0), context.outputCount()));
    }
    AttentionHeads heads = AttentionHeads.of(context.attributes(), context.shape(0), context.shape(1), context.shape(
      2));
    if (context.has(3)) {
      requireMask(context, dtype, Shape.of(heads.batch(), heads.heads(), heads.queries(), heads.keys()));
    }
    return List.of(new TensorType(dtype, heads.resultShape()));
  }

  private static void requireMask(TypeContext context, DType dtype, Shape scores) {
    if (context.dtype(3) != DType.BOOL && context.dtype(3) != dtype) {
      throw context.fault("a mask must have type bool or the operands' type: mask=" + context.dtype(3));
    }
    if (!context.shape(3).broadcastWith(scores).equals(scores)) {
      throw context.fault("the mask cannot be broadcast to the scores: mask=%s scores=%s".formatted(context.shape(3),
        scores));
    }
  }
}
