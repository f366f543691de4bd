package dev.cairn.kernels.cuda.movement;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;

/**
 * Operators that are strided copies: {@code Concat}, {@code Split}, {@code Slice}, {@code Expand}, {@code Tile}. The
 * host reads sizes and axes.
 */
public final class CudaStridedCopies extends CudaKernel {
  private final Moving moving;
  private final boolean isOfData;

  /** The copies of a call. */
  private interface Moving {
    List<Launch> launches(KernelLibrary library, KernelCall call);
  }

  private CudaStridedCopies(KernelLibrary library, boolean isOfData, Moving moving) {
    super(library);
    this.isOfData = isOfData;
    this.moving = moving;
  }

  /** The inputs, concatenated along {@code axis}. */
  public static CudaStridedCopies concat(KernelLibrary library) {
    return new CudaStridedCopies(library, true, (of, call) -> parts(of, call, call.output(0), call.inputCount(), true));
  }

  /** The parts of input 0 along {@code axis}, each as long as its output. */
  public static CudaStridedCopies split(KernelLibrary library) {
    return new CudaStridedCopies(library, false,
      (of, call) -> parts(of, call, call.input(0), call.outputCount(), false));
  }

  /** Every {@code step}-th index of some axes, forwards or backwards. */
  public static CudaStridedCopies slice(KernelLibrary library) {
    return new CudaStridedCopies(library, false, (of, call) -> List.of(slice(call).launch(of, call, 0, 0)));
  }

  /** Input 0, broadcast to the output's shape. */
  public static CudaStridedCopies expand(KernelLibrary library) {
    return new CudaStridedCopies(library, false, (of, call) -> {
      Shape to = call.output(0).shape();
      return List.of(new StridedMove(to, 0, Layout.rowMajor(call.input(0).shape()).broadcastTo(to), 0, Layout.rowMajor(
        to)).launch(of, call, 0, 0));
    });
  }

  /** Input 0, repeated along each axis to fill the output. */
  public static CudaStridedCopies tile(KernelLibrary library) {
    return new CudaStridedCopies(library, false, (of, call) -> List.of(tile(call).launch(of, call, 0, 0)));
  }

  @Override
  public boolean readsOnHost(int input) {
    return input > 0 && !isOfData;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    return Launch.inOrder(moving.launches(library, call));
  }

  private static List<Launch> parts(KernelLibrary library, KernelCall call, TensorView whole, int count,
    boolean joins) {
    int axis = AxisForm.ofParts(call.attributes()).of(whole.shape());
    long behind = whole.shape().elementCount(axis + 1, whole.shape().rank());
    Layout all = Layout.rowMajor(whole.shape());
    List<Launch> launches = new ArrayList<>();
    long done = 0;
    for (int i = 0; i < count; i++) {
      Shape part = (joins ? call.input(i) : call.output(i)).shape();
      Layout alone = Layout.rowMajor(part);
      StridedMove move = joins
        ? new StridedMove(part, 0, alone, done * behind, all)
        : new StridedMove(part, done * behind, all, 0, alone);
      launches.add(move.launch(library, call, joins ? i : 0, joins ? 0 : i));
      done += part.extent(axis);
    }
    if (done != whole.shape().extent(axis)) {
      throw new IllegalArgumentException(
        "parts do not fill the axis: axis=%d filled=%d whole=%s".formatted(axis, done, whole.type()));
    }
    return launches;
  }

  private static StridedMove slice(KernelCall call) {
    Shape shape = call.input(0).shape();
    long[] extents = shape.extents().clone();
    long[] strides = Layout.rowMajor(shape).strides().clone();
    long start = 0;
    for (int i = 0; i < call.input(1).elementCount(); i++) {
      int axis = call.has(3) ? shape.axis(call.input(3).longAt(i)) : i;
      long step = call.has(4) ? call.input(4).longAt(i) : 1;
      SliceRange range = SliceRange.of(call.input(1).longAt(i), call.input(2).longAt(i), step, shape.extent(axis));
      start += range.start() * strides[axis];
      strides[axis] *= range.step();
      extents[axis] = range.count();
    }
    Shape sliced = Shape.of(extents);
    if (!call.output(0).shape().equals(sliced)) {
      throw new IllegalArgumentException("slice and output differ: data=%s slice=%s output=%s".formatted(call.input(0)
        .type(), sliced, call.output(0).type()));
    }
    return new StridedMove(sliced, start, Layout.strided(sliced, strides), 0, Layout.rowMajor(sliced));
  }

  private static StridedMove tile(KernelCall call) {
    Shape shape = call.input(0).shape();
    long[] dense = Layout.rowMajor(shape).strides();
    long[] extents = new long[2 * shape.rank()];
    long[] strides = new long[extents.length];
    for (int axis = 0; axis < shape.rank(); axis++) {
      long extent = shape.extent(axis);
      extents[2 * axis] = extent == 0 ? 0 : call.output(0).shape().extent(axis) / extent;
      extents[2 * axis + 1] = extent;
      strides[2 * axis + 1] = dense[axis];
    }
    Shape tiles = Shape.of(extents);
    if (tiles.elementCount() != call.output(0).elementCount()) {
      throw new IllegalArgumentException(
        "output is no tiling: input=%s output=%s".formatted(call.input(0).type(), call.output(0).type()));
    }
    return new StridedMove(tiles, 0, Layout.strided(tiles, strides), 0, Layout.rowMajor(tiles));
  }
}
