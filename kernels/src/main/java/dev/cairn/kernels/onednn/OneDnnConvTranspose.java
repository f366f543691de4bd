package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.TransposedWindow.Axis;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * {@code ConvTranspose} over two spatial axes, of {@code float32}. It is also the gradient of a convolution's input.
 */
final class OneDnnConvTranspose implements Product {
  private static final int INFERENCE = 96;
  private static final int DIRECT = 0xa;
  /** With fewer output channels of a group, oneDNN leaves most lanes of its vectors empty. */
  private static final int FEW_OUTPUTS = 8;

  private final Images images;

  OneDnnConvTranspose(Images images) {
    this.images = images;
  }

  @Override
  public String operator() {
    return images.operator(Operators.CONV_TRANSPOSE);
  }

  @Override
  public boolean fits(KernelSignature signature) {
    return OneDnnKernel.areAlike(signature, 3) && images.areIn(signature)
      && (signature.input(0).dtype() != DType.FLOAT32 || signature.input(1).shape().extent(1) >= FEW_OUTPUTS);
  }

  @Override
  public void describe(KernelSignature signature, ProgramBuilder program) {
    KernelSignature plain = images.plain(signature);
    Shape x = plain.input(0).shape();
    Shape weights = plain.input(1).shape();
    Shape y = plain.output(0).shape();
    Layouts layouts = program.layouts();
    List<Axis> axes = TransposedWindow.of(plain.attributes(), x, weights).axes();
    long[] extents = extents(weights, ConvolutionForm.of(plain.attributes()).groups());
    long bias = program.hasBias(plain) ? layouts.plain(y.extent(1)) : 0;
    long descriptor = program.scope().create("primitive_desc", "dnnl_deconvolution_forward_primitive_desc_create",
      program.engine(), INFERENCE, DIRECT, layout(program, x), layouts.any(extents), bias, layout(program, y),
      numbers(axes, Axis::stride), numbers(axes, it -> it.dilation() - 1L),
      numbers(axes, Axis::padBegin), numbers(axes, OneDnnConvTranspose::padEnd), program.productAttributes());
    program.addProduct(descriptor, images.layout(layouts, x.extents()), layouts.strided(extents, strides(extents)),
      bias, images.layout(layouts, y.extents()));
  }

  private long layout(ProgramBuilder program, Shape nchw) {
    return images == Images.CHANNELS_LAST
      ? images.layout(program.layouts(), nchw.extents())
      : program.layouts().any(nchw.extents());
  }

  private static long[] numbers(List<Axis> axes, ToLongFunction<Axis> number) {
    return axes.stream().mapToLong(number).toArray();
  }

  /** Negative where the output has more elements than the windows cover. */
  private static long padEnd(Axis axis) {
    return (axis.input() - 1L) * axis.stride() + (axis.kernel() - 1L) * axis.dilation() + 1 - axis.output() - axis
      .padBegin();
  }

  /** Groups if there are several, outputs and inputs of a group, and taps. */
  private static long[] extents(Shape weights, int groups) {
    long inputs = weights.extent(0) / groups;
    return groups == 1
      ? new long[] {weights.extent(1), inputs, weights.extent(2), weights.extent(3)}
      : new long[] {groups, weights.extent(1), inputs, weights.extent(2), weights.extent(3)};
  }

  /** Weights lie by input, output and tap. */
  private static long[] strides(long[] extents) {
    int first = extents.length - 4;
    long taps = extents[first + 2] * extents[first + 3];
    long[] strides = new long[extents.length];
    strides[0] = extents[first] * extents[first + 1] * taps;
    strides[first] = taps;
    strides[first + 1] = extents[first] * taps;
    strides[first + 2] = extents[first + 3];
    strides[first + 3] = 1;
    return strides;
  }
}
