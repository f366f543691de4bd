package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/**
 * Random tensors: functions like all others. The last operand, {@code int64[2]}, has a seed and the number of a draw;
 * without it attribute {@code seed} decides the elements.
 */
public final class RandomFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Bernoulli", 1, 2, RandomFamily::draws, MemoryTraits.NONE),
    new OperatorDefinition("Multinomial", 1, 2, RandomFamily::classes, MemoryTraits.NONE),
    new OperatorDefinition("RandomNormal", 0, 1, RandomFamily::shaped, MemoryTraits.NONE),
    new OperatorDefinition("RandomNormalLike", 1, 2, RandomFamily::like, MemoryTraits.NONE),
    new OperatorDefinition("RandomUniform", 0, 1, RandomFamily::shaped, MemoryTraits.NONE),
    new OperatorDefinition("RandomUniformLike", 1, 2, RandomFamily::like, MemoryTraits.NONE));

  private RandomFamily() {}

  private static void requireState(TypeContext context, int operand) {
    if (context.has(operand) && !context.input(operand).equals(TensorType.of(DType.INT64, 2))) {
      throw context.fault("seed and draw are int64[2]: operand=" + context.input(operand));
    }
  }

  private static List<TensorType> shaped(TypeContext context) {
    requireState(context, 0);
    DType dtype = ConversionFamily.named(context, "dtype", "float32");
    requireFloat(context, dtype);
    return List.of(new TensorType(dtype, Shape.of(context.attributes().getLongs("shape"))));
  }

  private static List<TensorType> like(TypeContext context) {
    requireState(context, 1);
    DType dtype = ConversionFamily.named(context, "dtype", context.dtype(0).toString());
    requireFloat(context, dtype);
    return List.of(context.input(0).withDType(dtype));
  }

  private static void requireFloat(TypeContext context, DType dtype) {
    if (!dtype.isFloat()) {
      throw context.fault("random numbers are real: dtype=" + dtype);
    }
  }

  private static List<TensorType> draws(TypeContext context) {
    requireState(context, 1);
    AdmittedTypes.FLOATS.require(context, 0);
    return List.of(context.input(0).withDType(ConversionFamily.named(context, "dtype", context.dtype(0).toString())));
  }

  /** {@code [batch,class]} to {@code [batch,sample]}. */
  private static List<TensorType> classes(TypeContext context) {
    requireState(context, 1);
    AdmittedTypes.FLOATS.require(context, 0);
    long samples = context.attributes().getLong("sample_size", 1);
    DType dtype = ConversionFamily.named(context, "dtype", "int32");
    Shape x = context.shape(0);
    if (x.rank() != 2 || x.extent(1) < 1 || samples < 1 || !AdmittedTypes.INDEXES.admits(dtype)) {
      throw context.fault("likelihoods [batch,class] and samples are needed: input=%s sample_size=%d dtype=%s"
        .formatted(x, samples, dtype));
    }
    return List.of(TensorType.of(dtype, x.extent(0), samples));
  }
}
