package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.CastForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.ElementwiseGradients;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
import java.util.Arrays;
import java.util.List;

/** Operators that give elements another type: by value as another operand has it, or by their bits. */
public final class ConversionFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("BitCast", 1, 1, ConversionFamily::bitCast, MemoryTraits.NONE).named("input").withTypes("to")
      .since(26).noGradient("it reads bits as another type"),
    new OperatorDefinition("CastLike", 2, 2, context -> List.of(context.input(0).withDType(context.dtype(1))),
      MemoryTraits.FIRST_IN_PLACE).named("input", "target_type").partial(ElementwisePartials::castLike)
      .gradient(ElementwiseGradients::castBack));

  private ConversionFamily() {}

  /** The same bits, read as another type with as many bits. */
  private static List<TensorType> bitCast(TypeContext context) {
    DType target = named(context, "to", CastForm.of(context.attributes()).to());
    if (target.bits() != context.dtype(0).bits()) {
      throw context.fault("types of as many bits are needed: from=%s to=%s".formatted(context.dtype(0), target));
    }
    return List.of(context.input(0).withDType(target));
  }

  /** The element type that an attribute names. */
  static DType named(TypeContext context, String attribute, String name) {
    return Arrays.stream(DType.values()).filter(dtype -> dtype.toString().equals(name)).findFirst()
      .orElseThrow(() -> context.fault("no such element type: %s=\"%s\"".formatted(attribute, name)));
  }
}
