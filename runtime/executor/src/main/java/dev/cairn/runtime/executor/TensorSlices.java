package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/** Copies slices of tensors. */
final class TensorSlices {
  private TensorSlices() {}

  /** Copies bytes between two places of one kind of memory. */
  @FunctionalInterface
  interface Copy {
    /** In memory of the host. */
    Copy ON_HOST = MemorySegment::copyFrom;

    void copy(MemorySegment target, MemorySegment source);
  }

  /** Copies one slice of a whole tensor to a tensor of the slice's type. */
  static void read(TensorView whole, int axis, long index, TensorView slice, Copy copy) {
    copy(whole, axis, index, slice, copy, false);
  }

  /** Copies a tensor into one slice of a whole tensor. */
  static void write(TensorView whole, int axis, long index, TensorView slice, Copy copy) {
    copy(whole, axis, index, slice, copy, true);
  }

  private static void copy(TensorView whole, int axis, long index, TensorView slice, Copy copy, boolean toWhole) {
    long rows = whole.shape().elementCount(0, axis);
    if (rows == 0 || slice.elementCount() == 0) {
      return;
    }
    if (slice.dtype().isPacked()) {
      copyPacked(whole, axis, index, slice, toWhole);
      return;
    }
    long row = slice.type().bytes() / rows;
    long stride = row * whole.shape().extent(axis);
    for (long i = 0; i < rows; i++) {
      MemorySegment inWhole = whole.segment().asSlice(i * stride + index * row, row);
      MemorySegment inSlice = slice.segment().asSlice(i * row, row);
      if (toWhole) {
        copy.copy(inWhole, inSlice);
      } else {
        copy.copy(inSlice, inWhole);
      }
    }
  }

  /** Rows may begin within a byte: only in memory of the host. */
  private static void copyPacked(TensorView whole, int axis, long index, TensorView slice, boolean toWhole) {
    TensorView from = toWhole ? slice : whole;
    TensorView to = toWhole ? whole : slice;
    long row = slice.elementCount() / whole.shape().elementCount(0, axis);
    for (long i = 0; i < slice.elementCount(); i++) {
      long inWhole = (i / row * whole.shape().extent(axis) + index) * row + i % row;
      int code = NarrowElements.code(from.dtype(), from.segment(), toWhole ? i : inWhole);
      NarrowElements.set(to.dtype(), to.segment(), toWhole ? inWhole : i, code);
    }
  }
}
