package dev.cairn.kernels.cpu.pool;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.convolution.ImageWindow;
import dev.cairn.kernels.cpu.convolution.PaddedPlane;
import dev.cairn.kernels.cpu.team.SlicedTasks;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;

/** {@code MaxPool} without indices and {@code AveragePool}, for {@code float32} signals and images. */
public final class VectorPool implements Kernel {
  /** {@code MaxPool(x)}, with one output. */
  public static final Kernel MAX = new VectorPool(false);
  /** {@code AveragePool(x)}. */
  public static final Kernel AVERAGE = new VectorPool(true);

  private static final long SMALL_TERMS = 1 << 16;

  private final boolean averages;

  private VectorPool(boolean averages) {
    this.averages = averages;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape input = signature.input(0).shape();
    return signature.outputs().size() == 1
      && ImageWindow.fits(SlidingWindow.ofPool(signature.attributes(), input), input);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return SlicedTasks.workspaceBytes(plane(window(signature.attributes(), signature.input(0).shape())).bytes());
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    return SlicedTasks.workspaceBytes(plane(window(signature.attributes(), signature.input(0).shape())).bytesUpTo());
  }

  @Override
  public void run(KernelCall call) {
    Shape shape = call.input(0).shape();
    ImageWindow window = window(call.attributes(), shape);
    PaddedPlane plane = plane(window);
    MemorySegment input = call.input(0).segment();
    var pool = new PoolRows(window, plane, averages ? divisors(call.attributes(), window, shape) : new float[0]);
    int[] rowDivisors = averages ? rowDivisors(call.attributes(), window, shape) : new int[0];
    long planes = shape.elementCount(0, 2);
    boolean small = planes * window.outputs() * window.taps() < SMALL_TERMS;
    SlicedTasks.run(call, planes, plane.bytes(), small, (task, slice) -> {
      for (int first = 0; first < window.outputHeight(); first += plane.bandRows()) {
        int end = Math.min(window.outputHeight(), first + plane.bandRows());
        plane.copyBand(input, task * window.inputs() * Float.BYTES, first, end, slice);
        for (int y = first; y < end; y++) {
          long to = (task * window.outputHeight() + y) * window.outputWidth() * Float.BYTES;
          if (averages) {
            pool.average(slice, y - first, call.output(0).segment(), to, rowDivisors[y]);
          } else {
            pool.max(slice, y - first, call.output(0).segment(), to);
          }
        }
      }
    });
  }

  private static ImageWindow window(Attributes attributes, Shape input) {
    return ImageWindow.of(SlidingWindow.ofPool(attributes, input), input);
  }

  private PaddedPlane plane(ImageWindow window) {
    return new PaddedPlane(window, averages ? 0 : Float.NEGATIVE_INFINITY);
  }

  /** The divisor of each output of a row, for its columns alone; with room for whole vectors. */
  private static float[] divisors(Attributes attributes, ImageWindow window, Shape input) {
    boolean includesPadding = PoolForm.of(attributes).countsPadding();
    var whole = SlidingWindow.ofPool(attributes, input);
    float[] divisors = new float[Math.ceilDiv(window.outputWidth(), LANES) * LANES];
    for (int x = 0; x < window.outputWidth(); x++) {
      divisors[x] = PoolWindow.counted(whole, whole.rank() - 1, x, window.width(), includesPadding);
    }
    return divisors;
  }

  private static int[] rowDivisors(Attributes attributes, ImageWindow window, Shape input) {
    boolean includesPadding = PoolForm.of(attributes).countsPadding();
    var whole = SlidingWindow.ofPool(attributes, input);
    int[] divisors = new int[window.outputHeight()];
    for (int y = 0; y < divisors.length; y++) {
      divisors[y] = whole.rank() == 1 ? 1 : PoolWindow.counted(whole, 0, y, window.height(), includesPadding);
    }
    return divisors;
  }
}
