package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** {@code MaxPool(x)} with outputs {@code y, indices?}, and {@code AveragePool(x)}, over up to three spatial axes. */
public final class CudaPool extends CudaKernel {
  /** As in {@code pool.cu}. */
  private static final int MOST_SPATIAL = 3;
  private final boolean takesMaximum;

  /** @param takesMaximum rather than the average */
  public CudaPool(KernelLibrary library, boolean takesMaximum) {
    super(library);
    this.takesMaximum = takesMaximum;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).shape().rank() <= 2 + MOST_SPATIAL;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    SlidingWindow window = SlidingWindow.of(call.attributes(), x.shape(), call.attributes().getLongs("kernel_shape"));
    long count = call.output(0).elementCount();
    Launch.Builder launch = Launch.of(call, library.function("pool.cu", x.dtype(), takesMaximum ? "maximum_pool"
      : "average_pool")).input(0).output(0);
    if (takesMaximum) {
      if (call.outputCount() > 1) {
        launch.output(1);
      } else {
        launch.value(0L);
      }
      launch.value(count).value(call.attributes().getLong("storage_order", 0) == 1 ? 1 : 0);
    } else {
      launch.value(count).value(call.attributes().getFlag("count_include_pad", false) ? 1 : 0);
    }
    return launch.structure(bytes(window, x.shape())).overElements(count);
  }

  /** As {@code struct Window}: axes that are not there come first, with one input, one tap and one result. */
  private static byte[] bytes(SlidingWindow window, Shape input) {
    int absent = MOST_SPATIAL - window.rank();
    ByteBuffer buffer = ByteBuffer.allocate(7 * MOST_SPATIAL * Long.BYTES).order(ByteOrder.nativeOrder());
    for (int field = 0; field < 7; field++) {
      for (int i = 0; i < MOST_SPATIAL; i++) {
        int axis = i - absent;
        buffer.putLong(axis < 0 ? (field == 4 || field == 5 ? 0 : 1) : switch (field) {
          case 0 -> input.extent(axis + 2);
          case 1 -> window.outputExtent(axis);
          case 2 -> window.kernel(axis);
          case 3 -> window.stride(axis);
          case 4 -> window.padBegin(axis);
          case 5 -> window.padEnd(axis);
          default -> window.dilation(axis);
        });
      }
    }
    return buffer.array();
  }
}
