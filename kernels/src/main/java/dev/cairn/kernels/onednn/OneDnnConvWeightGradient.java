package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;

/** {@code ConvWeightGradient(x, h)} over two spatial axes, of {@code float32}. */
final class OneDnnConvWeightGradient extends OneDnnKernel {
  private static final int TRAINING = 64;
  private static final int DIRECT = 1;

  OneDnnConvWeightGradient(OneDnnEngine engine) {
    super(engine);
  }

  @Override
  boolean fits(KernelSignature signature) {
    return areAlike(signature, 2) && Images.PLAIN.areIn(signature);
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    Shape x = signature.input(0).shape();
    Shape h = signature.input(1).shape();
    Shape plain = signature.output(0).shape();
    SlidingWindow window = SlidingWindow.ofWeights(signature.attributes(), x, plain);
    long[] weights = OneDnnConvolution.weights(ConvolutionGroups.of(signature.attributes(), x, plain), plain);
    Layouts layouts = program.layouts();
    long anyX = layouts.any(x.extents());
    long anyH = layouts.any(h.extents());
    long anyWeights = layouts.any(weights);
    long[] strides = WindowNumbers.strides(window);
    long[] gaps = WindowNumbers.gaps(window);
    long[] before = WindowNumbers.padsBegin(window);
    long[] after = WindowNumbers.padsEnd(window, x);
    long forward = program.scope().create("primitive_desc", "dnnl_convolution_forward_primitive_desc_create", program
      .engine(), TRAINING, DIRECT, anyX, anyWeights, 0L, anyH, strides, gaps, before, after, program.attributes());
    long backward = program.scope().create("primitive_desc",
      "dnnl_convolution_backward_weights_primitive_desc_create", program.engine(), DIRECT, anyX, anyWeights, 0L, anyH,
      strides, gaps, before, after, forward, program.attributes());
    program.addWeightGradient(backward, layouts.plain(x.extents()), layouts.plain(h.extents()), layouts.plain(weights));
  }
}
