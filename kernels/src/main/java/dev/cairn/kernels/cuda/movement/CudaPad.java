package dev.cairn.kernels.cuda.movement;

import dev.cairn.kernels.attribute.PadForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.LongTable;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/**
 * {@code Pad(data, pads, value?, axes?)} in the modes {@code constant}, {@code edge}, {@code reflect} and {@code wrap}.
 * A negative pad removes elements. The host reads pads and axes.
 */
public final class CudaPad extends CudaKernel {
  /** The modes in the order of {@code movement.cu}. */
  private static final List<String> MODES = List.of("constant", "edge", "reflect", "wrap");

  public CudaPad(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean readsOnHost(int input) {
    return input == 1 || input == 3;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView data = call.input(0);
    Shape shape = data.shape();
    int rank = shape.rank();
    long[] begin = new long[rank];
    long[] end = new long[rank];
    TensorView pads = call.input(1);
    int count = Math.toIntExact(call.has(3) ? call.input(3).elementCount() : rank);
    if (pads.elementCount() != 2L * count) {
      throw new IllegalArgumentException(
        "two pads an axis: operator=Pad pads=%d axes=%d".formatted(pads.elementCount(), count));
    }
    for (int i = 0; i < count; i++) {
      int axis = call.has(3) ? shape.axis(call.input(3).longAt(i)) : i;
      begin[axis] = pads.longAt(i);
      end[axis] = pads.longAt(i + count);
    }
    int mode = MODES.indexOf(PadForm.of(call.attributes()).mode());
    long outputs = call.output(0).elementCount();
    return Launch.of(call, library.function("movement.cu", CudaElementTypes.moved(data.dtype()), "pad"))
      .input(0)
      .input(2)
      .output(0)
      .value(outputs)
      .value(mode)
      .structure(padding(call, begin, end, mode))
      .overElements(outputs);
  }

  private static byte[] padding(KernelCall call, long[] begin, long[] end, int mode) {
    Shape shape = call.input(0).shape();
    int rank = shape.rank();
    if (mode < 0) {
      throw new IllegalArgumentException("no such mode: operator=Pad mode=" + PadForm.of(call.attributes()).mode());
    }
    long[] kept = new long[rank];
    long[] keptAt = new long[rank];
    long[] cut = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      cut[axis] = Math.max(0, -begin[axis]);
      keptAt[axis] = Math.max(0, begin[axis]);
      kept[axis] = Math.max(0, shape.extent(axis) - cut[axis] - Math.max(0, -end[axis]));
      if (call.output(0).shape().extent(axis) != shape.extent(axis) + begin[axis] + end[axis]) {
        throw new IllegalArgumentException(
          "pads and output differ: operator=Pad axis=%d begin=%d end=%d input=%s output=%s".formatted(axis, begin[axis],
            end[axis], call.input(0).type(), call.output(0).type()));
      }
      if (kept[axis] == 0 && mode != 0 && call.output(0).elementCount() > 0) {
        throw new IllegalArgumentException("nothing to repeat: operator=Pad axis=%d input=%s".formatted(axis, call
          .input(0).type()));
      }
    }
    return LongTable.counted(rank, call.output(0).shape().extents(), kept, keptAt, cut, Layout.rowMajor(shape)
      .strides());
  }
}
