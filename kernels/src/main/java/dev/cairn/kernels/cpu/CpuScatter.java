package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code ScatterND}: the data with slices replaced. Inputs data, indices (the last axis holds the first indexes of a
 * slice), updates. Of two updates of one slice the later one stays, so updates are written in order by one thread;
 * reductions are not served.
 */
public final class CpuScatter implements Kernel {

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.attributes().getText("reduction", "none").equals("none");
  }

  /** @throws IllegalArgumentException when an index is outside its axis, or indices and updates do not fit the data */
  @Override
  public void run(KernelCall call) {
    TensorView data = call.input(0);
    TensorView updates = call.input(2);
    Shape shape = data.shape();
    Shape picked = call.input(1).shape();
    int depth = Math.toIntExact(picked.extent(-1));
    long slices = picked.elementCount(0, picked.rank() - 1);
    if (depth > shape.rank() || slices * shape.elementCount(depth, shape.rank()) != updates.elementCount()) {
      throw new IllegalArgumentException("indices and updates differ: operator=ScatterND data=%s indices=%s updates=%s"
        .formatted(data.type(), picked, updates.type()));
    }
    CpuIdentity.copy(CpuStream.of(call), data, call.output(0));
    if (updates.elementCount() == 0) {
      return;
    }
    var indexes = new IndexInput(call.input(1));
    long[] strides = Strided.strides(shape.extents());
    long unit = shape.elementCount(depth, shape.rank()) * data.dtype().bytes();
    var units = new UnitLoop(updates.segment(), call.output(0).segment(), unit);
    for (long slice = 0; slice < slices; slice++) {
      long offset = 0;
      for (int axis = 0; axis < depth; axis++) {
        offset += indexes.at(slice * depth + axis, shape.extent(axis)) * strides[axis];
      }
      units.one(slice * unit, offset * data.dtype().bytes());
    }
  }
}
