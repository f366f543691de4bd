package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.TransposedWindow.Axis;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * {@code ConvTranspose} over one to three spatial axes, of {@code float32}. It is also the gradient of a convolution's
 * input.
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
    return OneDnnKernel.areAlike(signature, 3) && images.fit(signature)
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
    program.addProduct(descriptor, images.layout(layouts, x.extents()),
      layouts.strided(extents, strides(extents, weights)),
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
    long[] taps = Arrays.copyOfRange(weights.extents(), 2, weights.rank());
    LongStream channels = LongStream.of(weights.extent(1), weights.extent(0) / groups);
    LongStream ofGroup = LongStream.concat(channels, LongStream.of(taps));
    return (groups == 1 ? ofGroup : LongStream.concat(LongStream.of(groups), ofGroup)).toArray();
  }

  /** Weights lie by input, output and tap. */
  private static long[] strides(long[] extents, Shape weights) {
    long taps = weights.elementCount(2, weights.rank());
    long[] strides = new long[extents.length];
    long stride = 1;
    int outputs = extents.length - weights.rank();
    for (int axis = extents.length - 1; axis >= outputs + 2; axis--) {
      strides[axis] = stride;
      stride *= extents[axis];
    }
    strides[outputs] = taps;
    strides[outputs + 1] = weights.extent(1) * taps;
    if (outputs > 0) {
      strides[0] = weights.extent(0) / extents[0] * strides[outputs + 1];
    }
    return strides;
  }
}
