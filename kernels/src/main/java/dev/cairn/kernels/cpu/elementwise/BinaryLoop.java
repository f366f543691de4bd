package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;

/** A loop that combines the {@code float32} of two operands; its copies are made by {@link LoopCopy}. */
interface BinaryLoop {
  /** Makes elements {@code [first, end)} of the output; {@code target} may be an operand that does not repeat. */
  void run(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast broadcast, long first, long end);

  /** The function of each pair of vectors. Must be free of state, and small enough to be inlined. */
  @FunctionalInterface
  interface Function {
    FloatVector apply(FloatVector a, FloatVector b);
  }
}
