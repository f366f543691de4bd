package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;

import dev.cairn.kernels.attribute.ExpertForm;
import dev.cairn.kernels.attribute.ExpertInputs;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/** Layers of several experts, of which each token takes a few; all of domain com.microsoft. */
public final class ExpertFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("MoE", 3, 8, context -> layer(context, ExpertInputs.REAL), MemoryTraits.NONE).named("input",
      "router_probs", "fc1_experts_weights", "fc1_experts_bias", "fc2_experts_weights", "fc2_experts_bias",
      "fc3_experts_weights", "fc3_experts_bias").working((use, _) -> work(use, ExpertInputs.REAL))
      .ofDomain(OnnxFacts.MICROSOFT).noGradient(NOT_WRITTEN),
    new OperatorDefinition("QMoE", 3, 21, context -> layer(context, ExpertInputs.QUANTIZED), MemoryTraits.NONE).named(
      "input", "router_probs", "fc1_experts_weights", "fc1_scales", "fc1_experts_bias", "fc2_experts_weights",
      "fc2_scales", "fc2_experts_bias", "fc3_experts_weights", "fc3_scales", "fc3_experts_bias", "fc1_zero_points",
      "fc2_zero_points", "fc3_zero_points", "router_weights", "fc1_global_scale", "fc2_global_scale", "fc1_act_scale",
      "fc2_act_scale", "fc1_act_block_scale", "fc2_act_block_scale").working(
        (use, _) -> work(use,
          ExpertInputs.QUANTIZED))
      .ofDomain(OnnxFacts.MICROSOFT).noGradient(NOT_WRITTEN));

  private ExpertFamily() {}

  private static List<TensorType> layer(TypeContext context, ExpertInputs inputs) {
    DType dtype = AdmittedTypes.SCALES.require(context, 0);
    ExpertForm form = ExpertForm.of(context.attributes());
    Shape x = context.shape(0);
    Shape scores = context.shape(1);
    if (x.rank() < 2 || x.rank() > 3 || scores.rank() != 2 || x.extent(-1) == 0 || scores.extent(0) != x.elementCount()
      / x.extent(-1)) {
      throw context.fault("a score of each expert for each token is needed: tokens=%s scores=%s".formatted(x, scores));
    }
    long experts = scores.extent(1);
    if (form.chosen() > experts) {
      throw context.fault("a token has more experts than there are: k=%d experts=%d".formatted(form.chosen(),
        experts));
    }
    for (int input = inputs.third(); input < context.inputCount(); input++) {
      boolean isThird = input < inputs.most() && input != inputs.shares() && input != inputs.first().zeros()
        && input != inputs.second().zeros();
      if (context.has(input) && (isThird || input >= inputs.most())) {
        throw context.fault("an input is not supported: input=" + input);
      }
    }
    Shape first = context.shape(inputs.first().weights());
    long rows = first.rank() == 3 ? first.extent(1) : 0;
    long inner = rows / form.parts();
    requireProduct(context, inputs.first(), dtype, Shape.of(experts, inner * form.parts(), x.extent(-1)));
    requireProduct(context, inputs.second(), dtype, Shape.of(experts, x.extent(-1), inner));
    if (inputs.shares() >= 0 && context.has(inputs.shares()) && !context.shape(inputs.shares()).equals(scores)) {
      throw context.fault("a share of each expert for each token is needed: shares=" + context.shape(inputs.shares()));
    }
    AdmittedTypes.SCALES.require(context, 0, 1, inputs.first().bias(), inputs.second().bias(), Math.max(0, inputs
      .shares()));
    return List.of(context.input(0));
  }

  /** @param wanted experts, rows and columns of the weights */
  private static void requireProduct(TypeContext context, ExpertInputs.Product product, DType dtype, Shape wanted) {
    ExpertForm form = ExpertForm.of(context.attributes());
    boolean isReal = product.scales() < 0;
    long rows = wanted.extent(1);
    long columns = wanted.extent(2);
    int packed = form.dtype().perByte();
    Shape shape = isReal ? wanted : wanted.with(2, columns / packed);
    TensorType weights = new TensorType(isReal ? dtype : DType.UINT8, shape);
    if (!context.input(product.weights()).equals(weights) || rows == 0 || (!isReal && columns % packed != 0)) {
      throw context.fault("weights do not fit: input=%d type=%s wanted=%s".formatted(product.weights(), context.input(
        product.weights()), weights));
    }
    if (!isReal) {
      AdmittedTypes.SCALES.require(context, product.scales());
      requireCount(context, product.scales(), wanted.extent(0) * rows * form.blocks(columns));
    }
    if (product.zeros() >= 0 && context.has(product.zeros())) {
      requireCount(context, product.zeros(), wanted.extent(0) * form.zeroBytes(rows, columns));
      if (context.dtype(product.zeros()) != DType.UINT8) {
        throw context.fault("zero points are packed: input=%d dtype=%s".formatted(product.zeros(), context.dtype(product
          .zeros())));
      }
    }
    if (context.has(product.bias()) && !context.shape(product.bias()).equals(Shape.of(wanted.extent(0), rows))) {
      throw context.fault("one bias for each row is needed: input=%d shape=%s".formatted(product.bias(), context.shape(
        product.bias())));
    }
  }

  private static void requireCount(TypeContext context, int input, long wanted) {
    if (context.shape(input).elementCount() != wanted) {
      throw context.fault("wrong number of scales or zero points: input=%d shape=%s wanted=%d".formatted(input, context
        .shape(input), wanted));
    }
  }

  /** The operations of both products of the experts that tokens take. */
  private static long work(TypeContext use, ExpertInputs inputs) {
    ExpertForm form = ExpertForm.of(use.attributes());
    long rows = use.shape(inputs.first().weights()).extent(1);
    long inner = rows / form.parts();
    return 2 * use.shape(0).elementCount() * form.chosen() * (rows + inner);
  }
}
