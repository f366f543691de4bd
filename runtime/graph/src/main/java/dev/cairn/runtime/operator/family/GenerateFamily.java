package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.OF_SHAPES;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.attribute.DiagonalForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.BoundRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.ValueRange;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.util.List;
import java.util.Optional;

/** Operators that make a tensor from a few numbers. */
public final class GenerateFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("ConstantOfShape", 1, 1, GenerateFamily::constantOfShape, MemoryTraits.NONE).named("input")
      .bounded(
        BoundRule.ofLargest(GenerateFamily::constantOfShape))
      .partial(PartialRule.ofElement(GenerateFamily::filled)).zeroGradient(OF_SHAPES),
    new OperatorDefinition("EyeLike", 1, 1, GenerateFamily::eyeLike, MemoryTraits.NONE).named("input")
      .withTypes("dtype")
      .zeroGradient(OF_SHAPES),
    new OperatorDefinition("Range", 3, 3, GenerateFamily::range, MemoryTraits.NONE).named("start", "limit", "delta")
      .bounded(
        GenerateFamily::longestRange)
      .noGradient(NOT_WRITTEN));

  private GenerateFamily() {}

  private static DType filled(Attributes attributes) {
    return ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(TensorView fill)
      ? fill.dtype()
      : DType.FLOAT32;
  }

  /** The attribute {@code value} holds the one element that fills the shape; without it, {@code float32} zero. */
  private static List<TensorType> constantOfShape(TypeContext context) {
    AttributeValue value = ConstantForm.of(context.attributes()).value();
    if (value != null && !(value instanceof AttributeValue.Tensor(TensorView fill) && fill.elementCount() == 1)) {
      throw context.fault("a tensor of one element is needed: value=" + value);
    }
    return List.of(new TensorType(filled(context.attributes()), Shape.of(AdmittedTypes.INT64.list(context, 0))));
  }

  /** A matrix of the input's shape, and of its element type where attribute {@code dtype} names no other. */
  private static List<TensorType> eyeLike(TypeContext context) {
    if (context.shape(0).rank() != 2) {
      throw context.fault("not a matrix: input=" + context.shape(0));
    }
    DType dtype = ConversionFamily.named(context, "dtype",
      DiagonalForm.of(context.attributes()).dtype().orElse(context.dtype(0).toString()));
    return List.of(context.input(0).withDType(dtype));
  }

  /** The numbers from {@code start} in steps of {@code delta}, up to before {@code limit}. */
  private static List<TensorType> range(TypeContext context) {
    DType dtype = AdmittedTypes.RANGED.require(context, 0, 1, 2);
    TensorView start = AdmittedTypes.RANGED.single(context, 0);
    TensorView limit = AdmittedTypes.RANGED.single(context, 1);
    TensorView delta = AdmittedTypes.RANGED.single(context, 2);
    if (delta.doubleAt(0) == 0) {
      throw context.fault("the delta of a range must not be 0: delta=0");
    }
    long count = dtype.isFloat()
      ? steps(context, start.doubleAt(0), limit.doubleAt(0), delta.doubleAt(0))
      : Math.ceilDiv(Math.subtractExact(limit.longAt(0), start.longAt(0)), delta.longAt(0));
    return List.of(TensorType.of(dtype, Math.max(0, count)));
  }

  /**
   * The largest result: from the least start to the largest limit in the smallest steps; for negative steps the other
   * way round.
   */
  private static Optional<List<TensorType>> longestRange(TypeContext context) {
    Optional<ValueRange> delta = context.range(2).filter(it -> it.least()[0] > 0 || it.most()[0] < 0);
    return delta.flatMap(step -> context.range(0).flatMap(start -> context.range(1).flatMap(limit -> step.least()[0] > 0
      ? limit.minus(start).map(span -> Math.ceilDiv(span.most()[0], step.least()[0]))
      : start.minus(limit).map(span -> Math.ceilDiv(span.most()[0], -step.most()[0])))))
      .map(count -> List.of(TensorType.of(context.dtype(0), Math.max(0, count))));
  }

  /** The difference is rounded to the element type, as ONNX's arithmetic has it, before it is divided. */
  private static long steps(TypeContext context, double start, double limit, double delta) {
    double span = context.dtype(0) != DType.FLOAT64 ? (float) (limit - start) : limit - start;
    double count = Math.ceil(span / delta);
    if (!(count < Integer.MAX_VALUE)) {
      throw context.fault("a range must be finite: start=%s limit=%s delta=%s".formatted(start, limit, delta));
    }
    return (long) count;
  }
}
