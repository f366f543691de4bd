package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.HALF;
import static dev.cairn.runtime.operator.OperatorTrait.PRODUCT;
import static dev.cairn.runtime.operator.OperatorTrait.WIDENS;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.SECOND_DERIVATIVE;

import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.WindowForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.ChannelsLastRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.WorkRule;
import dev.cairn.runtime.operator.gradient.ConvolutionGradients;
import dev.cairn.runtime.operator.partial.ProductPartials;
import java.util.Arrays;
import java.util.List;

/** Convolutions over {@code N,C,spatial...}. */
public final class ConvolutionFamily {
  /** The processor's kernels for the gradients of convolutions reach about half the rate of convolutions. */
  private static final long GRADIENT_FACTOR = 2;

  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Conv", 2, 3, ConvolutionFamily::convolution, MemoryTraits.NONE).named("X", "W", "B")
      .with(HALF, PRODUCT).channelsLast(ChannelsLastRule.KERNEL_WITH_TRANSPOSE)
      .working(convolved(1)).partial(ProductPartials::convolution).withWeights(1, 2)
      .gradient(ConvolutionGradients::convolution),
    new OperatorDefinition("ConvTranspose", 2, 3, ConvolutionFamily::transposed, MemoryTraits.NONE).named("X", "W",
      "B").with(WIDENS).channelsLast(ChannelsLastRule.KERNEL).working(ConvolutionFamily::transposedWork)
      .partial(ProductPartials::transposed)
      .withWeights(1, 2).gradient(ConvolutionGradients::transposed),
    new OperatorDefinition("ConvWeightGradient", 2, 2, ConvolutionFamily::weightGradient, MemoryTraits.NONE).named("X",
      "dY").with(WIDENS).working(ConvolutionFamily::weightGradientWork).gradient(ConvolutionGradients::weightGradient),
    new OperatorDefinition("Col2Im", 3, 3, ConvolutionFamily::columns, MemoryTraits.NONE).named("input", "image_shape",
      "block_shape").noGradient(NOT_WRITTEN),
    new OperatorDefinition("DeformConv", 3, 5, ConvolutionFamily::deformed, MemoryTraits.NONE).named("X", "W", "offset",
      "B", "mask").working(convolved(1)).gradient(ConvolutionGradients::deformed),
    new OperatorDefinition("DeformConvGradient", 4, 5, ConvolutionFamily::deformedGradient, MemoryTraits.NONE)
      .named("head", "X", "W", "offset", "mask").working(convolved(2)).noGradient(SECOND_DERIVATIVE));

  private ConvolutionFamily() {}

  private static List<TensorType> convolution(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    return List.of(new TensorType(dtype, result(context, 0, 1, 2)));
  }

  /** The result's shape, from inputs {@code x[N,C,...]}, {@code w[M,C/group,taps...]}, {@code bias[M]?}. */
  static Shape result(TypeContext context, int input, int weights, int bias) {
    Shape x = context.shape(input);
    Shape w = context.shape(weights);
    requireSameRank(context, x, w);
    long group = ConvolutionForm.of(context.attributes()).group();
    if (group < 1 || w.extent(0) % group != 0 || Math.multiplyExact(w.extent(1), group) != x.extent(1)) {
      throw context.fault("channels and groups do not fit: input=%s weights=%s group=%d".formatted(x, w, group));
    }
    requireOneBiasEachChannel(context, bias, w.extent(0));
    long[] taps = Arrays.copyOfRange(w.extents(), 2, w.rank());
    return SlidingWindow.of(context.attributes(), x, taps).outputShape(x.extent(0), w.extent(0));
  }

  /** {@code x[N,C,...]}, {@code w[C,M/group,taps...]}, {@code bias[M]?}. */
  private static List<TensorType> transposed(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    Shape x = context.shape(0);
    Shape w = context.shape(1);
    requireSameRank(context, x, w);
    long group = ConvolutionForm.of(context.attributes()).group();
    if (group < 1 || x.extent(1) % group != 0 || w.extent(0) != x.extent(1)) {
      throw context.fault("channels and groups do not fit: input=%s weights=%s group=%d".formatted(x, w, group));
    }
    long channels = Math.multiplyExact(w.extent(1), group);
    requireOneBiasEachChannel(context, 2, channels);
    Shape y = TransposedWindow.of(context.attributes(), x, w).outputShape(x.extent(0), channels);
    return List.of(new TensorType(dtype, y));
  }

  /**
   * The weights' gradient {@code [M,C/group,kernel_shape...]}, from {@code x[N,C,...]} and the results' gradient {@code
   * h[N,M,...]}.
   */
  private static List<TensorType> weightGradient(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1);
    Shape x = context.shape(0);
    Shape h = context.shape(1);
    requireSameRank(context, x, h);
    long group = ConvolutionForm.of(context.attributes()).group();
    if (group < 1 || x.extent(1) % group != 0 || h.extent(1) % group != 0) {
      throw context.fault("channels and groups do not fit: input=%s gradient=%s group=%d".formatted(x, h, group));
    }
    long[] taps = WindowForm.of(context.attributes()).kernel();
    Shape wanted = SlidingWindow.of(context.attributes(), x, taps).outputShape(x.extent(0), h.extent(1));
    context.requireShape(1, wanted, "the gradient is not of the convolution's result");
    long[] weights = new long[x.rank()];
    weights[0] = h.extent(1);
    weights[1] = x.extent(1) / group;
    System.arraycopy(taps, 0, weights, 2, taps.length);
    return List.of(new TensorType(dtype, Shape.of(weights)));
  }

  private static void requireSameRank(TypeContext context, Shape x, Shape w) {
    if (x.rank() < 3 || w.rank() != x.rank()) {
      throw context.fault("input and weights need the same rank, 3 or more: input=%s weights=%s".formatted(x, w));
    }
  }

  private static void requireOneBiasEachChannel(TypeContext context, int bias, long channels) {
    context.requireShape(bias, Shape.of(channels), "one bias for each output channel is needed");
  }

  /**
   * {@code x[N,C,H,W]}, {@code w[M,C/group,h,w]}, {@code offset[N,2*groups*h*w,...]}, {@code bias[M]?} and {@code
   * mask[N,groups*h*w,...]?} for each result.
   */
  private static List<TensorType> deformed(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2, 3, 4);
    Shape result = deformedShape(context, 0);
    requireOneBiasEachChannel(context, 3, context.shape(1).extent(0));
    return List.of(new TensorType(dtype, result));
  }

  /** {@code (h, x, w, offset, mask?)} to the gradients of images, weights, offsets and, where it is there, the mask. */
  private static List<TensorType> deformedGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1, 2, 3, 4);
    context.requireShape(0, deformedShape(context, 1), "not the shape of the result");
    return context.has(4)
      ? List.of(context.input(1), context.input(2), context.input(3), context.input(4))
      : List.of(context.input(1), context.input(2), context.input(3));
  }

  /** The shape of the result for images, which weights and offsets follow; a mask is the operand of number 4. */
  private static Shape deformedShape(TypeContext context, int images) {
    Shape x = context.shape(images);
    Shape w = context.shape(images + 1);
    if (x.rank() != 4) {
      throw context.fault("images N,C,H,W are needed: input=" + x);
    }
    ConvolutionGroups groups = ConvolutionGroups.of(context.attributes(), x, w);
    SlidingWindow window = SlidingWindow.ofWeights(context.attributes(), x, w);
    long offsets = ConvolutionForm.of(context.attributes()).offsetGroup();
    long taps = offsets * window.kernel(0) * window.kernel(1);
    if (offsets < 1 || x.extent(1) % offsets != 0
      || !context.shape(images + 2).equals(window.outputShape(groups.batch(), 2
        * taps))
      || (context.has(4) && !context.shape(4).equals(window.outputShape(groups.batch(), taps)))) {
      throw context.fault("two offsets and one factor for each tap and result are needed: offset=%s offset_group=%d"
        .formatted(context.shape(images + 2), offsets));
    }
    return window.outputShape(x.extent(0), w.extent(0));
  }

  /** Columns {@code [N,C*taps,windows]}, and the image and the window that they are of. */
  private static List<TensorType> columns(TypeContext context) {
    Shape columns = context.shape(0);
    long[] image = AdmittedTypes.INT64.list(context, 1);
    long[] block = AdmittedTypes.INT64.list(context, 2);
    if (columns.rank() != 3 || image.length < 1 || block.length != image.length) {
      throw context.fault("columns [N,C*taps,windows], and as many axes of image and block, are needed: columns=%s "
        .formatted(columns) + "image=%s block=%s".formatted(Arrays.toString(image), Arrays.toString(block)));
    }
    long[] extents = new long[image.length + 2];
    extents[0] = columns.extent(0);
    System.arraycopy(image, 0, extents, 2, image.length);
    long taps = Shape.of(block).elementCount();
    SlidingWindow window = SlidingWindow.of(context.attributes(), Shape.of(extents), block);
    if (columns.extent(1) % taps != 0 || columns.extent(2) != window.outputShape(1, 1).elementCount()) {
      throw context.fault("columns do not fit image and block: columns=%s taps=%d windows=%s".formatted(columns, taps,
        window.outputShape(1, 1)));
    }
    extents[1] = columns.extent(1) / taps;
    return List.of(context.input(0).withShape(Shape.of(extents)));
  }

  /** The work of a convolution, whose weights are this input. */
  static WorkRule convolved(int weights) {
    return (use, result) -> 2 * result.shape().elementCount() * perChannel(use.shape(weights));
  }

  private static long transposedWork(TypeContext use, TensorType result) {
    return GRADIENT_FACTOR * 2 * use.shape(0).elementCount() * perChannel(use.shape(1));
  }

  private static long weightGradientWork(TypeContext use, TensorType result) {
    return GRADIENT_FACTOR * 2 * use.shape(1).elementCount() * perChannel(result.shape());
  }

  /** The elements of a filter of one channel. */
  private static long perChannel(Shape filters) {
    return filters.extent(0) == 0 ? 1 : filters.elementCount() / filters.extent(0);
  }
}
