package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.onednn.Stage.Argument;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** {@code Conv} over two spatial axes, of {@code float32}. */
final class OneDnnConvolution extends OneDnnKernel {
  private static final int INFERENCE = 96;
  private static final int DIRECT = 1;
  private static final int SOURCE_LAYOUT = 129;
  private static final int WEIGHTS_LAYOUT = 131;
  private static final int RESULT_LAYOUT = 133;

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
    ConvolutionGroups groups = groups(signature);
    Shape x = signature.input(0).shape();
    Shape y = signature.output(0).shape();
    long[] weights = weights(groups, signature.input(1).shape());
    SlidingWindow window = SlidingWindow.ofWeights(signature.attributes(), x, signature.input(1).shape());
    long plainX = layouts.plain(DType.FLOAT32, x.extents());
    long plainY = layouts.plain(DType.FLOAT32, y.extents());
    long bias = signature.has(2) ? layouts.plain(DType.FLOAT32, y.extent(1)) : 0;
    boolean plain = isPointwise(window) && groups.groups() == 1;
    long descriptor = program.scope().create("primitive_desc", "dnnl_convolution_forward_primitive_desc_create",
      program.engine(), INFERENCE, DIRECT, plain ? plainX : layouts.any(DType.FLOAT32, x.extents()), layouts.any(
        DType.FLOAT32, weights),
      bias, plain ? plainY : layouts.any(DType.FLOAT32, y.extents()), WindowNumbers.strides(window),
      WindowNumbers.gaps(window), WindowNumbers.padsBegin(window), WindowNumbers.padsEnd(window, x),
      program.attributes(PostOperations.NONE));
    List<Argument> arguments = new ArrayList<>();
    arguments.add(program.input(Stage.SOURCE, 0, plainX, program.settled(descriptor, SOURCE_LAYOUT)));
    arguments.add(program.input(Stage.WEIGHTS, 1, layouts.plain(DType.FLOAT32, weights), program.settled(descriptor,
      WEIGHTS_LAYOUT)));
    if (signature.has(2)) {
      arguments.add(program.input(Stage.BIAS, 2, bias, bias));
    }
    Argument result = program.output(0, plainY, program.settled(descriptor, RESULT_LAYOUT));
    arguments.add(result);
    program.add(descriptor, arguments);
    program.finish(0, plainY, result);
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
