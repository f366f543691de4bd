package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.RotaryRows;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/**
 * Attention and rotary positions as ONNX defines them since opset 23; attention without caches of keys and values,
 * without a cap on scores, and with one result. The compiler makes it of the operators that older models write
 * instead, too.
 */
public final class AttentionFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Attention", 3, 4, AttentionFamily::attention, MemoryTraits.NONE),
    new OperatorDefinition("RotaryEmbedding", 3, 4, AttentionFamily::rotary, MemoryTraits.FIRST_IN_PLACE));

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

  /** Caches of cosines and sines: a line for each step, or for each position that the fourth input names. */
  private static List<TensorType> rotary(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    RotaryRows rows = RotaryRows.of(context.attributes(), context.shape(0));
    Shape steps = Shape.of(rows.batches(), rows.steps());
    Shape cache = context.shape(1);
    Shape wanted = context.has(3)
      ? Shape.of(cache.rank() == 0 ? 0 : cache.extent(0), rows.rotated() / 2)
      : Shape.of(rows.batches(), rows.steps(), rows.rotated() / 2);
    if (!cache.equals(wanted) || !context.shape(2).equals(wanted)) {
      throw context.fault("caches of other extents: cos=%s sin=%s wanted=%s".formatted(cache, context.shape(2),
        wanted));
    }
    if (context.has(3)) {
      AdmittedTypes.INT64.require(context, 3);
      if (!context.shape(3).equals(steps)) {
        throw context.fault("one position for each step is needed: positions=%s steps=%s".formatted(context.shape(3),
          steps));
      }
    }
    return List.of(context.input(0));
  }
}
