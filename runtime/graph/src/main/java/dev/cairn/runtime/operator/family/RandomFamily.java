package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.DropoutForm;
import dev.cairn.kernels.attribute.RandomForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.MemoryTraits.Pair;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.UnchangedRule;
import dev.cairn.runtime.operator.gradient.RandomGradients;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
import java.util.List;

/**
 * Random tensors: functions like all others. The last operand, {@code int64[2]}, has a seed and the number of a draw;
 * attribute {@code draw} is added to the latter. Without it attributes {@code seed} and {@code draw} decide the
 * elements.
 */
public final class RandomFamily {
  private static final UnchangedRule OUTSIDE_OF_TRAINING = ((UnchangedRule) (use, result) -> !DropoutForm.of(use
    .attributes()).isTraining()).where(2, true, mode -> mode == 0);

  private static final String DRAWN = "its results are drawn";

  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Bernoulli", 1, 2, RandomFamily::draws, MemoryTraits.NONE).named("input").drawing(1)
      .withTypes("dtype").zeroGradient(DRAWN),
    new OperatorDefinition("Dropout", 1, 4, RandomFamily::dropout, new MemoryTraits(List.of(new Pair(0, 0)), true))
      .named("data", "ratio", "training_mode", "random").drawing(3).unchanged(OUTSIDE_OF_TRAINING)
      .partial(ElementwisePartials::dropout).gradient(RandomGradients::dropout),
    new OperatorDefinition("Multinomial", 1, 2, RandomFamily::classes, MemoryTraits.NONE).named("input").drawing(1)
      .withTypes("dtype").zeroGradient(DRAWN),
    new OperatorDefinition("RandomNormal", 0, 1, RandomFamily::shaped, MemoryTraits.NONE).drawing(0)
      .withTypes("dtype").zeroGradient(DRAWN),
    new OperatorDefinition("RandomNormalLike", 1, 2, RandomFamily::like, MemoryTraits.NONE).named("input").drawing(1)
      .withTypes("dtype").zeroGradient(DRAWN),
    new OperatorDefinition("RandomUniform", 0, 1, RandomFamily::shaped, MemoryTraits.NONE).drawing(0)
      .withTypes("dtype").zeroGradient(DRAWN),
    new OperatorDefinition("RandomUniformLike", 1, 2, RandomFamily::like, MemoryTraits.NONE).named("input").drawing(1)
      .withTypes("dtype").zeroGradient(DRAWN));

  private RandomFamily() {}

  private static void requireState(TypeContext context, int operand) {
    if (context.has(operand) && !context.input(operand).equals(TensorType.of(DType.INT64, 2))) {
      throw context.fault("seed and draw are int64[2]: operand=" + context.input(operand));
    }
  }

  private static List<TensorType> shaped(TypeContext context) {
    requireState(context, 0);
    DType dtype = ConversionFamily.named(context, "dtype",
      RandomForm.of(context.attributes()).dtype().orElse("float32"));
    requireFloat(context, dtype);
    return List.of(new TensorType(dtype, Shape.of(RandomForm.of(context.attributes()).shape())));
  }

  private static List<TensorType> like(TypeContext context) {
    requireState(context, 1);
    DType dtype = ConversionFamily.named(context, "dtype",
      RandomForm.of(context.attributes()).dtype().orElse(context.dtype(0).toString()));
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
    return List.of(context.input(0).withDType(ConversionFamily.named(context, "dtype",
      RandomForm.of(context.attributes()).dtype().orElse(context.dtype(0).toString()))));
  }

  /**
   * {@code (x, ratio?, training?, random?)}. Attribute {@code training_mode} decides whether elements are dropped.
   * Otherwise the first result is the input, the second an all-true mask.
   */
  private static List<TensorType> dropout(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    requireState(context, 3);
    if (context.has(1)) {
      AdmittedTypes.FLOATS.require(context, 1);
      AdmittedTypes.requireSingle(context, 1);
      requireShare(context);
    }
    boolean training = DropoutForm.of(context.attributes()).isTraining();
    for (long axis : DropoutForm.of(context.attributes()).axes()) {
      context.shape(0).axis(axis);
    }
    boolean asked = context.has(2) && (training || AdmittedTypes.BOOLEANS.single(context, 2).longAt(0) != 0);
    if (asked && (training || !context.has(1) || context.value(1).doubleAt(0) != 0)) {
      throw context
        .fault("in training, set attribute training_mode to 1 and leave out the third operand: training_mode="
          + (training ? 1 : 0));
    }
    TensorType data = context.input(0);
    return context.first(data, data.withDType(DType.BOOL));
  }

  private static void requireShare(TypeContext context) {
    context.knownValue(1).map(it -> it.doubleAt(0)).filter(it -> !(it >= 0 && it <= 1)).ifPresent(ratio -> {
      throw context.fault("the share of dropped elements is from 0 to 1: ratio=" + ratio);
    });
  }

  /** {@code [batch,class]} to {@code [batch,sample]}. */
  private static List<TensorType> classes(TypeContext context) {
    requireState(context, 1);
    AdmittedTypes.FLOATS.require(context, 0);
    long samples = RandomForm.of(context.attributes()).samples();
    DType dtype = ConversionFamily.named(context, "dtype", RandomForm.of(context.attributes()).dtype().orElse("int32"));
    Shape x = context.shape(0);
    if (x.rank() != 2 || x.extent(1) < 1 || samples < 1 || !AdmittedTypes.INDEXES.admits(dtype)) {
      throw context.fault("likelihoods [batch,class] and samples are needed: input=%s sample_size=%d dtype=%s"
        .formatted(x, samples, dtype));
    }
    return List.of(TensorType.of(dtype, x.extent(0), samples));
  }
}
