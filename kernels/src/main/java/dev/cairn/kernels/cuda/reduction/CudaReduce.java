package dev.cairn.kernels.cuda.reduction;

import dev.cairn.kernels.attribute.ReductionForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Reductions {@code (data, axes?)} over any axes. A block computes a result of many elements. A thread computes a
 * result of few elements, or one whose neighbours are adjacent in memory.
 */
public final class CudaReduce extends CudaKernel {
  private static final int FEW = 32;
  private final String function;

  /** @param function a function of {@code reduction.cu}: {@code sum}, {@code mean}, … */
  public CudaReduce(KernelLibrary library, String function) {
    super(library);
    this.function = function;
  }

  @Override
  public boolean readsOnHost(int input) {
    return input == 1;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    long outputs = call.output(0).elementCount();
    boolean[] reduced = reducedAxes(call);
    BroadcastWalk keptWalk = walk(x.shape(), reduced, false);
    BroadcastWalk reducedWalk = walk(x.shape(), reduced, true);
    long count = IntStream.range(0, reduced.length).filter(i -> reduced[i]).mapToLong(x.shape()::extent)
      .reduce(1, (a, b) -> a * b);
    boolean byThread = count < FEW || (!lastOf(x.shape(), reduced) && outputs >= FEW);
    return Launch.of(call, library.function("reduction.cu", x.dtype(), function + (byThread
      ? "_by_thread"
      : "_by_block")))
      .input(0)
      .output(0)
      .value(outputs)
      .value(count)
      .structure(keptWalk.bytes())
      .structure(reducedWalk.bytes())
      .with(byThread ? Grids.ofElements(outputs) : Grids.ofLines(outputs, count));
  }

  /** The reduced axes. Absent or empty axes mean all, or none with {@code noop_with_empty_axes}. */
  private static boolean[] reducedAxes(KernelCall call) {
    Shape shape = call.input(0).shape();
    boolean[] reduced = new boolean[shape.rank()];
    TensorView axes = call.has(1) ? call.input(1) : TensorView.ofLongs();
    if (axes.elementCount() == 0) {
      Arrays.fill(reduced, !ReductionForm.of(call.attributes()).isNoneOfNone());
    }
    for (long axis : axes.toLongArray()) {
      reduced[shape.axis(axis)] = true;
    }
    return reduced;
  }

  private static boolean lastOf(Shape shape, boolean[] reduced) {
    for (int i = reduced.length - 1; i >= 0; i--) {
      if (shape.extent(i) != 1) {
        return reduced[i];
      }
    }
    return true;
  }

  private static BroadcastWalk walk(Shape shape, boolean[] reduced, boolean ofReduced) {
    int[] axes = IntStream.range(0, reduced.length).filter(i -> reduced[i] == ofReduced).toArray();
    long[] strides = Layout.rowMajor(shape).strides();
    return BroadcastWalk.of(Arrays.stream(axes).mapToLong(shape::extent).toArray(),
      Arrays.stream(axes).mapToLong(i -> strides[i]).toArray());
  }
}
