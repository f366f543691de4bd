package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.cpu.movement.CpuTranspose;
import java.lang.foreign.MemorySegment;

/**
 * Transposes one square tile of elements of {@link #elementBytes}; the part that a faster twin of {@link CpuTranspose}
 * supplies.
 */
public interface TileCopy {
  /** Bytes of an element that it is written for. */
  int elementBytes();

  /** Elements along either side of a tile. */
  int side();

  /** Copies column {@code i} of the source's tile to row {@code i} of the target's; offsets and strides in bytes. */
  void copy(MemorySegment source, long from, long fromStride, MemorySegment target, long to, long toStride);
}
