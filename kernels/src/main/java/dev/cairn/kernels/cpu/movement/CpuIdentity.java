package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/**
 * Operators that leave the elements as they are, in their order: {@code Identity}, {@code Reshape}, {@code Flatten},
 * {@code Squeeze}, {@code Unsqueeze} and, when nothing is trained, {@code Dropout}. A copy, and nothing at all where
 * the output lies over the input.
 */
public final class CpuIdentity {
  private CpuIdentity() {}

  /** Copies input 0 to output 0; other inputs (shapes, axes) were used when types were computed. */
  public static void identity(KernelCall call) {
    copy(CpuStream.of(call), call.input(0), call.output(0));
  }

  /**
   * Like {@link #identity}; a second output, the mask, is all true.
   *
   * @throws IllegalArgumentException when input 2, {@code training_mode}, is true and input 1, the ratio, is not 0
   */
  public static void dropout(KernelCall call) {
    boolean training = call.has(2) && call.input(2).longAt(0) != 0;
    double ratio = call.has(1) ? call.input(1).doubleAt(0) : 0.5;
    if (training && ratio != 0) {
      throw new IllegalArgumentException("no kernel drops elements in training: operator=Dropout ratio=" + ratio);
    }
    copy(CpuStream.of(call), call.input(0), call.output(0));
    if (call.outputCount() > 1) {
      call.output(1).segment().fill((byte) 1);
    }
  }

  /** Copies all elements of a tensor to another one with as many elements. */
  public static void copy(CpuStream stream, TensorView from, TensorView to) {
    if (from.elementCount() != to.elementCount() || from.dtype().bits() != to.dtype().bits()) {
      throw new IllegalArgumentException("a copy needs as many elements of the same width: from=%s to=%s".formatted(from
        .type(), to.type()));
    }
    if (!sameBytes(from.segment(), to.segment())) {
      boolean isPacked = from.dtype().isPacked();
      long[] flat = {isPacked ? from.type().bytes() : from.elementCount()};
      StridedCopy.run(stream, isPacked ? 1 : from.dtype().bytes(), flat, Strided.of(from, flat), Strided.of(to, flat));
    }
  }

  /** Whether two segments of one length are one and the same piece of memory. */
  static boolean sameBytes(MemorySegment a, MemorySegment b) {
    return a.address() == b.address() && a.heapBase().equals(b.heapBase());
  }
}
