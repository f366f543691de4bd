package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.util.List;

/** Operators on images with their channels last. No model has them: only {@link ChannelsLastPass} makes them. */
public final class ChannelsLastOperators {
  private ChannelsLastOperators() {}

  /** The table with these operators added, each if the table has its operator on plain images. */
  public static OperatorTable in(OperatorTable operators) {
    OperatorTable all = operators;
    for (OperatorDefinition plain : operators.rows()) {
      if (plain.facts().channelsLast().hasKernel()) {
        all = all.with(row(plain));
      }
    }
    return all;
  }

  private static OperatorDefinition row(OperatorDefinition plain) {
    return new OperatorDefinition(ChannelsLast.operator(plain.name()), plain.minInputs(), plain.maxInputs(),
      context -> types(plain, context), plain.memory()).with(plain.facts()).without(OperatorTrait.HAS_QLINEAR)
      .noGradient("gradients are built before layouts are chosen").partial(PartialRule.NOTHING);
  }

  private static List<TensorType> types(OperatorDefinition plain, TypeContext context) {
    if (context.shape(0).rank() != ChannelsLast.RANK) {
      throw context.fault("not images: input=" + context.shape(0));
    }
    return plain.typeRule().infer(context.withShape(0, ChannelsLast.plain(context.shape(0)))).stream()
      .map(type -> type.withShape(ChannelsLast.of(type.shape()))).toList();
  }
}
