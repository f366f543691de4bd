package dev.cairn.kernels.cpu.selection;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.GatheredRows;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.IndexInput;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.access.UnitLoop;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Picking by index: {@code Gather}, {@code GatherElements}, {@code GatherND}. Inputs data, indices ({@code int32} or
 * {@code int64}); attribute axis.
 */
public final class CpuGather {
  private CpuGather() {}

  /**
   * The slices of the data at the indices along {@code axis}; the axis is replaced by the axes of the indices.
   *
   * @throws IllegalArgumentException when an index is outside the axis
   */
  public static void gather(KernelCall call) {
    TensorView data = call.input(0);
    TensorView output = call.output(0);
    Shape shape = data.shape();
    int axis = AxisForm.ofParts(call.attributes()).of(shape);
    long outer = shape.elementCount(0, axis);
    long extent = shape.extent(axis);
    long picks = call.input(1).elementCount();
    long behind = shape.elementCount(axis + 1, shape.rank());
    requireCount(output, outer * picks * behind);
    if (output.elementCount() == 0) {
      return;
    }
    var indexes = new IndexInput(call.input(1));
    long unit = data.dtype().bytes(behind);
    var units = new UnitLoop(data.segment(), output.segment(), unit);
    CpuStream.of(call).parallel(outer * picks, StridedCopy.grain(unit), (first, end) -> {
      long row = first / picks;
      long pick = first % picks;
      for (long item = first; item < end; item++) {
        units.one((row * extent + indexes.at(pick, extent)) * unit, item * unit);
        if (++pick == picks) {
          pick = 0;
          row++;
        }
      }
    });
  }

  /**
   * For each element of the indices, the data's element at the same place but for {@code axis}, where the index says.
   *
   * @throws IllegalArgumentException when an index is outside the axis
   */
  public static void gatherElements(KernelCall call) {
    TensorView data = call.input(0);
    TensorView output = call.output(0);
    Shape picked = call.input(1).shape();
    int axis = AxisForm.ofParts(call.attributes()).of(data.shape());
    requireWithin(data.shape(), picked, axis);
    requireCount(output, picked.elementCount());
    if (picked.elementCount() == 0) {
      return;
    }
    var indexes = new IndexInput(call.input(1));
    long unit = data.dtype().bytes();
    var units = new UnitLoop(data.segment(), output.segment(), unit);
    long[] strides = Strided.strides(data.shape().extents());
    long[] extents = picked.extents();
    long along = strides[axis];
    long extent = data.shape().extent(axis);
    strides[axis] = 0;
    CpuStream.of(call).parallel(picked.elementCount(), StridedCopy.grain(4 * unit), (first, end) -> {
      for (long item = first; item < end; item++) {
        units.one((offset(item, extents, strides) + indexes.at(item, extent) * along) * unit, item * unit);
      }
    });
  }

  /**
   * For each tuple of the indices' last axis, the data's slice at that place; tuples of one batch pick from its data.
   *
   * @throws IllegalArgumentException when an index is outside its axis
   */
  public static void gatherSlices(KernelCall call) {
    TensorView data = call.input(0);
    TensorView output = call.output(0);
    Shape shape = data.shape();
    Shape picked = call.input(1).shape();
    int batchAxes = Math.toIntExact(GatheredRows.batchAxes(call.attributes()));
    int depth = Math.toIntExact(picked.extent(-1));
    if (output.elementCount() == 0) {
      return;
    }
    long slices = picked.elementCount(0, picked.rank() - 1);
    long slicesOfBatch = slices / shape.elementCount(0, batchAxes);
    long batch = shape.elementCount(batchAxes, shape.rank());
    long elements = shape.elementCount(batchAxes + depth, shape.rank());
    requireCount(output, slices * elements);
    var indexes = new IndexInput(call.input(1));
    long unit = elements * data.dtype().bytes();
    var units = new UnitLoop(data.segment(), output.segment(), unit);
    CpuStream.of(call).parallel(slices, StridedCopy.grain(unit), (first, end) -> {
      for (long slice = first; slice < end; slice++) {
        long offset = slice / slicesOfBatch * batch + indexes.offset(slice * depth, shape, batchAxes, depth);
        units.one(offset * data.dtype().bytes(), slice * unit);
      }
    });
  }

  /** Where a flat position among {@code extents} lies by these strides. */
  public static long offset(long position, long[] extents, long[] strides) {
    long rest = position;
    long offset = 0;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      offset += rest % extents[axis] * strides[axis];
      rest /= extents[axis];
    }
    return offset;
  }

  private static void requireWithin(Shape data, Shape picked, int axis) {
    boolean within = data.rank() == picked.rank();
    for (int i = 0; within && i < data.rank(); i++) {
      within = i == axis || picked.extent(i) <= data.extent(i);
    }
    if (!within) {
      throw new IllegalArgumentException(
        "indices reach beyond the data: data=%s indices=%s axis=%d".formatted(data, picked, axis));
    }
  }

  private static void requireCount(TensorView output, long count) {
    if (output.elementCount() != count) {
      throw new IllegalArgumentException(
        "output and indices differ: output=%s count=%d".formatted(output.type(), count));
    }
  }
}
