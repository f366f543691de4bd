package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.attribute.PadForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.access.UnitLoop;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/**
 * {@code Pad}: inputs data, pads (all begins, then all ends), value?, axes?; modes {@code constant}, {@code edge},
 * {@code reflect}, {@code wrap}. Pads wider than the axis repeat it as often as needed; negative pads cut first.
 */
public final class CpuPad {
  private static final MemorySegment ZERO = MemorySegment.ofArray(new long[1]).asReadOnly();

  private final PadAxis.Mode mode;
  private final PadAxis[] axes;
  /** The innermost axis that changes, or 0. */
  private final int inner;
  /** Rows run along the inner axis; their units are the axes behind it. */
  private final UnitLoop units;
  private final UnitLoop fill;
  /** Of each axis outside of the inner one: the bytes before what stands at each index, or -1 for the fill value. */
  private final long[][] sources;
  /** Indexes of the inner axis that are kept from the source are those from {@code middle} to {@code behind}. */
  private final long middle;
  private final long behind;
  /** Of the inner axis: the bytes before what is kept, and before each element that stands before and behind it. */
  private final long kept;
  private final long[] sourcesBefore;
  private final long[] sourcesBehind;

  private CpuPad(KernelCall call) {
    TensorView data = call.input(0);
    TensorView output = call.output(0);
    mode = PadAxis.Mode.of(PadForm.of(call.attributes()).mode());
    axes = axes(call, data.shape());
    requireOutput(output);
    int last = axes.length - 1;
    while (last > 0 && axes[last].isUntouched()) {
      last--;
    }
    inner = last;
    long[] sourceStrides = Strided.strides(data.shape().extents());
    long elementBytes = data.dtype().bytes();
    units = new UnitLoop(data.segment(), output.segment(), sourceStrides[inner] * elementBytes);
    sources = new long[inner][];
    for (int axis = 0; axis < inner; axis++) {
      sources[axis] = sources(axes[axis], 0, axes[axis].paddedExtent(), sourceStrides[axis] * elementBytes);
    }
    PadAxis row = axes[inner];
    middle = Math.min(row.keptAt(), row.paddedExtent());
    behind = Math.max(middle, Math.min(row.paddedExtent(), row.keptAt() + row.kept()));
    kept = behind > middle ? row.source(mode, middle) * units.unit() : 0;
    sourcesBefore = sources(row, 0, middle, units.unit());
    sourcesBehind = sources(row, behind, row.paddedExtent(), units.unit());
    MemorySegment value = call.has(2) ? call.input(2).segment() : ZERO;
    fill = new UnitLoop(value.asSlice(0, elementBytes), output.segment(), elementBytes);
  }

  /**
   * @throws IllegalArgumentException when pads, axes and output do not fit, or nothing is left that could be repeated
   */
  public static void pad(KernelCall call) {
    Shape shape = call.output(0).shape();
    if (shape.rank() == 0) {
      CpuIdentity.copy(CpuStream.of(call), call.input(0), call.output(0));
    } else if (shape.elementCount() > 0) {
      var pad = new CpuPad(call);
      long rowBytes = pad.axes[pad.inner].paddedExtent() * pad.units.unit();
      CpuStream.of(call).parallel(shape.elementCount(0, pad.inner), StridedCopy.grain(rowBytes), pad::rows);
    }
  }

  private static PadAxis[] axes(KernelCall call, Shape shape) {
    TensorView pads = call.input(1);
    long padded = call.has(3) ? call.input(3).elementCount() : shape.rank();
    if (pads.elementCount() != 2 * padded) {
      throw new IllegalArgumentException(
        "two pads an axis: operator=Pad pads=%d axes=%d".formatted(pads.elementCount(), padded));
    }
    var axes = new PadAxis[shape.rank()];
    for (int axis = 0; axis < axes.length; axis++) {
      axes[axis] = new PadAxis(shape.extent(axis), 0, 0);
    }
    for (int i = 0; i < padded; i++) {
      int axis = call.has(3) ? shape.axis(call.input(3).longAt(i)) : i;
      axes[axis] = new PadAxis(shape.extent(axis), pads.longAt(i), pads.longAt(i + padded));
    }
    return axes;
  }

  /** The bytes before what stands at each index in {@code [first, end)} of an axis, or -1 for the fill value. */
  private long[] sources(PadAxis axis, long first, long end, long stride) {
    long[] all = new long[Math.toIntExact(end - first)];
    for (int i = 0; i < all.length; i++) {
      long index = axis.source(mode, first + i);
      all[i] = index < 0 ? -1 : index * stride;
    }
    return all;
  }

  private void requireOutput(TensorView output) {
    for (int axis = 0; axis < axes.length; axis++) {
      if (output.shape().rank() != axes.length || output.shape().extent(axis) != axes[axis].paddedExtent()) {
        throw new IllegalArgumentException(
          "pads and output differ: operator=Pad axis=%d pads=%s output=%s".formatted(axis, axes[axis], output.type()));
      }
    }
  }

  private void rows(long first, long end) {
    long rowBytes = axes[inner].paddedExtent() * units.unit();
    int[] position = position(first);
    for (long row = first; row < end; row++) {
      long source = sourceOfRow(position);
      if (source < 0) {
        fill(row * rowBytes, rowBytes);
      } else {
        row(source, row * rowBytes);
      }
      step(position);
    }
  }

  /** The index along each axis outside of the inner one. */
  private int[] position(long row) {
    int[] position = new int[inner];
    long rest = row;
    for (int axis = inner - 1; axis >= 0; axis--) {
      position[axis] = (int) (rest % sources[axis].length);
      rest /= sources[axis].length;
    }
    return position;
  }

  private void step(int[] position) {
    int axis = inner - 1;
    while (axis >= 0 && ++position[axis] == sources[axis].length) {
      position[axis--] = 0;
    }
  }

  /** Bytes before the source row that a row of the output is made of; -1 when it is all fill value. */
  private long sourceOfRow(int[] position) {
    long source = 0;
    for (int axis = inner - 1; axis >= 0; axis--) {
      long part = sources[axis][position[axis]];
      if (part < 0) {
        return -1;
      }
      source += part;
    }
    return source;
  }

  private void row(long source, long target) {
    outside(source, target, sourcesBefore);
    if (behind > middle) {
      units.run(behind - middle, source + kept, units.unit(), target + middle * units.unit(), units.unit());
    }
    outside(source, target + behind * units.unit(), sourcesBehind);
  }

  /** Writes neighbours of a row, none of which are kept from the source. */
  private void outside(long source, long target, long[] places) {
    if (mode == PadAxis.Mode.CONSTANT) {
      if (places.length > 0) {
        fill(target, places.length * units.unit());
      }
      return;
    }
    for (int i = 0; i < places.length; i++) {
      units.one(source + places[i], target + i * units.unit());
    }
  }

  private void fill(long target, long bytes) {
    fill.run(bytes / fill.unit(), 0, 0, target, fill.unit());
  }
}
