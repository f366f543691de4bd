package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.ALL_RESULTS_IN_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.HAS_QLINEAR;
import static dev.cairn.runtime.operator.OperatorTrait.MOVES_QUANTIZED;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;

import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.attribute.UnpooledShape;
import dev.cairn.kernels.attribute.WindowForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.ChannelsLastRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.PoolGradients;
import dev.cairn.runtime.operator.partial.ProductPartials;
import java.util.Arrays;
import java.util.List;

/** Operators that take each window of a spatial tensor {@code N,C,spatial...} into one element. */
public final class PoolingFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("AveragePool", 1, 1, PoolingFamily::average, MemoryTraits.NONE)
      .with(HAS_QLINEAR, FOLLOWS_HALF).channelsLast(ChannelsLastRule.KERNEL)
      .partial(ProductPartials::pool).gradient(PoolGradients::average),
    new OperatorDefinition("AveragePoolGradient", 1, 1, PoolingFamily::averageGradient, MemoryTraits.NONE).named("dY")
      .gradient(PoolGradients::averageAgain),
    new OperatorDefinition("GlobalAveragePool", 1, 1, PoolingFamily::global, MemoryTraits.NONE)
      .with(HAS_QLINEAR, FOLLOWS_HALF).channelsLast(ChannelsLastRule.GLOBAL_WINDOW)
      .partial(ProductPartials::globalPool).gradient(PoolGradients::globalAverage),
    new OperatorDefinition("GlobalLpPool", 1, 1, PoolingFamily::globalNorm, MemoryTraits.NONE)
      .partial(ProductPartials::globalPool).gradient(PoolGradients::globalNorm),
    new OperatorDefinition("GlobalMaxPool", 1, 1, PoolingFamily::global, MemoryTraits.NONE).with(FOLLOWS_HALF)
      .channelsLast(ChannelsLastRule.GLOBAL_WINDOW).partial(ProductPartials::globalPool)
      .gradient(PoolGradients::globalMax),
    new OperatorDefinition("LpPool", 1, 1, PoolingFamily::norm, MemoryTraits.NONE).partial(ProductPartials::pool)
      .gradient(PoolGradients::norm),
    new OperatorDefinition("MaxPool", 1, 1, PoolingFamily::max, MemoryTraits.NONE)
      .with(FOLLOWS_HALF, ALL_RESULTS_IN_HALF, MOVES_QUANTIZED).channelsLast(ChannelsLastRule.KERNEL)
      .partial(ProductPartials::pool).gradient(PoolGradients::max),
    new OperatorDefinition("MaxPoolGradient", 3, 3, PoolingFamily::maxGradient, MemoryTraits.NONE).named("X", "Y",
      "dY").gradient(PoolGradients::maxGradient),
    new OperatorDefinition("MaxpoolWithMask", 2, 2, PoolingFamily::masked, MemoryTraits.NONE).named("X", "M")
      .ofDomain(OnnxFacts.MICROSOFT).noGradient(NOT_WRITTEN),
    new OperatorDefinition("MaxUnpool", 2, 3, PoolingFamily::unpooled, MemoryTraits.NONE).named("X", "I",
      "output_shape").noGradient(NOT_WRITTEN));

  private PoolingFamily() {}

  private static List<TensorType> average(TypeContext context) {
    return List.of(new TensorType(AdmittedTypes.FLOATS.require(context, 0), pooled(context)));
  }

  /** One mask for all channels of all images. */
  private static List<TensorType> masked(TypeContext context) {
    AdmittedTypes.SINGLE.require(context, 0);
    Shape result = pooled(context);
    Shape wanted = context.shape(0).with(0, 1).with(1, 1);
    if (!context.input(1).equals(new TensorType(DType.INT32, wanted))) {
      throw context.fault("one mask for all channels is needed: mask=%s wanted=int32[%s]".formatted(context.input(1),
        wanted));
    }
    return List.of(context.input(0).withShape(result));
  }

  private static List<TensorType> norm(TypeContext context) {
    requireOrder(context);
    return average(context);
  }

  private static List<TensorType> globalNorm(TypeContext context) {
    requireOrder(context);
    return global(context);
  }

  private static void requireOrder(TypeContext context) {
    if (PoolForm.of(context.attributes()).order() < 1) {
      throw context.fault("the order of a norm is at least 1: p=" + PoolForm.of(context.attributes()).order());
    }
  }

  /** The smallest shape whose pools are the input, or a larger one that the third input gives. */
  private static List<TensorType> unpooled(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0);
    AdmittedTypes.INT64.require(context, 1);
    context.requireShape(1, context.shape(0), "one index for each element is needed");
    Shape least = UnpooledShape.of(context.attributes(), context.shape(0));
    if (!context.has(2)) {
      return List.of(new TensorType(dtype, least));
    }
    Shape wanted = Shape.of(AdmittedTypes.INT64.list(context, 2));
    boolean fits = wanted.rank() == least.rank();
    for (int axis = 0; fits && axis < wanted.rank(); axis++) {
      fits = wanted.extent(axis) >= least.extent(axis);
    }
    if (!fits) {
      throw context.fault("the output is smaller than what was pooled: output_shape=%s least=%s".formatted(wanted,
        least));
    }
    return List.of(new TensorType(dtype, wanted));
  }

  /** The maxima and, where wanted, the flat index of the input at which each was found. */
  private static List<TensorType> max(TypeContext context) {
    var maxima = new TensorType(AdmittedTypes.POOLED_BY_ORDER.require(context, 0), pooled(context));
    return context.first(maxima, maxima.withDType(DType.INT64));
  }

  /** The inputs are {@code x}, its maxima, and the gradient of the maxima. */
  private static List<TensorType> maxGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    Shape maxima = pooled(context);
    context.requireShape(1, maxima, "the maxima are not of the pool's result");
    context.requireShape(2, maxima, "the gradient is not of the pool's result");
    return List.of(context.input(0));
  }

  /** The input is the gradient of averages; {@code output_shape} has the spatial extents of the averaged tensor. */
  private static List<TensorType> averageGradient(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0);
    Shape h = context.shape(0);
    long[] spatial = PoolForm.of(context.attributes()).averaged();
    if (h.rank() != spatial.length + 2) {
      throw context.fault("one spatial extent for each axis after N and C is needed: gradient=%s output_shape=%s"
        .formatted(h, Arrays.toString(spatial)));
    }
    long[] extents = h.extents();
    System.arraycopy(spatial, 0, extents, 2, spatial.length);
    Shape x = Shape.of(extents);
    context.requireShape(0, pooled(context, x), "the gradient is not of the pool's result");
    return List.of(new TensorType(dtype, x));
  }

  private static Shape pooled(TypeContext context) {
    return pooled(context, context.shape(0));
  }

  private static Shape pooled(TypeContext context, Shape x) {
    long[] taps = WindowForm.of(context.attributes()).kernel();
    if (taps.length == 0) {
      throw context.fault("the window's size is missing: attribute=kernel_shape");
    }
    SlidingWindow window = SlidingWindow.of(context.attributes(), x, taps);
    return window.outputShape(x.extent(0), x.extent(1));
  }

  /** One window that is the whole of each channel. */
  private static List<TensorType> global(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0);
    long[] extents = context.shape(0).extents();
    if (extents.length < 3) {
      throw context.fault("a spatial axis is needed after N and C: input=" + context.shape(0));
    }
    Arrays.fill(extents, 2, extents.length, 1);
    return List.of(new TensorType(dtype, Shape.of(extents)));
  }
}
