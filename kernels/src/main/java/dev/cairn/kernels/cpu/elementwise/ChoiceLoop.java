package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.foreign.MemorySegment;

/** A loop that takes each element from one of two operands; its copies are made by {@link LoopCopy}. */
interface ChoiceLoop {
  /**
   * Makes elements {@code [first, end)} of the output.
   *
   * @param operands the booleans that decide, what is taken where they are true, and what is taken elsewhere
   * @param broadcast of the operands, in this order
   */
  void run(MemorySegment[] operands, MemorySegment target, Broadcast broadcast, long first, long end);
}
