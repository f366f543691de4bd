package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.Optional;
import java.util.Set;

/** {@code Conv} over one to three spatial axes, of {@code float32} or {@code bfloat16}. */
final class OneDnnConvolution implements Product {
  private static final int INFERENCE = 96;
  private static final int DIRECT = 1;
  private static final int SHORT_ROW = 32;

  private final Images images;
  private final Optional<OneDnnEngine> winograd;

  /** @param winograd whose plans may use Winograd's algorithm; empty for none */
  OneDnnConvolution(Images images, Optional<OneDnnEngine> winograd) {
    this.images = images;
    this.winograd = winograd;
  }

  @Override
  public String operator() {
    return images.operator(Operators.CONV);
  }

  @Override
  public boolean fits(KernelSignature signature) {
    if (!OneDnnKernel.areAlike(signature, 3) || !images.fit(signature)) {
      return false;
    }
    if (images == Images.CHANNELS_LAST) {
      return true;
    }
    ConvolutionGroups groups = groups(signature);
    return groups.groups() == 1 || groups.inputsPerGroup() > 1 || hasShortRows(signature.output(0).shape());
  }

  /**
   * Of images whose channels are convolved each by itself. In Java that takes as long as oneDNN and its reordering
   * where rows are long; where they are short, oneDNN takes a third to a half.
   */
  private static boolean hasShortRows(Shape output) {
    return output.rank() == ChannelsLast.RANK && output.extent(-1) <= SHORT_ROW;
  }

  @Override
  public Optional<PlannedKernel> planned(KernelSignature signature, PostOperations epilogue, Set<Integer> constants) {
    return images == Images.CHANNELS_LAST && signature.input(0).dtype() == DType.FLOAT32
      ? winograd.flatMap(it -> WinogradConvolution.planned(it, images.plain(signature), epilogue, constants))
      : Optional.empty();
  }

  private static ConvolutionGroups groups(KernelSignature plain) {
    return ConvolutionGroups.of(plain.attributes(), plain.input(0).shape(), plain.input(1).shape());
  }

  @Override
  public void describe(KernelSignature signature, ProgramBuilder program) {
    KernelSignature plain = images.plain(signature);
    Layouts layouts = program.layouts();
    long[] weights = weights(groups(plain), plain.input(1).shape());
    long bias = program.hasBias(plain) ? layouts.plain(plain.output(0).shape().extent(1)) : 0;
    long any = layouts.any(weights);
    // Constants are packed as one item wants them, so that plans for all batches share them.
    long chosen = program.isConstant(1) ? program.weightsLayout(descriptor(plain, program, 1, any, bias)) : any;
    long descriptor = descriptor(plain, program, plain.input(0).shape().extent(0), chosen, bias);
    program.addProduct(descriptor, images.layout(layouts, plain.input(0).shape().extents()), layouts.plain(weights),
      bias, images.layout(layouts, plain.output(0).shape().extents()));
  }

  private long descriptor(KernelSignature plain, ProgramBuilder program, long batch, long weights, long bias) {
    SlidingWindow window = SlidingWindow.ofWeights(plain.attributes(), plain.input(0).shape(), plain.input(1).shape());
    long[] x = plain.input(0).shape().extents();
    long[] y = plain.output(0).shape().extents();
    x[0] = batch;
    y[0] = batch;
    boolean asItLies = images == Images.CHANNELS_LAST || (isPointwise(window) && groups(plain).groups() == 1);
    return program.scope().create("primitive_desc", "dnnl_convolution_forward_primitive_desc_create", program.engine(),
      INFERENCE, DIRECT, layout(program, x, asItLies), weights, bias, layout(program, y, asItLies),
      WindowNumbers.strides(window), WindowNumbers.gaps(window), WindowNumbers.padsBegin(window), WindowNumbers
        .padsEnd(window, plain.input(0).shape()),
      program.productAttributes());
  }

  private long layout(ProgramBuilder program, long[] nchw, boolean asItLies) {
    return asItLies ? images.layout(program.layouts(), nchw) : program.layouts().any(nchw);
  }

  /** Each element by itself: a product of matrices, in any layout. */
  private static boolean isPointwise(SlidingWindow window) {
    for (int axis = 0; axis < window.rank(); axis++) {
      if (window.kernel(axis) != 1 || window.stride(axis) != 1 || window.padBegin(axis) != 0 || window.padEnd(
        axis) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The extents of weights as oneDNN has them: with an axis for groups, if there are several. */
  static long[] weights(ConvolutionGroups groups, Shape shape) {
    if (groups.groups() == 1) {
      return shape.extents();
    }
    long[] extents = new long[shape.rank() + 1];
    extents[0] = groups.groups();
    extents[1] = groups.outputsPerGroup();
    extents[2] = groups.inputsPerGroup();
    System.arraycopy(shape.extents(), 2, extents, 3, shape.rank() - 2);
    return extents;
  }
}
