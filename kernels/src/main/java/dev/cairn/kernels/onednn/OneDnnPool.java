package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.onednn.Stage.Argument;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;

/** {@code MaxPool} and {@code AveragePool} over two spatial axes, of {@code float32}. */
final class OneDnnPool extends OneDnnKernel {
  private static final int INFERENCE = 96;
  private static final int MAXIMUM = 511;
  private static final int AVERAGE_WITH_PADDING = 767;
  private static final int AVERAGE = 1023;
  /** To make a primitive takes oneDNN the longer, the larger its windows are. */
  private static final int LARGEST_KERNEL = 1024;

  private final boolean isMaximum;

  OneDnnPool(OneDnnEngine engine, boolean isMaximum) {
    super(engine);
    this.isMaximum = isMaximum;
  }

  @Override
  boolean fits(KernelSignature signature) {
    if (!isFloats(signature, 1) || signature.outputs().size() != 1 || signature.input(0).shape().rank() != 4) {
      return false;
    }
    SlidingWindow window = window(signature);
    for (int axis = 0; axis < 2; axis++) {
      // Windows that lie in padding alone, and what rounding up adds, are counted in other ways there.
      boolean inPadding = window.padBegin(axis) >= window.kernel(axis) || window.padEnd(axis) >= window.kernel(axis);
      if (inPadding || window.kernel(axis) > LARGEST_KERNEL || window.dilation(axis) != 1
        || signature.attributes().getFlag("ceil_mode", false)) {
        return false;
      }
    }
    return true;
  }

  private static SlidingWindow window(KernelSignature signature) {
    return SlidingWindow.of(signature.attributes(), signature.input(0).shape(), signature.attributes().getLongs(
      "kernel_shape", new long[0]));
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    Layouts layouts = program.layouts();
    SlidingWindow window = window(signature);
    Shape x = signature.input(0).shape();
    long plainX = layouts.plain(x.extents());
    long plainY = layouts.plain(signature.output(0).shape().extents());
    int kind = isMaximum
      ? MAXIMUM
      : signature.attributes().getFlag("count_include_pad", false) ? AVERAGE_WITH_PADDING : AVERAGE;
    long descriptor = program.scope().create("primitive_desc", "dnnl_pooling_forward_primitive_desc_create", program
      .engine(), INFERENCE, kind, plainX, plainY, WindowNumbers.strides(window), WindowNumbers.kernel(window),
      new long[] {0, 0}, WindowNumbers.padsBegin(window), WindowNumbers.padsEnd(window, x), program.attributes());
    program.add(descriptor,
      List.of(new Argument(Stage.SOURCE, plainX, new OperandPlace.Input(0)), new Argument(Stage.RESULT,
        plainY, new OperandPlace.Output(0))));
  }
}
