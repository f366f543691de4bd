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
  private final long[] sourceStrides;

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
    sourceStrides = Strided.strides(data.shape().extents());
    long elementBytes = data.dtype().bytes();
    units = new UnitLoop(data.segment(), output.segment(), sourceStrides[inner] * elementBytes);
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
    for (long row = first; row < end; row++) {
      long source = sourceOfRow(row);
      if (source < 0) {
        fill(row * rowBytes, rowBytes);
      } else {
        row(source, row * rowBytes);
      }
    }
  }

  /** Bytes before the source row that a row of the output is made of; -1 when it is all fill value. */
  private long sourceOfRow(long row) {
    long rest = row;
    long source = 0;
    for (int axis = inner - 1; axis >= 0; axis--) {
      long extent = axes[axis].paddedExtent();
      long index = axes[axis].source(mode, rest % extent);
      if (index < 0) {
        return -1;
      }
      source += index * sourceStrides[axis];
      rest /= extent;
    }
    return source * fill.unit();
  }

  private void row(long source, long target) {
    PadAxis axis = axes[inner];
    long middle = axis.keptAt();
    long behind = Math.min(axis.paddedExtent(), middle + axis.kept());
    outside(source, target, 0, Math.min(middle, axis.paddedExtent()));
    if (behind > middle) {
      long from = source + axis.source(mode, middle) * units.unit();
      units.run(behind - middle, from, units.unit(), target + middle * units.unit(), units.unit());
    }
    outside(source, target, Math.max(behind, middle), axis.paddedExtent());
  }

  /** Writes indexes {@code [first, end)} of a row, none of which are kept from the source. */
  private void outside(long source, long target, long first, long end) {
    if (mode == PadAxis.Mode.CONSTANT) {
      if (end > first) {
        fill(target + first * units.unit(), (end - first) * units.unit());
      }
      return;
    }
    for (long i = first; i < end; i++) {
      long from = source + axes[inner].source(mode, i) * units.unit();
      units.one(from, target + i * units.unit());
    }
  }

  private void fill(long target, long bytes) {
    fill.run(bytes / fill.unit(), 0, 0, target, fill.unit());
  }
}
