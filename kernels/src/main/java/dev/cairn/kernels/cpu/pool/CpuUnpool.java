package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.attribute.UnpooledShape;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.IndexInput;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.UnitLoop;
import dev.cairn.kernels.cpu.selection.CpuGather;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code MaxUnpool(x, indices, output_shape?)}: maxima put back where they were found, zeros elsewhere. Indexes count
 * in the smallest shape whose pools have this one; a larger output has that in its corner.
 */
public final class CpuUnpool implements Kernel {
  /** @throws IllegalArgumentException when an index is outside of that shape */
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    Shape counted = UnpooledShape.of(call.attributes(), x.shape());
    long[] extents = counted.extents();
    long[] strides = Strided.strides(y.shape().extents());
    var indexes = new IndexInput(call.input(1));
    long unit = x.dtype().bytes();
    var units = new UnitLoop(x.segment(), y.segment(), unit);
    y.segment().fill((byte) 0);
    for (long i = 0; i < x.elementCount(); i++) {
      units.one(i * unit, CpuGather.offset(indexes.at(i, counted.elementCount()), extents, strides) * unit);
    }
  }
}
