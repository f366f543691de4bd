package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.attribute.WindowForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/**
 * {@code MaxPool} and {@code AveragePool} over two spatial axes, and over three of plain volumes, of {@code float32} or
 * {@code bfloat16}.
 */
final class OneDnnPool extends OneDnnKernel {
  private static final int INFERENCE = 96;
  private static final int MAXIMUM = 511;
  private static final int AVERAGE_WITH_PADDING = 767;
  private static final int AVERAGE = 1023;
  /** oneDNN takes longer to make a primitive with larger windows. */
  private static final int LARGEST_KERNEL = 1024;

  /** oneDNN adds the elements of a window in {@code float}, one by one: sums of more would lose digits. */
  private static final long MOST_ADDED = 128;

  private final Images images;
  private final boolean isMaximum;

  OneDnnPool(OneDnnEngine engine, Images images, boolean isMaximum) {
    super(engine);
    this.images = images;
    this.isMaximum = isMaximum;
  }

  @Override
  boolean fits(KernelSignature signature) {
    if (!areAlike(signature, 1) || signature.outputs().size() != 1 || !images.fit(signature)) {
      return false;
    }
    SlidingWindow window = window(images.plain(signature));
    if (!isMaximum && Arrays.stream(WindowNumbers.kernel(window)).reduce(1, (a, b) -> a * b) > MOST_ADDED) {
      return false;
    }
    for (int axis = 0; axis < window.rank(); axis++) {
      // oneDNN counts windows that lie in padding alone, and windows that rounding up adds, in other ways.
      boolean inPadding = window.padBegin(axis) >= window.kernel(axis) || window.padEnd(axis) >= window.kernel(axis);
      if (inPadding || window.kernel(axis) > LARGEST_KERNEL || window.dilation(axis) != 1
        || WindowForm.of(signature.attributes()).roundsUp()) {
        return false;
      }
    }
    return true;
  }

  @Override
  Prepared completed(KernelCall call, Prepared program) {
    return isMaximum ? new WithNansOfWindows(call, images, program) : program;
  }

  private static SlidingWindow window(KernelSignature plain) {
    return SlidingWindow.ofPool(plain.attributes(), plain.input(0).shape());
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    KernelSignature plain = images.plain(signature);
    SlidingWindow window = window(plain);
    Shape shape = plain.input(0).shape();
    long x = images.layout(program.layouts(), shape.extents());
    long y = images.layout(program.layouts(), plain.output(0).shape().extents());
    int kind = isMaximum
      ? MAXIMUM
      : PoolForm.of(plain.attributes()).countsPadding() ? AVERAGE_WITH_PADDING : AVERAGE;
    program.addSimple(program.scope().create("primitive_desc", "dnnl_pooling_forward_primitive_desc_create", program
      .engine(), INFERENCE, kind, x, y, WindowNumbers.strides(window), WindowNumbers.kernel(window),
      new long[window.rank()],
      WindowNumbers.padsBegin(window), WindowNumbers.padsEnd(window, shape), program.attributes()), x, y);
  }
}
