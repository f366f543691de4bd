package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.HAS_QLINEAR;
import static dev.cairn.runtime.operator.OperatorTrait.SOFTMAX;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.SECOND_DERIVATIVE;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.STEPS;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.LineNorm;
import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.attribute.ResponseWindow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.ChannelsLastRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.MemoryTraits.Pair;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.NormalizationGradients;
import dev.cairn.runtime.operator.gradient.PoolGradients;
import dev.cairn.runtime.operator.gradient.ReduceGradients;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
import dev.cairn.runtime.operator.partial.NormalizationPartials;
import java.util.Arrays;
import java.util.List;

/**
 * Operators that scale elements by statistics of their neighbours, or by given ones. The result has the input's type.
 *
 * <p>In place is allowed where every kernel has read the statistics of a line or plane before it writes its first
 * element, and lines and planes do not overlap. LRN sums over neighbouring channels, which others are writing: not in
 * place.
 */
public final class NormalizationFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("BatchNormalization", 5, 5, NormalizationFamily::batch, new MemoryTraits(List.of(new Pair(0,
      0), new Pair(3, 1), new Pair(4, 2)), false)).named("X", "scale", "B", "input_mean", "input_var").withStates(3, 4)
      .with(FOLLOWS_HALF).channelsLast(ChannelsLastRule.AFFINE).inTensorflow("FusedBatchNorm")
      .partial(NormalizationPartials::batch).withWeights(1, 2)
      .gradient(NormalizationGradients::batch),
    new OperatorDefinition("BatchNormalizationGradient", 3, 5, NormalizationFamily::batchGradient,
      MemoryTraits.EITHER_IN_PLACE).named("head", "X", "scale", "mean", "inverse").noGradient(SECOND_DERIVATIVE),
    new OperatorDefinition("InstanceNormalization", 3, 3, NormalizationFamily::instance, MemoryTraits.FIRST_IN_PLACE)
      .named("input", "scale", "B").with(FOLLOWS_HALF).partial(NormalizationPartials::scaled).withWeights(1, 2)
      .gradient(NormalizationGradients::instance),
    new OperatorDefinition("LayerNormalization", 2, 3, NormalizationFamily::layer, MemoryTraits.FIRST_IN_PLACE)
      .named("X", "Scale", "B").with(FOLLOWS_HALF).partial(NormalizationPartials::byLayer).withWeights(1, 2)
      .gradient(NormalizationGradients::layer),
    new OperatorDefinition("LayerNormalizationGradient", 3, 5, NormalizationFamily::layerGradient,
      MemoryTraits.EITHER_IN_PLACE).named("head", "X", "scale", "mean", "inverse").noGradient(SECOND_DERIVATIVE),
    new OperatorDefinition("GroupNormalization", 3, 3, NormalizationFamily::group, MemoryTraits.FIRST_IN_PLACE)
      .named("X", "scale", "bias").with(FOLLOWS_HALF).channelsLast(ChannelsLastRule.KERNEL)
      .partial(NormalizationPartials::scaled)
      .withWeights(1, 2).gradient(NormalizationGradients::group),
    new OperatorDefinition("Hardmax", 1, 1, NormalizationFamily::softmax, MemoryTraits.FIRST_IN_PLACE).named("input")
      .partial(ElementwisePartials::same).zeroGradient(STEPS),
    new OperatorDefinition("LogSoftmax", 1, 1, NormalizationFamily::softmax, MemoryTraits.FIRST_IN_PLACE)
      .named("input").with(FOLLOWS_HALF, SOFTMAX).partial(ElementwisePartials::same)
      .gradient(ReduceGradients::logSoftmax),
    new OperatorDefinition("LpNormalization", 1, 1, NormalizationFamily::power, MemoryTraits.FIRST_IN_PLACE)
      .named("input").partial(ElementwisePartials::same).gradient(NormalizationGradients::power),
    new OperatorDefinition("RMSNormalization", 2, 2, NormalizationFamily::meanSquare, MemoryTraits.FIRST_IN_PLACE)
      .named("X", "scale").with(FOLLOWS_HALF).partial(NormalizationPartials::byLayer).since(23).withWeights(1)
      .gradient(NormalizationGradients::meanSquare),
    new OperatorDefinition("LRN", 1, 1, NormalizationFamily::local, MemoryTraits.NONE)
      .channelsLast(ChannelsLastRule.KERNEL)
      .partial(ElementwisePartials::same).gradient(PoolGradients::localResponse),
    new OperatorDefinition("LrnGradient", 2, 2, NormalizationFamily::localGradient, MemoryTraits.NONE).named("X", "dY")
      .noGradient(NOT_WRITTEN),
    new OperatorDefinition("Softmax", 1, 1, NormalizationFamily::softmax, MemoryTraits.FIRST_IN_PLACE).named("input")
      .with(HAS_QLINEAR, FOLLOWS_HALF, SOFTMAX).partial(ElementwisePartials::same).gradient(ReduceGradients::softmax));

  private NormalizationFamily() {}

  /**
   * Scale, bias, mean and variance are given, one a channel; a tensor of one axis is one channel. In training, further
   * results are the running mean and variance, and the batch's mean and inverse deviation.
   */
  private static List<TensorType> batch(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    AdmittedTypes.FLOATS.require(context, 1, 2);
    AdmittedTypes.FLOATS.require(context, 3, 4);
    requireRank(context, 1);
    long channels = channels(context.shape(0));
    for (int i = 1; i <= 4; i++) {
      requireOneEachChannel(context, i, channels);
    }
    if (!NormalizedChannels.of(context.attributes()).isTraining()) {
      return List.of(context.input(0));
    }
    requireMany(context, 0, channels);
    TensorType statistic = context.input(3);
    return context.first(context.input(0), statistic, statistic, statistic, statistic);
  }

  private static long channels(Shape x) {
    return x.rank() == 1 ? 1 : x.extent(1);
  }

  private static void requireMany(TypeContext context, int input, long channels) {
    Shape x = context.shape(input);
    if (x.elementCount() <= channels) {
      throw context.fault("statistics of a channel need more than one element in training: input=%s channels=%d; "
        .formatted(x, channels) + "take a larger batch");
    }
  }

  /**
   * {@code (h, x, scale, mean?, inverse?)} to gradients of {@code x}, scale and bias. Mean and inverse deviation are
   * the saved ones; kernels compute them again where they are left out.
   */
  private static List<TensorType> batchGradient(TypeContext context) {
    requireHeadOfData(context);
    AdmittedTypes.FLOATS.require(context, 2);
    requireRank(context, 1);
    long channels = channels(context.shape(1));
    requireMany(context, 1, channels);
    requireOneEachChannel(context, 2, channels);
    if (context.has(3)) {
      AdmittedTypes.FLOATS.require(context, 3, 4);
      requireOneEachChannel(context, 3, channels);
      requireOneEachChannel(context, 4, channels);
    }
    return List.of(context.input(1), context.input(2), context.input(2));
  }

  private static void requireHeadOfData(TypeContext context) {
    if (!context.input(0).equals(context.input(1))) {
      throw context.fault("head and data have one type: head=%s data=%s".formatted(context.input(0), context.input(1)));
    }
    AdmittedTypes.FLOATS.require(context, 0);
    if (context.has(3) != context.has(4)) {
      throw context.fault("mean and inverse deviation come together");
    }
  }

  /** Like {@link #batchGradient}; the gradients of scale and bias have the shape of the normalised axes. */
  private static List<TensorType> layerGradient(TypeContext context) {
    requireHeadOfData(context);
    AdmittedTypes.FLOATS.require(context, 2);
    Shape x = context.shape(1);
    Shape part = normalized(context);
    requireStretches(context, 2, part);
    if (context.has(3)) {
      AdmittedTypes.FLOATS.require(context, 3, 4);
      Shape parts = Shape.of(parts(x, part));
      context.requireShape(3, parts, "one mean for each part is needed");
      context.requireShape(4, parts, "one deviation for each part is needed");
    }
    TensorType row = context.input(2).withShape(part);
    return List.of(context.input(1), row, row);
  }

  /** The extents of the data, 1 along the normalised axes. */
  private static long[] parts(Shape x, Shape part) {
    long[] parts = x.extents();
    Arrays.fill(parts, parts.length - part.rank(), parts.length, 1);
    return parts;
  }

  private static List<TensorType> instance(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    requireRank(context, 3);
    requireOneEachChannel(context, 1, context.shape(0).extent(1));
    requireOneEachChannel(context, 2, context.shape(0).extent(1));
    return List.of(context.input(0));
  }

  /**
   * Normalises over all axes from {@code axis} on. The second and third result have the mean and the inverse deviation
   * of each part.
   */
  private static List<TensorType> layer(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    Shape x = context.shape(0);
    Shape part = normalized(context);
    requireStretches(context, 1, x);
    requireStretches(context, 2, x);
    DType stash = switch (NormalizedRows.stash(context.attributes())) {
      case 1 -> DType.FLOAT32;
      case 16 -> DType.BFLOAT16;
      default -> throw context.fault("no such type for statistics: stash_type="
        + NormalizedRows.stash(context.attributes()));
    };
    var statistics = new TensorType(stash, Shape.of(parts(x, part)));
    return context.first(context.input(0), statistics, statistics);
  }

  /** Normalises over all axes from {@code axis} on; the result has the type of the scale. */
  private static List<TensorType> meanSquare(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    AdmittedTypes.FLOATS.require(context, 1);
    requireStretches(context, 1, context.shape(0));
    return List.of(context.input(0).withDType(context.dtype(1)));
  }

  /** All axes from {@code axis} on. */
  private static Shape normalized(TypeContext context) {
    Shape x = context.shape(0);
    return NormalizedRows.of(context.attributes(), x).row();
  }

  private static void requireStretches(TypeContext context, int input, Shape to) {
    if (context.has(input) && !context.shape(input).broadcastWith(to).equals(to)) {
      throw context.fault("scale or bias cannot be broadcast: input=%d shape=%s to=%s"
        .formatted(input, context.shape(input), to));
    }
  }

  /** Scale and bias are given, one a channel. */
  private static List<TensorType> group(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    AdmittedTypes.FLOATS.require(context, 1, 2);
    requireRank(context, 2);
    long channels = context.shape(0).extent(1);
    long groups = NormalizedGroups.of(context.attributes()).groups();
    if (groups < 1 || channels % groups != 0) {
      throw context.fault("the channels do not divide into groups: channels=%d num_groups=%d".formatted(channels,
        groups));
    }
    requireOneEachChannel(context, 1, channels);
    requireOneEachChannel(context, 2, channels);
    return List.of(context.input(0));
  }

  private static List<TensorType> power(TypeContext context) {
    long p = LineNorm.of(context.attributes()).order();
    if (p != 1 && p != 2) {
      throw context.fault("the norm must be the first or the second: p=" + p);
    }
    return softmax(context);
  }

  private static List<TensorType> local(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    requireRank(context, 2);
    long size = ResponseWindow.of(context.attributes()).size();
    if (size < 1) {
      throw context.fault("size must be at least 1: size=" + size);
    }
    return List.of(context.input(0));
  }

  /** The inputs are {@code x} and the gradient of {@code LRN(x)}. */
  private static List<TensorType> localGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1);
    context.requireShape(1, context.shape(0), "the gradient has another shape than the input");
    return local(context);
  }

  private static List<TensorType> softmax(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    Axes.index(context, AxisForm.ofLines(context.attributes()).axis(), context.shape(0).rank());
    return List.of(context.input(0));
  }

  private static void requireRank(TypeContext context, int least) {
    if (context.shape(0).rank() < least) {
      throw context.fault("too few axes: input=%s least=%d".formatted(context.shape(0), least));
    }
  }

  private static void requireOneEachChannel(TypeContext context, int input, long channels) {
    context.requireShape(input, Shape.of(channels), "one element for each channel is needed");
  }
}
