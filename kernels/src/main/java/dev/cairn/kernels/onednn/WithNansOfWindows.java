package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A maximum pool of images or volumes whose results are NaN where their windows have a NaN: oneDNN's maxima pass over
 * it. After each run, the elements are searched for a NaN, and the results of the windows around each are overwritten.
 */
final class WithNansOfWindows implements Prepared {
  private static final long GRAIN = 1 << 15;
  /** Elements whose greatest one is compared with infinity. */
  private static final int STRETCH = 256;
  private static final int FLOAT32_INFINITY = 0x7F800000;
  private static final int FLOAT32_NAN = 0x7FC00000;
  private static final int BFLOAT16_INFINITY = FLOAT32_INFINITY >>> 16;
  private static final short BFLOAT16_NAN = (short) (FLOAT32_NAN >>> 16);

  private final KernelCall call;
  private final Prepared program;
  private final boolean hasChannelsLast;

  WithNansOfWindows(KernelCall call, Images images, Prepared program) {
    this.call = call;
    this.program = program;
    this.hasChannelsLast = images == Images.CHANNELS_LAST;
  }

  @Override
  public void run() {
    program.run();
    MemorySegment x = call.input(0).segment();
    Shape shape = call.input(0).shape();
    Shape image = hasChannelsLast ? ChannelsLast.plain(shape) : shape;
    SlidingWindow window = SlidingWindow.ofPool(call.attributes(), image);
    boolean isSingle = call.input(0).dtype() == DType.FLOAT32;
    CpuStream.of(call).parallel(call.input(0).elementCount(), GRAIN, (first, end) -> {
      for (long from = first; from < end; from += STRETCH) {
        int count = (int) Math.min(STRETCH, end - from);
        if (isSingle ? hasNan(x, from, count) : hasShortNan(x, from, count)) {
          for (long at = from; at < from + count; at++) {
            if (isSingle ? hasNan(x, at, 1) : hasShortNan(x, at, 1)) {
              spread(at, image, window);
            }
          }
        }
      }
    });
  }

  /** The bits of a NaN without its sign are greater than those of infinity. */
  private static boolean hasNan(MemorySegment x, long from, int count) {
    int greatest = 0;
    for (int i = 0; i < count; i++) {
      greatest = Math.max(greatest, x.get(ValueLayout.JAVA_INT_UNALIGNED, (from + i) * Integer.BYTES) & 0x7FFFFFFF);
    }
    return greatest > FLOAT32_INFINITY;
  }

  private static boolean hasShortNan(MemorySegment x, long from, int count) {
    int greatest = 0;
    for (int i = 0; i < count; i++) {
      greatest = Math.max(greatest, x.get(ValueLayout.JAVA_SHORT_UNALIGNED, (from + i) * Short.BYTES) & 0x7FFF);
    }
    return greatest > BFLOAT16_INFINITY;
  }

  /** Makes the results of all windows around an element NaN. Several threads may write the same result. */
  private void spread(long at, Shape image, SlidingWindow window) {
    long channels = image.extent(1);
    long elements = image.elementCount(2, image.rank());
    long inPlane = hasChannelsLast ? at / channels % elements : at % elements;
    long plane = hasChannelsLast ? at / (channels * elements) * channels + at % channels : at / elements;
    long[] place = new long[window.rank()];
    for (int axis = window.rank() - 1; axis >= 0; axis--) {
      place[axis] = inPlane % image.extent(axis + 2);
      inPlane /= image.extent(axis + 2);
    }
    spread(window, place, 0, 0, new Target(plane, channels, window.outputShape(1, 1).elementCount()));
  }

  /** The plane of an image that results lie in. */
  private record Target(long plane, long channels, long outputs) {}

  /** @param before the number of the result so far, from the axes before this one */
  private void spread(SlidingWindow window, long[] place, int axis, long before, Target target) {
    if (axis == window.rank()) {
      write(hasChannelsLast
        ? (target.plane / target.channels * target.outputs + before) * target.channels + target.plane % target.channels
        : target.plane * target.outputs + before);
      return;
    }
    int last = lastWindow(window, axis, place[axis]);
    for (int output = firstWindow(window, axis, place[axis]); output <= last; output++) {
      spread(window, place, axis + 1, before * window.outputExtent(axis) + output, target);
    }
  }

  /** Windows are not dilated ({@link OneDnnPool#fits}). */
  private static int firstWindow(SlidingWindow window, int axis, long place) {
    long padded = place + window.padBegin(axis);
    return (int) Math.max(0, Math.ceilDiv(padded - window.kernel(axis) + 1, (long) window.stride(axis)));
  }

  private static int lastWindow(SlidingWindow window, int axis, long place) {
    return (int) Math.min(window.outputExtent(axis) - 1L, (place + window.padBegin(axis)) / window.stride(axis));
  }

  private void write(long result) {
    TensorView y = call.output(0);
    if (y.dtype() == DType.FLOAT32) {
      y.segment().set(ValueLayout.JAVA_INT_UNALIGNED, result * Integer.BYTES, FLOAT32_NAN);
    } else {
      y.segment().set(ValueLayout.JAVA_SHORT_UNALIGNED, result * Short.BYTES, BFLOAT16_NAN);
    }
  }

  @Override
  public void close() {
    program.close();
  }
}
