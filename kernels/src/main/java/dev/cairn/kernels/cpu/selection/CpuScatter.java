package dev.cairn.kernels.cpu.selection;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.IndexInput;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.movement.CpuIdentity;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code ScatterND} and {@code ScatterElements}: the data with some places updated. Inputs data, indices, updates. Of
 * two updates of one place the later one stays, or joins the earlier one by attribute {@code reduction}: one thread
 * applies them in their order.
 */
public final class CpuScatter {
  private CpuScatter() {}

  /**
   * Updates slices; the last axis of the indices holds the first indexes of a slice.
   *
   * @throws IllegalArgumentException when an index is outside its axis, or indices and updates do not fit the data
   */
  public static void slices(KernelCall call) {
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
    var join = new UpdateJoin(call.attributes(), updates, call.output(0));
    long unit = shape.elementCount(depth, shape.rank());
    for (long slice = 0; slice < slices; slice++) {
      join.join(slice * unit, indexes.offset(slice * depth, shape, 0, depth), unit);
    }
  }

  /**
   * Updates the element at the place of each index, but along {@code axis} (default 0) where the index says.
   *
   * @throws IllegalArgumentException when an index is outside its axis
   */
  public static void elements(KernelCall call) {
    TensorView data = call.input(0);
    TensorView updates = call.input(2);
    CpuIdentity.copy(CpuStream.of(call), data, call.output(0));
    if (updates.elementCount() == 0) {
      return;
    }
    int axis = AxisForm.ofParts(call.attributes()).of(data.shape());
    long[] extents = updates.shape().extents();
    long[] strides = Strided.strides(data.shape().extents());
    long along = strides[axis];
    long extent = data.shape().extent(axis);
    strides[axis] = 0;
    var indexes = new IndexInput(call.input(1));
    var join = new UpdateJoin(call.attributes(), updates, call.output(0));
    for (long item = 0; item < updates.elementCount(); item++) {
      join.join(item, CpuGather.offset(item, extents, strides) + indexes.at(item, extent) * along, 1);
    }
  }
}
