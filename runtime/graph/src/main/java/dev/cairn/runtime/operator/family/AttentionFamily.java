package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.HALF;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.SECOND_DERIVATIVE;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.KeyMaskForm;
import dev.cairn.kernels.attribute.RotaryRows;
import dev.cairn.kernels.attribute.ScoreForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.AttentionGradients;
import java.util.List;

/**
 * Attention and rotary positions as ONNX defines them since opset 23. The compiler makes attention of the operators
 * that older models write instead, too.
 */
public final class AttentionFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Attention", 3, 7, AttentionFamily::attention, MemoryTraits.NONE).named("Q", "K", "V",
      "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen").with(HALF)
      .working((use, result) -> 4 * use.shape(0).elementCount() * use.shape(1).extent(-2)).since(23)
      .gradient(AttentionGradients::attention),
    new OperatorDefinition("AttentionGradient", 4, 5, AttentionFamily::gradient, MemoryTraits.NONE).named("head", "Q",
      "K", "V", "attn_mask").noGradient(SECOND_DERIVATIVE),
    new OperatorDefinition("KeyMask", 2, 2, AttentionFamily::keyMask, MemoryTraits.NONE).named("mask_index", "extents")
      .zeroGradient("it compares whole numbers"),
    new OperatorDefinition("RotaryEmbedding", 3, 4, AttentionFamily::rotary, MemoryTraits.FIRST_IN_PLACE).named("X",
      "cos_cache", "sin_cache", "position_ids").since(23).gradient(AttentionGradients::rotary));

  private AttentionFamily() {}

  private static List<TensorType> attention(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2, 4, 5);
    AttentionHeads heads = AttentionHeads.of(context.attributes(), context.shape(0), context.shape(1), context.shape(
      2));
    if (context.has(4) || context.has(5)) {
      heads = heads.withPast(context.shape(4), context.shape(5));
    }
    if (context.has(3)) {
      requireMask(context, 3, dtype, heads);
    }
    if (context.has(6)) {
      AdmittedTypes.INT64.require(context, 6);
      context.requireShape(6, Shape.of(heads.batch()), "one length for each batch is needed");
    }
    requireAttributes(context.attributes(), context);
    return context.first(new TensorType(dtype, heads.resultShape()), new TensorType(dtype, heads.presentKeyShape()),
      new TensorType(dtype, heads.presentValueShape()), new TensorType(dtype, heads.scoreShape()));
  }

  /** {@code (h, query, key, value, mask?)} to the gradients of queries, keys and values. */
  private static List<TensorType> gradient(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2, 3);
    AttentionHeads heads = AttentionHeads.of(context.attributes(), context.shape(1), context.shape(2), context.shape(
      3));
    context.requireShape(0, heads.resultShape(), "not the shape of the result");
    if (context.has(4)) {
      requireMask(context, 4, dtype, heads);
    }
    requireAttributes(context.attributes(), context);
    return List.of(context.input(1), context.input(2), context.input(3));
  }

  /** A mask as ONNX has it, made of the operands by which com.microsoft's attention says which keys count. */
  private static List<TensorType> keyMask(TypeContext context) {
    AdmittedTypes.INDEXES.require(context, 0);
    AdmittedTypes.INT64.require(context, 1);
    return List.of(new TensorType(DType.BOOL, KeyMaskForm.of(context.shape(0), context.value(1)).result()));
  }

  private static void requireAttributes(Attributes attributes, TypeContext context) {
    ScoreForm form = ScoreForm.of(attributes);
    long mode = form.result();
    float cap = form.cap();
    if (mode < 0 || mode > 3 || !(cap >= 0)) {
      throw context.fault("needed: a mode from 0 to 3 and no negative cap: qk_matmul_output_mode=%d softcap=%s"
        .formatted(mode, cap));
    }
  }

  /** A mask may have fewer keys than there are. */
  private static void requireMask(TypeContext context, int operand, DType dtype, AttentionHeads heads) {
    if (context.dtype(operand) != DType.BOOL && context.dtype(operand) != dtype) {
      throw context.fault("a mask must have type bool or the operands' type: mask=" + context.dtype(operand));
    }
    Shape mask = context.shape(operand);
    Shape scores = heads.scoreShape().with(3, heads.maskedKeys(mask));
    if (!mask.broadcastWith(scores).equals(scores)) {
      throw context.fault("the mask cannot be broadcast to the scores: mask=%s scores=%s".formatted(mask, heads
        .scoreShape()));
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
    context.requireShape(1, wanted, "caches of other extents");
    context.requireShape(2, wanted, "caches of other extents");
    if (context.has(3)) {
      AdmittedTypes.INT64.require(context, 3);
      context.requireShape(3, steps, "one position for each step is needed");
    }
    return List.of(context.input(0));
  }
}
