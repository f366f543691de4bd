package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;

/** {@code Conv} over two spatial axes, of {@code float32}. */
final class OneDnnConvolution extends OneDnnKernel {
  private static final int INFERENCE = 96;
  private static final int DIRECT = 1;

  OneDnnConvolution(OneDnnEngine engine) {
    super(engine);
  }

  @Override
  boolean fits(KernelSignature signature) {
    if (!isFloats(signature, 3) || signature.input(0).shape().rank() != 4) {
      return false;
    }
    ConvolutionGroups groups = groups(signature);
    // A channel by itself is soon convolved: to bring it to another layout and back would take longer.
    return groups.inputsPerGroup() > 1;
  }

  private static ConvolutionGroups groups(KernelSignature signature) {
    return ConvolutionGroups.of(signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    Layouts layouts = program.layouts();
    long[] weights = weights(groups(signature), signature.input(1).shape());
    long bias = signature.has(2) ? layouts.plain(signature.output(0).shape().extent(1)) : 0;
    long any = layouts.any(weights);
    // Constants are packed as one item wants them, so that plans for all batches share them.
    long chosen = program.isConstant(1) ? program.weightsLayout(descriptor(signature, program, 1, any, bias)) : any;
    long descriptor = descriptor(signature, program, signature.input(0).shape().extent(0), chosen, bias);
    program.addProduct(descriptor, layouts.plain(signature.input(0).shape().extents()), layouts.plain(weights), bias,
      layouts.plain(signature.output(0).shape().extents()));
  }

  private static long descriptor(KernelSignature signature, ProgramBuilder program, long batch, long weights,
    long bias) {
    Layouts layouts = program.layouts();
    SlidingWindow window = SlidingWindow.ofWeights(signature.attributes(), signature.input(0).shape(),
      signature.input(1)
        .shape());
    long[] x = signature.input(0).shape().extents();
    long[] y = signature.output(0).shape().extents();
    x[0] = batch;
    y[0] = batch;
    boolean plain = isPointwise(window) && groups(signature).groups() == 1;
    return program.scope().create("primitive_desc", "dnnl_convolution_forward_primitive_desc_create", program.engine(),
      INFERENCE, DIRECT, plain ? layouts.plain(x) : layouts.any(x), weights, bias, plain
        ? layouts.plain(y)
        : layouts
          .any(y),
      WindowNumbers.strides(window), WindowNumbers.gaps(window), WindowNumbers.padsBegin(window), WindowNumbers
        .padsEnd(window, signature.input(0).shape()),
      program.attributes());
  }

  /** Each element by itself: a product of matrices, in any layout. */
  private static boolean isPointwise(SlidingWindow window) {
    for (int axis = 0; axis < 2; axis++) {
      if (window.kernel(axis) != 1 || window.stride(axis) != 1 || window.padBegin(axis) != 0 || window.padEnd(
        axis) != 0) {
        return false;
      }
    }
    return true;
  }

  private static long[] weights(ConvolutionGroups groups, Shape shape) {
    return groups.groups() == 1
      ? shape.extents()
      : new long[] {groups.groups(), groups.outputsPerGroup(), groups.inputsPerGroup(), shape.extent(2), shape.extent(
        3)};
  }
}
