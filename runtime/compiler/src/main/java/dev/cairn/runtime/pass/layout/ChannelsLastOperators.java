package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;
import java.util.Optional;

/** Operators on images with their channels last. No model has them: only {@link ChannelsLastPass} makes them. */
public final class ChannelsLastOperators {
  private static final List<String> ON_PLAIN_IMAGES = List.of("AveragePool", "Conv", "ConvTranspose",
    "GroupNormalization", "LRN", "MaxPool");

  private ChannelsLastOperators() {}

  /** A table with those of them whose operator on plain images it has. */
  public static OperatorTable in(OperatorTable operators) {
    OperatorTable all = operators;
    for (String name : ON_PLAIN_IMAGES) {
      Optional<OperatorDefinition> plain = operators.find(name);
      if (plain.isPresent()) {
        all = all.with(row(plain.get()));
      }
    }
    return all;
  }

  private static OperatorDefinition row(OperatorDefinition plain) {
    return new OperatorDefinition(ChannelsLast.operator(plain.name()), plain.minInputs(), plain.maxInputs(),
      context -> types(plain, context), plain.memory());
  }

  private static List<TensorType> types(OperatorDefinition plain, TypeContext context) {
    if (context.shape(0).rank() != ChannelsLast.RANK) {
      throw context.fault("not images: input=" + context.shape(0));
    }
    return plain.typeRule().infer(context.withShape(0, ChannelsLast.plain(context.shape(0)))).stream()
      .map(type -> type.withShape(ChannelsLast.of(type.shape()))).toList();
  }
}
