package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;
import java.util.stream.Stream;

/**
 * Operators on images with their channels last. No model has them: {@code ChannelsLastPass} makes them, where a device
 * has kernels for them.
 */
public final class ChannelsLastFamily {
  public static final List<OperatorDefinition> ROWS = Stream.of("AveragePool", "Conv", "LRN", "MaxPool").map(
    ChannelsLastFamily::row).toList();

  private ChannelsLastFamily() {}

  private static OperatorDefinition row(String onPlainImages) {
    OperatorDefinition plain = StandardOperators.table().get(onPlainImages);
    return new OperatorDefinition(ChannelsLast.operator(onPlainImages), plain.minInputs(), plain.maxInputs(),
      context -> types(plain, context), MemoryTraits.NONE);
  }

  private static List<TensorType> types(OperatorDefinition plain, TypeContext context) {
    if (context.shape(0).rank() != ChannelsLast.RANK) {
      throw context.fault("not images: input=" + context.shape(0));
    }
    return plain.typeRule().infer(context.withShape(0, ChannelsLast.plain(context.shape(0)))).stream()
      .map(type -> type.withShape(ChannelsLast.of(type.shape()))).toList();
  }
}
