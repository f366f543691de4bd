package dev.cairn.kernels.cuda.selection;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.GatheredRows;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/**
 * {@code ScatterAdd(h, indices)}, the gradient of {@code Gather} and {@code GatherElements}. A thread adds all that
 * comes to a strand of the data along the axis, in the order of the indices. An index outside its axis adds nothing;
 * the portable kernel throws in this case.
 */
public final class CudaScatterAdd extends CudaKernel {
  private static final byte ZERO = 0;

  public CudaScatterAdd(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return !GatheredRows.picker(signature.attributes()).equals(Operators.GATHER_ND);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView h = call.input(0);
    TensorView y = call.output(0);
    GatheredRows rows = GatheredRows.of(call.attributes(), call.input(1).shape());
    Shape data = y.shape();
    int axis = AxisForm.ofParts(call.attributes()).of(data);
    CudaStream stream = Launch.streamOf(call);
    Runnable zeros = () -> stream.fill(y.segment().address(), ZERO, y.type().bytes());
    if (h.elementCount() == 0 || y.elementCount() == 0) {
      return y.elementCount() == 0 ? () -> {} : zeros;
    }
    Launch.Builder launch = Launch.of(call, library.function("training.cu", h.dtype(), "scatter_add"))
      .input(0)
      .input(1)
      .output(0);
    return Launch.inOrder(List.of(zeros, rows.elements() ? elements(launch, call, axis) : rows(launch, call, rows)));
  }

  private static Launch rows(Launch.Builder launch, KernelCall call, GatheredRows rows) {
    long[] extents = {rows.outer(), rows.unit()};
    long[] from = {rows.picks() * rows.unit(), 1};
    long[] to = {rows.targets() * rows.unit(), 1};
    return launch.value(rows.outer() * rows.unit())
      .value(CudaGather.isWide(call.input(1)))
      .value(0)
      .value(rows.targets())
      .value(rows.picks())
      .value(rows.unit())
      .value(rows.unit())
      .structure(BroadcastWalk.of(extents, from, to).bytes())
      .overElements(rows.outer() * rows.unit());
  }

  private static Launch elements(Launch.Builder launch, KernelCall call, int axis) {
    Shape h = call.input(0).shape();
    Shape data = call.output(0).shape();
    long[] from = Layout.rowMajor(h).strides().clone();
    long[] to = Layout.rowMajor(data).strides().clone();
    long[] extents = h.extents().clone();
    extents[axis] = 1;
    long strands = h.elementCount() / h.extent(axis);
    return launch.value(strands)
      .value(CudaGather.isWide(call.input(1)))
      .value(1)
      .value(data.extent(axis))
      .value(h.extent(axis))
      .value(from[axis])
      .value(to[axis])
      .structure(BroadcastWalk.of(extents, from, to).bytes())
      .overElements(strands);
  }
}
